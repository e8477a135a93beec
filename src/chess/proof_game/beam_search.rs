//! The beam search back to the starting position.

use rustc_hash::FxHashSet;
use shakmaty::{Color, Square};

use super::{
    distances::KnownDistances,
    estimate::Estimate,
    kernel::KnownKernels,
    retraction::{Past, Retraction},
};

/// Widths of the beam, one after the other. The last one is repeated.
const WIDTHS: [usize; 5] = [32, 128, 512, 2048, 8192];

/// Plies of the longest game that is looked for. With the widest beam, that is 60 MB of steps and
/// 75 MB of keys.
const MAX_PLIES: usize = 600;

/// A round ends when its best score has not become better for so many plies.
const MAX_STAGNATION: usize = 60;

/// Candidates are sorted when there are so many times the width.
const MAX_CANDIDATES: usize = 16;

/// Candidates whose pawns are judged, in widths of the beam. Those that can come home are kept.
const JUDGED: usize = 4;

/// A position that may be kept.
#[derive(Clone, Copy)]
struct Candidate {
    score: i32,
    noise: u32,
    parent: u32,
    key: u64,
    retraction: Retraction,
}

impl Candidate {
    /// The position. `frontier` has the one after it.
    fn past(&self, frontier: &[Past]) -> Past {
        frontier[self.parent as usize].before_unchecked(self.retraction)
    }
}

/// How a position was reached that was kept.
#[derive(Clone, Copy)]
struct Step {
    parent: u32,
    retraction: Retraction,
}

/// Takes back moves from a position to the starting position: those moves, the last one of the
/// game first. `goes_on` is called with the number of nodes since it was last called, and says
/// whether there may be more.
pub fn search(goal: &Past, goes_on: &mut dyn FnMut(u64) -> bool) -> Option<Vec<Retraction>> {
    let mut known = Known::default();
    let [.., widest] = WIDTHS;
    for (salt, width) in (0..).zip(WIDTHS.into_iter().chain(std::iter::repeat(widest))) {
        match beam(goal, width, salt, &mut known, goes_on) {
            Round::Found(game) => return Some(game),
            Round::Ended => return None,
            Round::Stuck => {}
        }
    }
    None
}

/// What is remembered between positions.
#[derive(Default)]
struct Known {
    distances: KnownDistances,
    kernels: KnownKernels,
}

/// How a round ended.
enum Round {
    Found(Vec<Retraction>),
    /// No nodes are left, or no positions although none was dropped.
    Ended,
    /// The best positions lead nowhere.
    Stuck,
}

/// A round: in each ply, the best positions are kept, as many as the beam is wide. `salt` decides
/// between positions of the same score.
fn beam(goal: &Past, width: usize, salt: u64, known: &mut Known, goes_on: &mut dyn FnMut(u64) -> bool) -> Round {
    let mut frontier = vec![goal.clone()];
    let mut steps: Vec<Vec<Step>> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut best = i32::MAX;
    let mut best_at = 0;
    let mut has_dropped = false;
    let mut candidates: Vec<Candidate> = Vec::new();
    for ply in 0..MAX_PLIES {
        candidates.clear();
        for (parent, now) in frontier.iter().enumerate() {
            let estimate = Estimate::of(now, &mut known.distances);
            let mut nodes = 0;
            let mut found = None;
            now.for_each_retraction(ply == 0, |retraction| {
                nodes += 1;
                let Some(past) = now.before(retraction) else { return };
                if past.is_start() {
                    found = Some(retraction);
                    return;
                }
                let Some(score) = estimate.score_before(now, retraction, &past, &mut known.distances) else { return };
                let key = key(&past);
                if seen.contains(&key) {
                    return;
                }
                let noise = mixed(key ^ salt) as u32;
                candidates.push(Candidate { score, noise, parent: parent as u32, key, retraction });
            });
            if let Some(retraction) = found {
                return Round::Found(game(&steps, parent as u32, retraction));
            }
            if !goes_on(nodes) {
                return Round::Ended;
            }
            if candidates.len() > MAX_CANDIDATES * width {
                has_dropped |= keep_best(&mut candidates, JUDGED * width);
            }
        }
        has_dropped |= keep_best(&mut candidates, JUDGED * width);
        let mut kept = 0;
        candidates.retain(|candidate| {
            let keeps = kept < width && known.kernels.can_come_home(&candidate.past(&frontier).board);
            kept += usize::from(keeps);
            has_dropped |= !keeps;
            keeps
        });
        let Some(first) = candidates.first() else { return if has_dropped { Round::Stuck } else { Round::Ended } };
        if first.score < best {
            (best, best_at) = (first.score, ply);
        } else if ply - best_at > MAX_STAGNATION {
            return Round::Stuck;
        }
        seen.extend(candidates.iter().map(|candidate| candidate.key));
        let kept: Vec<Step> = candidates.iter().map(|kept| Step { parent: kept.parent, retraction: kept.retraction }).collect();
        frontier = candidates.iter().map(|kept| kept.past(&frontier)).collect();
        steps.push(kept);
    }
    Round::Stuck
}

/// Keeps different positions of the best scores. Returns whether others were dropped.
fn keep_best(candidates: &mut Vec<Candidate>, width: usize) -> bool {
    candidates.sort_unstable_by_key(|candidate| (candidate.score, candidate.noise, candidate.key, candidate.parent));
    candidates.dedup_by_key(|candidate| candidate.key);
    let has_others = candidates.len() > width;
    candidates.truncate(width);
    has_others
}

/// The moves from the goal to the position in the last level, and one more.
fn game(steps: &[Vec<Step>], parent: u32, last: Retraction) -> Vec<Retraction> {
    let mut game = vec![last];
    let mut parent = parent;
    for level in steps.iter().rev() {
        let step = &level[parent as usize];
        game.push(step.retraction);
        parent = step.parent;
    }
    game.reverse();
    game
}

/// A hash of all that matters for what can be taken back.
fn key(past: &Past) -> u64 {
    let (roles, colors) = past.board.clone().into_bitboards();
    let mut hash = u64::from(past.rights.0) | u64::from(past.lost.0) << 4 | u64::from(past.turn == Color::White) << 8;
    hash |= past.advanced.map_or(0, |square: Square| u64::from(u32::from(square)) + 1) << 9;
    for set in [roles.pawn, roles.knight, roles.bishop, roles.rook, roles.queen, roles.king, colors.white] {
        hash = mixed(hash ^ set.0).wrapping_add(0x9E37_79B9_7F4A_7C15);
    }
    mixed(hash)
}

fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    bits = (bits ^ (bits >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    bits ^ (bits >> 32)
}
