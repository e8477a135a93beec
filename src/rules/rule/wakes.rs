//! When a rule has to be asked.

use shakmaty::Move;

use crate::{
    pgn::KnownTag,
    rules::{Family, RULES, Selection, Severity, facts::TagValues},
};

/// What wakes a rule. By default the fast path itself excludes what the rule reports.
#[derive(Clone, Copy, Debug)]
pub enum Wakes {
    /// Only what the fast path never accepts.
    Default,
    /// These things, which are looked for only if a rule reports them.
    Signs(&'static [Sign]),
    /// The values of tags: this test holds, and the game has one of these tags.
    Tags(&'static [KnownTag], fn(&TagValues<'_>) -> bool),
    /// A move that was played: this test holds.
    Moves(fn(&Move) -> bool),
}

/// Something in a game that only some rules are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A check or mate without its mark.
    UnmarkedCheck,
    /// A capture without its mark.
    UnmarkedCapture,
    /// Too much or unusual disambiguation.
    Disambiguation,
    /// The style of a move number.
    NumberStyle,
    /// The first move number of a game from another position.
    StartNumber,
    /// A command in a comment.
    Command,
    /// A time used for a move, next to clocks.
    ElapsedTime,
    /// Remarks of engines, times and judgements, compared with each other and with the tags.
    Remarks,
    /// A variation that begins with the move that it replaces.
    Echo,
    /// The line ends of a game.
    LineEnds,
}

/// The test of a rule about the values of tags, and the tags, one bit each.
type TagTest = (u128, fn(&TagValues<'_>) -> bool);

/// What wakes any of the rules that run.
#[derive(Clone, Debug, Default)]
pub struct Waking {
    /// One bit each.
    signs: u32,
    /// Of rules with warnings and errors.
    tags: Vec<TagTest>,
    /// Of rules with infos only.
    tags_of_infos: Vec<TagTest>,
    moves: Vec<fn(&Move) -> bool>,
}

impl Waking {
    /// What wakes the rules that `selection` shows. Rules with warnings and errors are included.
    pub fn of(selection: &Selection) -> Waking {
        let mut waking = Waking::default();
        for rule in RULES {
            let (is_info, shows_infos) = (rule.severity == Severity::Info, selection.shows_infos(rule));
            // All rules of this family read commands.
            if rule.code.family() == Family::Clk && selection.runs(rule) {
                waking.signs |= bit(Sign::Command);
            }
            match rule.wakes {
                Wakes::Signs(signs) => {
                    let is_shown = |sign: &&Sign| shows_infos || **sign == Sign::Command && selection.runs(rule);
                    waking.signs |= signs.iter().filter(is_shown).fold(0, |signs, sign| signs | bit(*sign));
                }
                Wakes::Tags(tags, test) if !is_info => waking.tags.push((TagValues::bits(tags), test)),
                Wakes::Tags(tags, test) if shows_infos => waking.tags_of_infos.push((TagValues::bits(tags), test)),
                Wakes::Moves(test) if !is_info || shows_infos => waking.moves.push(test),
                Wakes::Default | Wakes::Tags(..) | Wakes::Moves(_) => {}
            }
        }
        waking
    }

    /// Whether a rule is about this.
    #[inline(always)]
    pub const fn looks_for(&self, sign: Sign) -> bool {
        self.signs & bit(sign) != 0
    }

    /// Whether a rule with warnings or errors has to be asked about these tags.
    #[inline(always)]
    pub fn by_tags(&self, tags: &TagValues<'_>) -> bool {
        self.tags.iter().any(|(of, test)| tags.seen & of != 0 && test(tags))
    }

    /// The same for rules with infos only.
    #[inline(always)]
    pub fn infos_by_tags(&self, tags: &TagValues<'_>) -> bool {
        self.tags_of_infos.iter().any(|(of, test)| tags.seen & of != 0 && test(tags))
    }

    /// Whether moves can wake rules, however they are written.
    #[inline(always)]
    pub const fn has_moves(&self) -> bool {
        !self.moves.is_empty()
    }

    /// Whether this move wakes a rule. Ask [`Waking::has_moves`] first.
    #[cold]
    #[inline(never)]
    pub fn by_move(&self, played: &Move) -> bool {
        self.moves.iter().any(|test| test(played))
    }
}

const fn bit(sign: Sign) -> u32 {
    1 << sign as u32
}
