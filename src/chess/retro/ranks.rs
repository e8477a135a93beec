//! Ranks of captures: whether the captures of a proof kernel can have happened on the board.
//!
//! A [proof kernel](super::kernel) knows the order of the pawns on each file, but not their ranks.
//! Here each pawn has a set of ranks on which it can have been before each capture, and at the end.
//! At the end, these are the ranks on the board. In between:
//! * A pawn advances, or stays. A capture takes it one rank further.
//! * The pawns on a file have different ranks, in their order. Promoted pawns count as if they were
//!   on the last rank.
//! * A pawn captures a pawn on the rank of that pawn, or en passant one rank further: from its
//!   fifth rank, while the other one is on its fourth rank and has never left its file.
//! * A pawn on a square from which it attacks a king that has never moved is captured at once, by
//!   the next capture. So it makes no other capture from there and is not promoted. At the end, it
//!   can be there if it has just arrived.
//! * A pawn captures a piece on a square of the colour of that piece. If all missing pieces are
//!   bishops of one colour, this is the colour of all these squares. In general, captures on light
//!   squares are at most as many as the pieces lost, without the bishops on dark squares.
//!
//! The search asks this only if there are promoted pieces: without them, the fast path accepts
//! captures by their numbers.
//!
//! What contradicts these constraints is removed from the sets, until nothing changes. If a set is
//! empty, the captures are impossible. All this holds in any starting position of Chess960 and
//! double Chess960: pawns begin on the same squares, and each side has a bishop of each colour.

use arrayvec::ArrayVec;

use super::pawn_order::{BLACK, Capture, Goal, How, MAX_ON_FILE, WHITE, count, len};

/// Maximum number of captures. Nothing is proven if there are more.
const MAX_CAPTURES: usize = 14;

/// Ranks, one bit each, the first one the lowest.
type Ranks = u8;

/// The pawns by the file on which they began: those of White from 0 on, those of Black from 8 on.
type Pawn = u8;

/// The ranks of pawns.
const PAWN_RANKS: Ranks = 0b0111_1110;

/// The pawns on a file, the lowest first.
type Lane = ArrayVec<Pawn, { MAX_ON_FILE as usize }>;

/// The pawns on all files.
type Lanes = [Lane; 8];

const fn color(pawn: Pawn) -> u8 {
    pawn / 8
}

const fn last_rank(color: u8) -> Ranks {
    if color == WHITE { 0x80 } else { 0x01 }
}

const fn seventh_rank(color: u8) -> Ranks {
    if color == WHITE { 0x40 } else { 0x02 }
}

/// The ranks above the lowest of `ranks`.
const fn above(ranks: Ranks) -> Ranks {
    let lowest = ranks & ranks.wrapping_neg();
    !(lowest | lowest.wrapping_sub(1))
}

/// The ranks below the highest of `ranks`.
const fn below(ranks: Ranks) -> Ranks {
    if ranks == 0 { 0 } else { (1 << (7 - ranks.leading_zeros())) - 1 }
}

/// The light squares of a file.
const fn light(file: u8) -> Ranks {
    if file.is_multiple_of(2) { 0xAA } else { 0x55 }
}

/// What became of a pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It is on this rank of the board.
    OnBoard(Ranks),
    /// It was promoted after an advance, or after it had captured on its last rank.
    Promoted,
    /// With this capture, it was promoted on a square to which no pawn can advance.
    PromotedByCapture(usize),
    /// This capture took it.
    Captured(usize),
}

/// Who took part in a capture.
#[derive(Clone, Copy, Debug)]
struct Event {
    /// The pawn that captured.
    by: Option<Pawn>,
    /// The pawn that was captured.
    victim: Option<Pawn>,
    /// The file on which the pawn arrived.
    to: u8,
}

/// The pawns at all times: before each capture, and at the end.
struct Timeline<'a> {
    goal: &'a Goal,
    events: ArrayVec<Event, MAX_CAPTURES>,
    lanes: ArrayVec<Lanes, { MAX_CAPTURES + 1 }>,
    fates: [Fate; 16],
    ranks: ArrayVec<[Ranks; 16], { MAX_CAPTURES + 1 }>,
    /// For each capture, the ranks on which the capturing pawn can have arrived.
    arrivals: ArrayVec<Ranks, MAX_CAPTURES>,
    has_changed: bool,
}

