//! What is different between two versions of a game.

use arrayvec::ArrayVec;

use super::{GameCard, GameDate, KEPT_TAGS, Parting, PlayerName};
use crate::pgn::{KnownTag, result_of_tag};

/// In what two corpora differ: a game that only one of them has, or a change of a game that both
/// have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DifferenceKind {
    /// Only the first corpus has the game.
    OnlyInA,
    /// Only the second corpus has the game.
    OnlyInB,
    /// The moves.
    Moves,
    /// The result.
    Result,
    /// The date.
    Date,
    /// The name of a player, other than its spelling.
    Names,
    /// Who played White.
    Colours,
    /// Comments, glyphs or variations.
    Comments,
    /// Other tags.
    Tags,
}

/// The changes of one game.
pub type DifferenceKinds = ArrayVec<DifferenceKind, 8>;

/// What changed, in both versions of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedValues {
    /// The first ply that differs, from 1, if moves changed.
    pub ply: Option<usize>,
    /// The value in the first corpus.
    pub a: String,
    /// The value in the second corpus.
    pub b: String,
}

/// The termination markers by their number on a card.
const MARKERS: [&str; 5] = ["", "1-0", "0-1", "1/2-1/2", "*"];

impl DifferenceKind {
    /// All changes, in the order of a summary.
    pub const ALL: [DifferenceKind; 9] = [
        DifferenceKind::OnlyInA,
        DifferenceKind::OnlyInB,
        DifferenceKind::Moves,
        DifferenceKind::Result,
        DifferenceKind::Date,
        DifferenceKind::Names,
        DifferenceKind::Colours,
        DifferenceKind::Comments,
        DifferenceKind::Tags,
    ];

    /// The value in the column `change`.
    pub const fn as_str(self) -> &'static str {
        match self {
            DifferenceKind::OnlyInA => "only_in_a",
            DifferenceKind::OnlyInB => "only_in_b",
            DifferenceKind::Moves => "moves",
            DifferenceKind::Result => "result",
            DifferenceKind::Date => "date",
            DifferenceKind::Names => "names",
            DifferenceKind::Colours => "colours",
            DifferenceKind::Comments => "comments",
            DifferenceKind::Tags => "tags",
        }
    }

    /// The values that changed. Those of comments, and of tags that cards do not keep, are not
    /// known.
    pub fn values(self, one: &GameCard<'_>, other: &GameCard<'_>) -> ChangedValues {
        let both = |value: &dyn Fn(&GameCard<'_>) -> String| ChangedValues { ply: None, a: value(one), b: value(other) };
        match self {
            DifferenceKind::OnlyInA | DifferenceKind::OnlyInB | DifferenceKind::Comments => ChangedValues::default(),
            DifferenceKind::Moves => {
                let Parting { ply, one, other, .. } = Parting::of(one, other);
                ChangedValues { ply: Some(ply), a: one, b: other }
            }
            DifferenceKind::Result => {
                let is_marker = has_same_result(result(one), result(other));
                both(&|card| if is_marker { marker(card) } else { result(card) }.to_owned())
            }
            DifferenceKind::Date => both(&|card| card.tag(KnownTag::Date).to_owned()),
            DifferenceKind::Names => both(&|card| {
                let name = |tag| Some(card.tag(tag)).filter(|name| !name.is_empty()).unwrap_or("?");
                format!("{} - {}", name(KnownTag::White), name(KnownTag::Black))
            }),
            DifferenceKind::Colours => both(&|card| card.tag(KnownTag::White).to_owned()),
            DifferenceKind::Tags => both(&|card| {
                let pairs =
                    KEPT_TAGS.into_iter().filter(|tag| is_other_tag(*tag) && one.tag(*tag).trim() != other.tag(*tag).trim());
                let pairs = pairs.filter(|tag| !card.tag(*tag).is_empty());
                pairs.map(|tag| format!("[{} \"{}\"]", tag.name(), card.tag(tag))).collect::<Vec<_>>().join(" ")
            }),
        }
    }
}

/// The changes of a game, in their order. Spellings of moves and names, layout and the order of
/// tags are no changes.
pub fn changes(one: &GameCard<'_>, other: &GameCard<'_>) -> DifferenceKinds {
    let mut changes = DifferenceKinds::new();
    let mut add = |is_change: bool, change| {
        if is_change {
            changes.push(change);
        }
    };
    let (traits, other_traits) = (one.traits, other.traits);
    let has_unread_change = traits.goes_on != other_traits.goes_on || traits.unread != other_traits.unread;
    add(one.keys.moves != other.keys.moves || has_unread_change, DifferenceKind::Moves);
    let has_other_marker = traits.marker != other_traits.marker && traits.marker != 0 && other_traits.marker != 0;
    add(!has_same_result(result(one), result(other)) || has_other_marker, DifferenceKind::Result);
    add(!has_same_date(one.tag(KnownTag::Date), other.tag(KnownTag::Date)), DifferenceKind::Date);
    let (has_other_names, is_swapped) = name_changes(one, other);
    add(has_other_names, DifferenceKind::Names);
    add(is_swapped, DifferenceKind::Colours);
    add(traits.remarks != other_traits.remarks, DifferenceKind::Comments);
    let players = [other_traits.white_tags, other_traits.black_tags];
    let players = if is_swapped { [players[1], players[0]] } else { players };
    let has_same_players = [traits.white_tags, traits.black_tags] == players;
    add(traits.other_tags != other_traits.other_tags || !has_same_players, DifferenceKind::Tags);
    changes
}

