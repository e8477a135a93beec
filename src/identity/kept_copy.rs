//! Which of several copies of a game is kept, and what the others add to it.

use std::{borrow::Borrow, cmp::Ordering};

use super::{GameCard, GameDate, GameIds, PlayerName, Round, judge::real_result, names::name::has_addition};
use crate::pgn::KnownTag;

/// Why one copy is better than another, in the order in which reasons count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeepReason {
    /// It has fewer errors.
    FewerErrors,
    /// It has a result, and the other one does not.
    Result,
    /// More of its plies can be played.
    MorePlies,
    /// It is annotated.
    Annotated,
    /// Its date is more complete.
    FullerDate,
    /// Its round is more complete.
    FullerRound,
    /// It has more ids.
    MoreIds,
    /// It has more ratings.
    MoreRatings,
    /// The names of its players are more complete.
    FullerNames,
    /// Its input was named first.
    InputOrder,
    /// The name of its input comes first.
    InputName,
    /// It comes first in its input.
    Place,
}

impl KeepReason {
    /// Whether the kept copy is better, and not only the first one.
    pub const fn is_about_quality(self) -> bool {
        !matches!(self, KeepReason::InputOrder | KeepReason::InputName | KeepReason::Place)
    }

    /// All reasons, in their order.
    pub const ALL: [KeepReason; 12] = [
        KeepReason::FewerErrors,
        KeepReason::Result,
        KeepReason::MorePlies,
        KeepReason::Annotated,
        KeepReason::FullerDate,
        KeepReason::FullerRound,
        KeepReason::MoreIds,
        KeepReason::MoreRatings,
        KeepReason::FullerNames,
        KeepReason::InputOrder,
        KeepReason::InputName,
        KeepReason::Place,
    ];

    /// A sentence about the copy that is kept, without a period.
    pub const fn as_str(self) -> &'static str {
        match self {
            KeepReason::FewerErrors => "it has fewer errors",
            KeepReason::Result => "it has a result",
            KeepReason::MorePlies => "it has more plies",
            KeepReason::Annotated => "it is annotated",
            KeepReason::FullerDate => "its date is more complete",
            KeepReason::FullerRound => "its round is more complete",
            KeepReason::MoreIds => "it has more ids",
            KeepReason::MoreRatings => "it has more ratings",
            KeepReason::FullerNames => "its names are more complete",
            KeepReason::InputOrder => "both are equally good, and its input was named first",
            KeepReason::InputName => "both are equally good, and the name of its input comes first",
            KeepReason::Place => "both are equally good, and it comes first in the input",
        }
    }
}