/// Whether the captures, which lead to the pawns of `goal`, can have happened on the board.
pub(super) fn are_possible(goal: &Goal, captures: &[Capture]) -> bool {
    captures.len() > MAX_CAPTURES || Timeline::new(goal, captures).is_none_or(|mut timeline| timeline.is_possible())
}

impl<'a> Timeline<'a> {
    /// `None` if the captures do not lead to the pawns of `goal`.
    fn new(goal: &'a Goal, captures: &[Capture]) -> Option<Timeline<'a>> {
        let begin = std::array::from_fn(|file| [file as Pawn, file as Pawn + 8].into_iter().collect());
        let mut timeline = Timeline {
            goal,
            events: ArrayVec::new(),
            lanes: [begin].into_iter().collect(),
            fates: [Fate::Promoted; 16],
            ranks: ArrayVec::new(),
            arrivals: ArrayVec::new(),
            has_changed: false,
        };
        captures.iter().for_each(|capture| timeline.play(*capture));
        timeline.note_final_fates()?;
        for time in 0..timeline.lanes.len() {
            let ranks = timeline.ranks_at(time);
            timeline.ranks.push(ranks);
        }
        let arrivals = (0..captures.len()).map(|time| timeline.arrivals_of(time)).collect();
        timeline.arrivals = arrivals;
        Some(timeline)
    }

    fn play(&mut self, capture: Capture) {
        let time = self.events.len();
        let mut lanes = self.lanes[time].clone();
        let (file, index) = capture.from;
        let pawn = lanes[usize::from(file)].remove(usize::from(index));
        let event = match capture.how {
            How::Captured => Event { by: None, victim: Some(pawn), to: file },
            How::TakesPawn((to, index)) => {
                let place = &mut lanes[usize::from(to)][usize::from(index)];
                Event { by: Some(pawn), victim: Some(std::mem::replace(place, pawn)), to }
            }
            How::TakesPiece((to, index)) => {
                lanes[usize::from(to)].insert(usize::from(index), pawn);
                Event { by: Some(pawn), victim: None, to }
            }
            How::IsPromoted(to) => {
                self.fates[usize::from(pawn)] = Fate::PromotedByCapture(time);
                Event { by: Some(pawn), victim: None, to }
            }
        };
        if let Some(victim) = event.victim {
            self.fates[usize::from(victim)] = Fate::Captured(time);
        }
        self.events.push(event);
        self.lanes.push(lanes);
    }

    /// Notes which pawns are on the board. The others at the end were promoted: the highest white
    /// ones and the lowest black ones on each file.
    fn note_final_fates(&mut self) -> Option<()> {
        for (file, lane) in self.lanes.last()?.iter().enumerate() {
            let order = self.goal.orders[file];
            let blacks = lane.iter().filter(|pawn| color(**pawn) == BLACK).count();
            let promoted = blacks.checked_sub(count(order, BLACK) as usize)?;
            let on_board = lane.get(promoted..promoted + len(order) as usize)?;
            for (pawn, rank) in on_board.iter().zip(self.goal.ranks[file]) {
                self.fates[usize::from(*pawn)] = Fate::OnBoard(1 << (rank - 1));
            }
        }
        Some(())
    }

    /// The ranks on which pawns can have been at this time by themselves.
    fn ranks_at(&self, time: usize) -> [Ranks; 16] {
        let mut all = [0; 16];
        for (file, lane) in self.lanes[time].iter().enumerate() {
            for &pawn in lane {
                let color = color(pawn);
                let is_last = time == self.events.len();
                let ranks = match self.fates[usize::from(pawn)] {
                    Fate::OnBoard(rank) if is_last => rank,
                    Fate::OnBoard(rank) if color == WHITE => PAWN_RANKS & (rank | below(rank)),
                    Fate::OnBoard(rank) => PAWN_RANKS & (rank | above(rank)),
                    Fate::Promoted if is_last => last_rank(color),
                    Fate::Promoted => PAWN_RANKS | last_rank(color),
                    Fate::PromotedByCapture(when) if when == time => seventh_rank(color),
                    Fate::PromotedByCapture(_) | Fate::Captured(_) => PAWN_RANKS,
                };
                let may_check = is_last || self.fates[usize::from(pawn)] == Fate::Captured(time);
                all[usize::from(pawn)] = ranks & if may_check { !0 } else { self.safe_ranks(color, file as u8) };
            }
        }
        all
    }

    /// All ranks but those from which a pawn on this file attacks an unmoved king.
    const fn safe_ranks(&self, color: u8, file: u8) -> Ranks {
        let is_check = self.goal.sides[color as usize].promotion.checks >> file & 1 == 1;
        if is_check { !seventh_rank(color) } else { !0 }
    }

    /// The ranks on which the capturing pawn can have arrived by itself.
    fn arrivals_of(&self, time: usize) -> Ranks {
        let Event { by: Some(pawn), to, .. } = self.events[time] else { return 0 };
        let color = color(pawn);
        match self.fates[usize::from(pawn)] {
            Fate::PromotedByCapture(when) if when == time => last_rank(color),
            Fate::Captured(when) if when == time + 1 => PAWN_RANKS,
            Fate::OnBoard(_) if time + 1 == self.events.len() => PAWN_RANKS,
            Fate::Promoted => {
                let files = &self.goal.sides[usize::from(color)].promotion;
                let from = self.lanes[time].iter().position(|lane| lane.contains(&pawn));
                let arrivals = if from > Some(usize::from(to)) { files.from_right } else { files.from_left };
                let last = if arrivals >> to & 1 == 1 { last_rank(color) } else { 0 };
                (PAWN_RANKS | last) & self.safe_ranks(color, to)
            }
            _ => PAWN_RANKS & self.safe_ranks(color, to),
        }
    }

    /// Removes ranks until nothing changes. Returns whether all pawns have ranks left.
    fn is_possible(&mut self) -> bool {
        loop {
            self.has_changed = false;
            for time in 0..self.lanes.len() {
                self.keep_order(time);
                if time < self.events.len() {
                    self.capture(time);
                    self.advance(time);
                }
            }
            if self.has_empty() || ![WHITE, BLACK].into_iter().all(|color| self.pieces_suffice(color)) {
                return false;
            }
            if !self.has_changed {
                return true;
            }
        }
    }

    fn has_empty(&self) -> bool {
        let lanes = self.lanes.iter().zip(&self.ranks);
        let mut pawns = lanes.flat_map(|(lanes, ranks)| lanes.iter().flatten().map(|pawn| ranks[usize::from(*pawn)]));
        let mut arrivals = self.events.iter().zip(&self.arrivals);
        pawns.any(|ranks| ranks == 0) || arrivals.any(|(event, ranks)| event.by.is_some() && *ranks == 0)
    }

    /// Keeps only these ranks.
    fn keep(ranks: &mut Ranks, only: Ranks, has_changed: &mut bool) {
        *has_changed |= *ranks & !only != 0;
        *ranks &= only;
    }

    /// Keeps the ranks of two neighbours on a file in order. Promoted pawns of one side are both on
    /// the last rank.
    fn order_two(lower: (Pawn, &mut Ranks), upper: (Pawn, &mut Ranks), has_changed: &mut bool) {
        let same = color(lower.0) == color(upper.0);
        let shared = if same { *lower.1 & *upper.1 & last_rank(color(lower.0)) } else { 0 };
        Timeline::keep(lower.1, below(*upper.1) | shared, has_changed);
        Timeline::keep(upper.1, above(*lower.1) | shared, has_changed);
    }

    fn keep_order(&mut self, time: usize) {
        let ranks = &mut self.ranks[time];
        for lane in &self.lanes[time] {
            for pair in lane.windows(2) {
                let [lower, upper] = [pair[0], pair[1]];
                let (mut low, mut high) = (ranks[usize::from(lower)], ranks[usize::from(upper)]);
                Timeline::order_two((lower, &mut low), (upper, &mut high), &mut self.has_changed);
                ranks[usize::from(lower)] = low;
                ranks[usize::from(upper)] = high;
            }
        }
    }

    /// A capture takes a pawn one rank further, to the place of what it captures, between its new
    /// neighbours.
    fn capture(&mut self, time: usize) {
        let Event { by: Some(pawn), victim, to } = self.events[time] else { return };
        let color = color(pawn);
        let changed = &mut self.has_changed;
        let ranks = &mut self.ranks[time];
        let arrival = &mut self.arrivals[time];
        let (onward, back) = if color == WHITE {
            (ranks[usize::from(pawn)] << 1, *arrival >> 1)
        } else {
            (ranks[usize::from(pawn)] >> 1, *arrival << 1)
        };
        Timeline::keep(arrival, onward, changed);
        Timeline::keep(&mut ranks[usize::from(pawn)], back, changed);
        if let Some(victim) = victim {
            let (sixth, fourth) = if color == WHITE { (1 << 5, 1 << 4) } else { (1 << 2, 1 << 3) };
            let is_home = victim % 8 == to && self.lanes[..time].iter().all(|lanes| lanes[usize::from(to)].contains(&victim));
            let there = &mut ranks[usize::from(victim)];
            let passing = |has: Ranks, if_has: Ranks, other: Ranks| if is_home && has & if_has != 0 { other } else { 0 };
            let beside = passing(*there, fourth, sixth);
            Timeline::keep(arrival, *there | beside, changed);
            let passed = passing(*arrival, sixth, fourth);
            Timeline::keep(there, *arrival | passed, changed);
        }
        let lane = &self.lanes[time + 1][usize::from(to)];
        let Some(index) = lane.iter().position(|other| *other == pawn) else { return };
        if let Some(&lower) = index.checked_sub(1).and_then(|index| lane.get(index)) {
            Timeline::order_two((lower, &mut ranks[usize::from(lower)]), (pawn, arrival), changed);
        }
        if let Some(&upper) = lane.get(index + 1) {
            Timeline::order_two((pawn, arrival), (upper, &mut ranks[usize::from(upper)]), changed);
        }
    }

    /// Until the next capture, pawns advance or stay.
    fn advance(&mut self, time: usize) {
        let (before, after) = self.ranks.split_at_mut(time + 1);
        let (Some(before), Some(after)) = (before.last_mut(), after.first_mut()) else { return };
        for pawn in self.lanes[time + 1].iter().flatten() {
            let is_capturing = self.events[time].by == Some(*pawn);
            let earlier = if is_capturing { &mut self.arrivals[time] } else { &mut before[usize::from(*pawn)] };
            let later = &mut after[usize::from(*pawn)];
            let (lower, upper) = if color(*pawn) == WHITE { (earlier, later) } else { (later, earlier) };
            let at_most = below(*upper) | *upper;
            Timeline::keep(lower, at_most, &mut self.has_changed);
            let at_least = above(*lower) | *lower;
            Timeline::keep(upper, at_least, &mut self.has_changed);
        }
    }

    /// Whether pieces of the other side suffice for those that pawns of `color` have captured.
    fn pieces_suffice(&mut self, color: u8) -> bool {
        let (own, other) = (usize::from(color), usize::from(color ^ 1));
        let side = &self.goal.sides[other];
        let is_other_pawn = |pawn: Pawn| usize::from(self::color(pawn)) == other;
        let pawns = self.events.iter().filter(|event| event.victim.is_some_and(is_other_pawn)).count();
        let Some(pieces) = usize::from(self.goal.sides[own].captures).checked_sub(pawns) else { return false };
        let takes_piece =
            |event: &Event| event.victim.is_none() && event.by.is_some_and(|pawn| usize::from(self::color(pawn)) == own);
        let captures: ArrayVec<usize, MAX_CAPTURES> =
            (0..self.events.len()).filter(|time| takes_piece(&self.events[*time])).collect();
        for (is_light, bishops) in [(true, side.lost_bishops[1]), (false, side.lost_bishops[0])] {
            let squares = |time: usize| {
                let light = light(self.events[time].to);
                if is_light { light } else { !light }
            };
            let most = pieces.saturating_sub(usize::from(bishops));
            let certain = |time: &usize| self.arrivals[*time] & !squares(*time) == 0;
            let count = captures.iter().filter(|time| certain(time)).count();
            if count > most {
                return false;
            }
            if count == most {
                for &time in captures.iter().filter(|time| !certain(time)).collect::<ArrayVec<_, MAX_CAPTURES>>() {
                    let only = !squares(time);
                    Timeline::keep(&mut self.arrivals[time], only, &mut self.has_changed);
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, Board, Color, Square};

    use super::{
        super::{
            side_limits::{Losses, SideLimits},
            side_view::SideView,
        },
        *,
    };

    #[test]
    fn neighbouring_ranks() {
        assert_eq!((above(0b0010_0100), below(0b0010_0100)), (0b1111_1000, 0b0001_1111));
        assert_eq!((above(0), below(0), above(0x80), below(0x01)), (0, 0, 0, 0));
        // a1 is dark, b1 is light.
        assert_eq!((light(0) & 1, light(1) & 1), (0, 1));
    }

    /// Whether these captures can lead to the pawns of the placement. All other limits are wide.
    fn are_possible_with(placement: &str, unmoved: Bitboard, captures: &[Capture]) -> bool {
        let board = Board::from_ascii_board_fen(placement.as_bytes()).expect("it is a board");
        let [white, black] = [Color::White, Color::Black].map(|color| SideView::new(&board, unmoved, color, None));
        let losses = |view: &SideView| Losses { missing: 16 - view.count(), ..Losses::default() };
        let limits = |own: &SideView, other: &SideView| SideLimits::new((own, losses(own)), (other, losses(other)));
        let goal = Goal::new([&white, &black], [limits(&white, &black), limits(&black, &white)]);
        are_possible(&goal.expect("few pawns are on a file"), captures)
    }

    #[test]
    fn pawns_do_not_go_back() {
        // Black's e-pawn captures a piece above the d-pawn of its side. White's c-pawn captures it
        // there, and is promoted.
        let captures =
            [Capture { from: (4, 1), how: How::TakesPiece((3, 2)) }, Capture { from: (2, 0), how: How::TakesPawn((3, 2)) }];
        let possible = |placement: &str| are_possible_with(placement, Bitboard::EMPTY, &captures);
        assert!(possible("rnbqkbnr/ppp2ppp/8/3p4/3P4/8/PP2PPPP/RNBQKBQR"));
        // The e-pawn can have captured on d6 or below it, but there the d-pawn is.
        assert!(!possible("rnbqkbnr/ppp2ppp/3p4/8/3P4/8/PP2PPPP/RNBQKBQR"));
    }

    #[test]
    fn pawns_that_check_an_unmoved_king_go_no_further() {
        // White's c-pawn captures the d-pawn, and then a piece on c8.
        let capture = [Capture { from: (2, 0), how: How::TakesPawn((3, 1)) }];
        let captures = [capture[0], Capture { from: (3, 1), how: How::IsPromoted(2) }];
        let placement = "r1bqkbnr/ppp1pppp/8/8/3P4/8/PP2PPPP/RNBQKBQR";
        assert!(are_possible_with(placement, Bitboard::EMPTY, &captures));
        let king_on_e8 = Bitboard::from_square(Square::E8).with(Square::H8);
        assert!(!are_possible_with(placement, king_on_e8, &captures));
        // At the end, it can give check.
        let checking = "rnbqkbnr/pppPpppp/8/8/3P4/8/PP2PPPP/RNBQKB1R";
        assert!(are_possible_with(checking, king_on_e8, &capture));
    }

    #[test]
    fn en_passant_captures_arrive_behind_the_pawn() {
        let board = Board::from_ascii_board_fen(b"rnbqkbnr/pppp1ppp/4P3/8/8/8/PPP1PPPP/RNBQKBNR").expect("it is a board");
        let [white, black] = [Color::White, Color::Black].map(|color| SideView::new(&board, Bitboard::EMPTY, color, None));
        let limits = SideLimits { captures: 1, ..SideLimits::default() };
        let goal = Goal::new([&white, &black], [limits; 2]).expect("few pawns are on a file");
        let capture = [Capture { from: (3, 0), how: How::TakesPawn((4, 1)) }];
        let mut timeline = Timeline::new(&goal, &capture).expect("it leads to the pawns");
        timeline.arrivals[0] = 1 << 5;
        assert!(timeline.is_possible());
        // The captured pawn was on e5 or e6.
        assert_eq!(timeline.ranks[0][12], 0b0011_0000);
    }
}