/// Whether names changed, and whether the players have the other colours.
fn name_changes(one: &GameCard<'_>, other: &GameCard<'_>) -> (bool, bool) {
    let both = [KnownTag::White, KnownTag::Black];
    if both.iter().all(|tag| one.tag(*tag) == other.tag(*tag)) {
        return (false, false);
    }
    let [[white, black], [other_white, other_black]] = [one, other].map(|card| both.map(|tag| PlayerName::new(card.tag(tag))));
    let is_same = |one: &PlayerName, other: &PlayerName| one.has_same_words(other) || one.is_unknown() && other.is_unknown();
    if is_same(&white, &other_white) && is_same(&black, &other_black) {
        return (false, false);
    }
    if is_same(&white, &other_black) && is_same(&black, &other_white) {
        return (false, true);
    }
    let is_swapped = white.may_be(&other_black) && black.may_be(&other_white);
    (true, is_swapped && !white.may_be(&other_white) && !black.may_be(&other_black))
}

/// The result of a game: that of its tag, or else its marker.
fn result<'a>(card: &GameCard<'a>) -> &'a str {
    match card.tag(KnownTag::Result) {
        "" if card.traits.marker == 0 => "*",
        "" => marker(card),
        result => result,
    }
}

fn marker(card: &GameCard<'_>) -> &'static str {
    MARKERS.get(usize::from(card.traits.marker)).copied().unwrap_or_default()
}

fn has_same_result(one: &str, other: &str) -> bool {
    let read = |text: &str| result_of_tag(text.as_bytes());
    one.trim() == other.trim() || read(one).is_some_and(|one| read(other) == Some(one))
}

fn has_same_date(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (date, other_date) = (GameDate::new(one), GameDate::new(other));
    let known = |text: &'_ str| text.trim().trim_end_matches(['.', '?', '-', '/']).to_owned();
    date.parts() == 3 && date == other_date || known(one) == known(other)
}

/// Whether a change of the tag is one of [`DifferenceKind::Tags`].
const fn is_other_tag(tag: KnownTag) -> bool {
    !matches!(tag, KnownTag::White | KnownTag::Black | KnownTag::Result | KnownTag::Date)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::GameTraits;

    fn card(header: &'static str, traits: GameTraits) -> GameCard<'static> {
        let tags = [KnownTag::White, KnownTag::Black, KnownTag::Result, KnownTag::Date, KnownTag::Round];
        let tags = tags.into_iter().zip(header.split('|')).filter(|(_, value)| !value.is_empty()).collect();
        GameCard { tags, traits, ..GameCard::default() }
    }

    /// The changes between two headers, which are the same in both directions.
    fn of(one: &'static str, other: &'static str) -> Vec<DifferenceKind> {
        let (one, other) = (card(one, GameTraits::default()), card(other, GameTraits::default()));
        let found = changes(&one, &other);
        assert_eq!(found, changes(&other, &one));
        found.to_vec()
    }

    #[test]
    fn spellings_are_no_changes() {
        for (one, other) in [
            ("M\u{fc}ller, Karl|Tal, M|1-0|1959.01.02", "KARL MULLER|M. Tal|1-0|1959.1.2"),
            ("Tal|Keres|1/2-1/2|1959.??.??", "Tal|Keres|1/2-1/2|1959"),
            ("Tal|Keres|*|", "Tal|Keres||"),
            ("|Keres||", "?|Keres||"),
        ] {
            assert_eq!(of(one, other), [], "{one} and {other}");
        }
    }

    #[test]
    fn each_change_is_named() {
        for (one, other, expected) in [
            ("Tal|Keres|1-0|1959", "Tal|Keres|0-1|1959", vec![DifferenceKind::Result]),
            ("Tal|Keres|1-0|1959", "Tal|Keres||1959", vec![DifferenceKind::Result]),
            ("Tal|Keres|1-0|1959", "Tal|Keres|1-0|1959.05", vec![DifferenceKind::Date]),
            ("Tal|Keres|1-0|03.05.1959", "Tal|Keres|1-0|04.05.1959", vec![DifferenceKind::Date]),
            ("Tal|Keres|1-0|1959", "Tal, Mikhail|Keres|1-0|1959", vec![DifferenceKind::Names]),
            ("Tal|Keres|1-0|1959", "Keres|Tal|1-0|1959", vec![DifferenceKind::Colours]),
            ("Tal|Keres|1-0|1959", "Keres, Paul|Tal|1-0|1959", vec![DifferenceKind::Names, DifferenceKind::Colours]),
        ] {
            assert_eq!(of(one, other), expected, "{one} and {other}");
        }
        let traits = |change: fn(&mut GameTraits)| {
            let mut traits = GameTraits { marker: 1, ..GameTraits::default() };
            change(&mut traits);
            let (one, other) = (GameTraits { marker: 1, ..GameTraits::default() }, traits);
            changes(&card("Tal|Keres", one), &card("Tal|Keres", other)).to_vec()
        };
        assert_eq!(traits(|_| {}), []);
        assert_eq!(traits(|traits| traits.remarks = 1), [DifferenceKind::Comments]);
        assert_eq!(traits(|traits| traits.other_tags = 1), [DifferenceKind::Tags]);
        assert_eq!(traits(|traits| traits.white_tags = 1), [DifferenceKind::Tags]);
        assert_eq!(traits(|traits| traits.unread = 1), [DifferenceKind::Moves]);
        assert_eq!(traits(|traits| traits.marker = 3), [DifferenceKind::Result]);
    }
}