/// Compares two copies: the better one is less, so that the minimum is kept. Also says why.
/// `named` gives the rank by which an input was named, and its name, by its number.
pub fn compare_copies<'n>(
    one: &GameCard<'_>,
    other: &GameCard<'_>,
    named: impl Fn(u64) -> (usize, &'n str),
) -> (Ordering, KeepReason) {
    let more = |value: fn(&GameCard<'_>) -> usize| value(other).cmp(&value(one));
    let [input, other_input] = [one, other].map(|card| named(card.place.input));
    let steps: [(KeepReason, &dyn Fn() -> Ordering); 11] = [
        (KeepReason::FewerErrors, &|| one.traits.errors.cmp(&other.traits.errors)),
        (KeepReason::Result, &|| more(|card| usize::from(real_result(card).is_some()))),
        // Plies that are illegal, or come after the end of the game, are not on the card.
        (KeepReason::MorePlies, &|| more(|card| card.plies.len())),
        (KeepReason::Annotated, &|| more(|card| usize::from(card.traits.is_annotated))),
        (KeepReason::FullerDate, &|| more(|card| usize::from(GameDate::of(card).parts()))),
        (KeepReason::FullerRound, &|| more(|card| round_parts(card.tag(KnownTag::Round)))),
        (KeepReason::MoreIds, &|| more(count_ids)),
        (KeepReason::MoreRatings, &|| {
            more(|card| [KnownTag::WhiteElo, KnownTag::BlackElo].map(|tag| rating(card.tag(tag))).iter().sum())
        }),
        (KeepReason::FullerNames, &|| {
            more(|card| [KnownTag::White, KnownTag::Black].map(|tag| letters(card.tag(tag))).iter().sum())
        }),
        (KeepReason::InputOrder, &|| input.0.cmp(&other_input.0)),
        (KeepReason::InputName, &|| input.1.cmp(other_input.1)),
    ];
    let step = steps.into_iter().map(|(reason, compare)| (compare(), reason)).find(|(order, _)| order.is_ne());
    step.unwrap_or_else(|| {
        // Inputs of the same name are told apart by their number.
        let place = |card: &GameCard<'_>| (card.place.input, card.place.byte, card.place.game);
        (place(one).cmp(&place(other)), KeepReason::Place)
    })
}

/// Tags of other copies that the kept one lacks, or that are more complete there, in the order of
/// [`KnownTag`], each with the index of the first copy that has the value. Nothing is said of a tag
/// if the best values of two copies differ, or if the value would be worse otherwise. The copies
/// are of the same players, with the same colours.
pub fn better_tags<'a>(kept: &GameCard<'a>, copies: &[impl Borrow<GameCard<'a>>]) -> Vec<(KnownTag, &'a str, usize)> {
    let mut found = Vec::new();
    for &tag in TAGS {
        let own = kept.tag(tag);
        let known = completeness(tag, own);
        let values = copies.iter().map(|copy| copy.borrow().tag(tag).trim()).enumerate();
        let values = values.filter(|(_, value)| completeness(tag, value) > known && fits(tag, own, value));
        let Some(best) = values.clone().map(|(_, value)| completeness(tag, value)).max() else { continue };
        let mut values = values.filter(|(_, value)| completeness(tag, value) == best);
        if let Some((copy, value)) = values.next()
            && values.all(|(_, other)| other == value)
        {
            found.push((tag, value, copy));
        }
    }
    found
}

/// The tags that [`better_tags`] looks at.
const TAGS: &[KnownTag] = &[
    KnownTag::Event,
    KnownTag::Site,
    KnownTag::Date,
    KnownTag::Round,
    KnownTag::White,
    KnownTag::Black,
    KnownTag::Result,
    KnownTag::WhiteTitle,
    KnownTag::BlackTitle,
    KnownTag::WhiteElo,
    KnownTag::BlackElo,
    KnownTag::Board,
    KnownTag::EventDate,
    KnownTag::UtcTime,
    KnownTag::UtcDate,
    KnownTag::TimeControl,
    KnownTag::WhiteFideId,
    KnownTag::BlackFideId,
    KnownTag::GameId,
    KnownTag::Link,
];

/// How complete a value is; 0 if it says nothing.
fn completeness(tag: KnownTag, value: &str) -> usize {
    match tag {
        KnownTag::Date | KnownTag::UtcDate | KnownTag::EventDate => usize::from(GameDate::new(value).parts()),
        // Numbers of three digits are those of games in a book, not of rounds.
        KnownTag::Round if has_long_number(value) => 0,
        KnownTag::Round => round_parts(value),
        KnownTag::White | KnownTag::Black => letters(value),
        KnownTag::Result => usize::from(matches!(value, "1-0" | "0-1" | "1/2-1/2")),
        KnownTag::WhiteElo | KnownTag::BlackElo => rating(value),
        KnownTag::WhiteFideId | KnownTag::BlackFideId => usize::from(value.bytes().any(|byte| matches!(byte, b'1'..=b'9'))),
        KnownTag::Event | KnownTag::Site => usize::from(is_title(value)),
        _ => usize::from(!matches!(value.trim(), "" | "?" | "-" | "*")),
    }
}

/// Whether an event or a site has a word, and no number but a year. Others have the number of a
/// round, an abbreviation, or the name of an annotator with an initial.
fn is_title(value: &str) -> bool {
    let is_year = |number: &str| number.len() == 4 && matches!(&number[..2], "15" | "16" | "17" | "18" | "19" | "20");
    let mut numbers = value.split(|letter: char| !letter.is_ascii_digit()).filter(|number| !number.is_empty());
    if !numbers.all(is_year) {
        return false;
    }
    let is_long = |word: &str| word.chars().count() > 3 || !word.is_ascii();
    value.split(|letter: char| !letter.is_alphabetic()).any(is_long)
        && value.rsplit_once(',').is_none_or(|(_, last)| last.trim().len() > 1)
}

/// Whether a more complete value says the same as the one that is there.
fn fits(tag: KnownTag, own: &str, value: &str) -> bool {
    match tag {
        KnownTag::Date | KnownTag::UtcDate | KnownTag::EventDate => GameDate::new(own).is_compatible(GameDate::new(value)),
        KnownTag::Round => Round::new(own).zip(Round::new(value)).is_none_or(|(own, value)| !own.contradicts(value)),
        KnownTag::White | KnownTag::Black => {
            !has_addition(value) && (PlayerName::remembered(own).is_unknown() || is_same_name(own, value))
        }
        KnownTag::Event | KnownTag::Site => own.is_empty(),
        _ => true,
    }
}

/// Whether a longer name has all words of a shorter one, or words that begin with them, and does
/// not lose its comma.
fn is_same_name(short: &str, long: &str) -> bool {
    let (name, other) = (PlayerName::remembered(short), PlayerName::remembered(long));
    let [words, others] = [short, long].map(PlayerName::folded);
    let is_there = |word: &str| others.split(' ').any(|other| other.starts_with(word));
    name.is_compatible(&other)
        && !name.has_same_words(&other)
        && words.split(' ').all(is_there)
        && (long.contains(',') || !short.contains(','))
}

fn round_parts(value: &str) -> usize {
    Round::new(value).map_or(0, Round::count)
}

fn has_long_number(value: &str) -> bool {
    value.split(|letter: char| !letter.is_ascii_digit()).any(|number| number.len() > 2)
}

/// Number of letters of a name that is known.
fn letters(value: &str) -> usize {
    let name = PlayerName::remembered(value);
    if name.is_unknown() { 0 } else { usize::from(name.letters()) }
}

/// 1 for a rating.
fn rating(value: &str) -> usize {
    usize::from(value.trim().parse::<u32>().is_ok_and(|rating| rating > 0))
}

/// Ids of the game and of its players.
fn count_ids(card: &GameCard<'_>) -> usize {
    let players = [KnownTag::WhiteFideId, KnownTag::BlackFideId].map(|tag| completeness(tag, card.tag(tag)));
    GameIds::of(card).as_slice().len() + players.iter().sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{GamePlace, GameTraits, Ply};

    fn card(tags: &[(KnownTag, &'static str)]) -> GameCard<'static> {
        GameCard { tags: tags.to_vec(), ..GameCard::default() }
    }

    fn named(input: u64) -> (usize, &'static str) {
        [(1, "b.pgn"), (1, "a.pgn"), (0, "z.pgn")][input as usize]
    }

    #[test]
    fn copies_are_ordered_by_the_first_reason() {
        use KnownTag::{Date, Link, Result, Round, White, WhiteElo};
        let place =
            |input, byte| GameCard { place: GamePlace { input, byte, end: byte, line: 1, game: 1 }, ..GameCard::default() };
        let traits = |errors, is_annotated| GameCard {
            traits: GameTraits { errors, is_annotated, ..GameTraits::default() },
            ..GameCard::default()
        };
        let plies = GameCard { plies: vec![Ply::numbered(1)].into(), ..GameCard::default() };
        let steps = [
            (KeepReason::FewerErrors, traits(0, false), traits(1, true)),
            (
                KeepReason::Result,
                card(&[(Result, "1-0")]),
                GameCard { plies: vec![Ply::numbered(1)].into(), ..card(&[(Result, "*")]) },
            ),
            (KeepReason::MorePlies, plies, traits(0, true)),
            (KeepReason::Annotated, traits(0, true), card(&[(Date, "2001.05.03")])),
            (KeepReason::FullerDate, card(&[(Date, "2001.05.03")]), card(&[(Date, "2001.??.??"), (Round, "5")])),
            (KeepReason::FullerRound, card(&[(Round, "5.2")]), card(&[(Round, "5"), (Link, "https://lichess.org/abcdEFG1")])),
            (KeepReason::MoreIds, card(&[(Link, "https://lichess.org/abcdEFG1")]), card(&[(WhiteElo, "2500")])),
            (KeepReason::MoreRatings, card(&[(WhiteElo, "2500")]), card(&[(White, "Kasparov, Garry")])),
            (KeepReason::FullerNames, card(&[(White, "Kasparov, Garry")]), card(&[(White, "Kasparov, G")])),
            (KeepReason::InputOrder, place(2, 9), place(1, 0)),
            (KeepReason::InputName, place(1, 9), place(0, 0)),
            (KeepReason::Place, place(0, 0), place(0, 9)),
        ];
        for (reason, better, worse) in steps {
            assert_eq!(compare_copies(&better, &worse, named), (Ordering::Less, reason));
            assert_eq!(compare_copies(&worse, &better, named), (Ordering::Greater, reason));
            assert_eq!(compare_copies(&better, &better, named).0, Ordering::Equal);
        }
    }

    #[test]
    fn tags_of_other_copies_complete_those_of_the_kept_one() {
        use KnownTag::{Black, Date, Event, Result, Round, Site, White, WhiteElo};
        let kept = card(&[
            (White, "Kasparov, G"),
            (Black, "NN"),
            (Date, "1993.??.??"),
            (Round, "5"),
            (Event, "Linares"),
            (WhiteElo, "0"),
        ]);
        let first = card(&[
            (White, "Kasparov, Garry"),
            (Black, "Karpov, A"),
            (Date, "1993.03.09"),
            (Round, "5.2"),
            (Event, "Linares 1993"),
            (WhiteElo, "2805"),
            (Site, "Linares"),
            (Result, "1-0"),
        ]);
        let second = card(&[(White, "Karpov, Anatoly"), (Black, "Karpov, A"), (Round, "6.21"), (Site, "Madrid"), (Result, "*")]);
        assert_eq!(
            better_tags(&kept, &[&first, &second]),
            [
                (Date, "1993.03.09", 0),
                (Round, "5.2", 0),
                (White, "Kasparov, Garry", 0),
                (Black, "Karpov, A", 0),
                (Result, "1-0", 0),
                (WhiteElo, "2805", 0),
            ]
        );
        // The places of two copies differ, so neither is better.
        assert!(better_tags(&card(&[]), &[&first, &second]).iter().all(|(tag, ..)| *tag != Site));
        assert_eq!(better_tags(&first, &[&kept]), []);
    }

    #[test]
    fn only_rounds_of_two_digits_are_better() {
        use KnownTag::Round;
        for (own, other, expected) in
            [("?", "14", true), ("?", "7680", false), ("12", "12.1", true), ("12", "12.104", false), ("165", "14", false)]
        {
            let (kept, copy) = (card(&[(Round, own)]), card(&[(Round, other)]));
            assert_eq!(!better_tags(&kept, &[&copy]).is_empty(), expected, "{own} / {other}");
        }
    }

    #[test]
    fn only_events_with_a_word_are_better() {
        use KnownTag::Event;
        let is_better = |own, other| {
            let (kept, copy) = (card(&[(Event, own)]), card(&[(Event, other)]));
            !better_tags(&kept, &[&copy]).is_empty()
        };
        for (other, expected) in [
            ("Linares", true),
            ("It (open), IX", true),
            ("Кубок", true),
            ("12", false),
            ("It (cat.17)", false),
            ("Ulibin,M; Volovik,D", false),
        ] {
            assert_eq!(is_better("", other), expected, "{other}");
            assert!(!is_better("It", other), "{other}");
        }
    }

    #[test]
    fn only_names_with_more_of_a_first_name_are_better() {
        use KnownTag::White;
        for (own, other, is_better) in [
            ("Müller, K", "Mueller, Karsten", true),
            ("Karpov", "Karpov, Anatoly", true),
            ("Müller, Karsten", "Mueller, Karsten", false),
            ("Fischer, Bobby", "Fischer, Robert James", false),
            ("Karpov, A", "Anatoly Karpov", false),
        ] {
            let (kept, copy) = (card(&[(White, own)]), card(&[(White, other)]));
            assert_eq!(!better_tags(&kept, &[&copy]).is_empty(), is_better, "{own} / {other}");
        }
    }
}
