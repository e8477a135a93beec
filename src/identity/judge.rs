//! Whether two games are the same.
//!
//! Thresholds in plies come from pairs of master games that were judged by eye. Two players repeat
//! a short draw or a line of theory, but nobody repeats a decisive game.

use std::sync::Arc;

use serde::{
    Deserialize,
    de::{IntoDeserializer, value::U32Deserializer},
};
use shakmaty::{KnownOutcome, Outcome};

use super::{
    GameCard, GameDate, GameIds, GameTraits, MAX_DISTANCE, PlayerName, Ply, Round, SameNames, Sketch, Speed, common_beginning,
    distance, has_same_plies, may_be_near,
};
use crate::pgn::{KnownTag, result_of_tag};

/// Minimum number of plies of a game that is there twice.
pub(super) const MIN_SAME: usize = 10;

/// Minimum number of plies of a beginning, and of a short draw that is there twice.
const MIN_BEGINNING: usize = 20;

/// Minimum number of plies of a beginning that may be one.
const MIN_SHORT_BEGINNING: usize = 8;

/// Minimum number of plies of a version.
const MIN_VERSION: usize = 24;

/// Minimum number of plies that different players do not play by chance.
const MIN_MOVES: usize = 24;

/// Up to here, the same players repeat draws.
const SHORT_DRAW: usize = 24;

/// Up to here, games can be theory.
const THEORY: usize = 40;

/// Nobody plays as many plies twice.
const UNIQUE: usize = 60;

/// Number of equal plies with which dates may be a year apart.
const YEAR_APART: usize = 30;

/// Minimum number of equal plies that say something of the names of the players.
const MIN_EVIDENCE: usize = 30;

/// Plies that agree after a difference, so that it is a slip.
const CONFIRMING: usize = 4;

/// Differences of ratings of one player up to this number are those of lists. Of 512 players with
/// several ratings in one year of two collections of master games, 499 are within it.
const MAX_RATING_CHANGE: u32 = 100;

/// The lowest bit of the kind of a pair in a number, see [`Judgement::number`].
pub(super) const KIND: u32 = 60;

/// The bit of such a number if it is that of a judgement.
const IS_JUDGED: u64 = 1 << 59;

/// How two games are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub enum Relation {
    /// The same game twice.
    SameGame,
    /// The same game twice, but headers contradict each other.
    SameGameContradicts,
    /// The same moves with other players.
    WrongHeader,
    /// One is the beginning of the other.
    Beginning,
    /// Two versions of one game.
    Version,
    /// The same id, but different games.
    SameId,
    /// Two games of the same players in one event, round and on one date.
    TwoGamesOneSlot,
}

/// Why a relation is only possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub enum Doubt {
    /// Engines repeat games.
    Engines,
    /// Neither game has a round or a date.
    Undated,
    /// A player is unknown, or both have the same name.
    Unnamed,
    /// Players repeat short draws.
    ShortDraw,
    /// There are few plies.
    Short,
    /// More than two plies differ.
    Far,
    /// The last plies of the shorter game differ, so that it may be another one with the same
    /// opening.
    Deviation,
    /// Rounds, dates, colours, speeds or ids differ.
    OtherOccasion,
}

impl Doubt {
    /// A sentence about it, without a period.
    pub const fn as_str(self) -> &'static str {
        match self {
            Doubt::Engines => "engines repeat games, so these may be two games",
            Doubt::Undated => "neither game has a round or a date",
            Doubt::Unnamed => "a player is not named",
            Doubt::ShortDraw => "drawn games are repeated, so these may be two games",
            Doubt::Short => "the game is short, so this may be chance",
            Doubt::Far => "more than two plies differ",
            Doubt::Deviation => "nothing agrees after the first difference",
            Doubt::OtherOccasion => "the headers name two occasions, so these may be two games",
        }
    }
}

/// What can contradict between two copies of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The result.
    Result,
    /// Who played White.
    Colours,
    /// The name of White: that of another player, although it is compatible.
    White,
    /// The name of Black, in the same sense.
    Black,
    /// The year.
    Year,
    /// The month or the day.
    Date,
    /// The round.
    Round,
    /// How fast the game was played.
    Speed,
    /// The id on one server, or the time of the start.
    Id,
    /// The rating of White.
    WhiteRating,
    /// The rating of Black.
    BlackRating,
}

impl Field {
    /// All fields.
    pub const ALL: [Field; 11] = [
        Field::Result,
        Field::Colours,
        Field::White,
        Field::Black,
        Field::Year,
        Field::Date,
        Field::Round,
        Field::Speed,
        Field::Id,
        Field::WhiteRating,
        Field::BlackRating,
    ];

    /// The word in messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Field::Result => "result",
            Field::Colours => "player of White",
            Field::White => "name of White",
            Field::Black => "name of Black",
            Field::Year => "year",
            Field::Date => "date",
            Field::Round => "round",
            Field::Speed => "time control",
            Field::Id => "id",
            Field::WhiteRating => "rating of White",
            Field::BlackRating => "rating of Black",
        }
    }

    /// The values of two games that contradict in it. Of colours, they are the names of White.
    fn values<'a>(self, one: &GameCard<'a>, other: &GameCard<'a>, is_swapped: bool) -> [&'a str; 2] {
        let both = |tag| [one.tag(tag), other.tag(tag)];
        match self {
            Field::Result => both(KnownTag::Result),
            // Of games with exchanged colours, the names of one player are compared.
            Field::White if is_swapped => [one.tag(KnownTag::White), other.tag(KnownTag::Black)],
            Field::Black if is_swapped => [one.tag(KnownTag::Black), other.tag(KnownTag::White)],
            Field::Colours | Field::White => both(KnownTag::White),
            Field::Black => both(KnownTag::Black),
            Field::Year | Field::Date => [one, other].map(date_text),
            Field::Round => both(KnownTag::Round),
            Field::Speed => [one, other].map(|card| Speed::of(card).map_or("", |(_, text)| text)),
            Field::Id => {
                let ids = [one, other].map(GameIds::of);
                if ids[0].differ(&ids[1]) { ids.each_ref().map(id_text) } else { both(KnownTag::UtcTime) }
            }
            Field::WhiteRating => both(KnownTag::WhiteElo),
            Field::BlackRating => both(KnownTag::BlackElo),
        }
    }

    /// Whether it says that the games were played on two occasions.
    const fn is_occasion(self) -> bool {
        !matches!(self, Field::Result | Field::White | Field::Black | Field::WhiteRating | Field::BlackRating)
    }
}

/// Fields that contradict, as bits in the order of [`Field`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contradictions(u16);

impl Contradictions {
    fn of(contradicts: impl Fn(Field) -> bool) -> Contradictions {
        let fields = Field::ALL.into_iter().filter(|field| contradicts(*field));
        Contradictions(fields.fold(0, |bits, field| bits | 1 << field as u16))
    }

    /// Whether nothing contradicts.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The fields.
    pub fn fields(self) -> impl Iterator<Item = Field> {
        Field::ALL.into_iter().filter(move |field| self.contains(*field))
    }

    /// Whether this field contradicts.
    pub const fn contains(self, field: Field) -> bool {
        self.0 & 1 << field as u16 != 0
    }

    /// Each field, and its values in both games.
    pub fn values<'a>(self, one: &GameCard<'a>, other: &GameCard<'a>) -> impl Iterator<Item = (Field, [&'a str; 2])> {
        self.fields().map(move |field| (field, field.values(one, other, self.contains(Field::Colours))))
    }
}

/// What was found about two games. It is made once for a pair, kept with it as a number, and passed
/// on to all who report the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// How they are related.
    pub relation: Relation,
    /// Why that is not sure.
    pub doubt: Option<Doubt>,
    /// What contradicts.
    pub contradictions: Contradictions,
    /// For versions: the number of plies to insert, delete or replace, without what follows the end
    /// of the shorter game. `None` if there are more than [`MAX_DISTANCE`].
    pub distance: Option<usize>,
    /// Whether both end with the same position.
    pub has_same_end: bool,
}

impl Judgement {
    /// Whether the relation is likely; otherwise it may be a coincidence.
    pub fn is_likely(&self) -> bool {
        self.doubt.is_none() && self.relation != Relation::TwoGamesOneSlot
    }

    /// Whether the games are surely copies of one game, so that one of them can be removed.
    pub fn are_copies(&self) -> bool {
        let is_copy = match self.relation {
            Relation::SameGame | Relation::SameGameContradicts | Relation::Beginning | Relation::Version => true,
            Relation::WrongHeader | Relation::SameId | Relation::TwoGamesOneSlot => false,
        };
        is_copy && self.is_likely()
    }

    /// 0 for copies, and another number for each relation that does not make games copies.
    pub fn kind(&self) -> u64 {
        if self.are_copies() { 0 } else { 1 + self.relation as u64 }
    }

    /// A judgement in a number: from the highest bits on its kind, whether there is one, and what
    /// it says.
    pub fn number(judgement: Option<Judgement>) -> u64 {
        let Some(Judgement { relation, doubt, contradictions, distance, has_same_end }) = judgement else { return 0 };
        let [doubt, distance] = [doubt.map(|doubt| doubt as u64), distance.map(|distance| distance as u64)]
            .map(|number| number.map_or(0, |number| number + 1));
        let found = [relation as u64, doubt, distance, u64::from(has_same_end)];
        let found = found.into_iter().fold(u64::from(contradictions.0), |bits, number| bits << 8 | number);
        judgement.map_or(0, |judgement| judgement.kind()) << KIND | IS_JUDGED | found
    }

    /// The judgement of [`Judgement::number`].
    pub fn of_number(number: u64) -> Option<Judgement> {
        let [has_same_end, distance, doubt, relation, low, high, ..] = number.to_le_bytes();
        let before = |number: u8| number.checked_sub(1);
        let judgement = Judgement {
            relation: variant(relation)?,
            doubt: before(doubt).and_then(variant),
            contradictions: Contradictions(u16::from_le_bytes([low, high])),
            distance: before(distance).map(usize::from),
            has_same_end: has_same_end != 0,
        };
        (number & IS_JUDGED != 0).then_some(judgement)
    }
}

/// The variant of an enum with this discriminant.
fn variant<'de, T: Deserialize<'de>>(discriminant: u8) -> Option<T> {
    let discriminant: U32Deserializer<serde::de::value::Error> = u32::from(discriminant).into_deserializer();
    T::deserialize(discriminant).ok()
}

/// A game as it is compared: what its card says, read once.
#[derive(Clone, Debug)]
pub struct Subject<'c, 'a> {
    /// The card of the game.
    pub card: &'c GameCard<'a>,
    /// White.
    pub white: Arc<PlayerName>,
    /// Black.
    pub black: Arc<PlayerName>,
    /// The date.
    pub date: GameDate,
    round: Option<Round<'a>>,
    result: Option<KnownOutcome>,
    speed: Option<Speed>,
    ids: GameIds<'a>,
    /// Whether a player is an engine.
    pub has_engine: bool,
}

/// Whether a player of a game is an engine.
pub fn has_engine(card: &GameCard<'_>, [white, black]: [&PlayerName; 2]) -> bool {
    white.is_engine(card.tag(KnownTag::WhiteType), card.tag(KnownTag::WhiteTitle))
        || black.is_engine(card.tag(KnownTag::BlackType), card.tag(KnownTag::BlackTitle))
        || Speed::is_of_engines(card.tag(KnownTag::TimeControl))
}

impl<'c, 'a> Subject<'c, 'a> {
    /// Reads what a card says.
    pub fn new(card: &'c GameCard<'a>) -> Subject<'c, 'a> {
        let [white, black] = [KnownTag::White, KnownTag::Black].map(|tag| PlayerName::remembered(card.tag(tag)));
        let has_engine = has_engine(card, [&white, &black]);
        Subject {
            card,
            white,
            black,
            date: GameDate::of(card),
            round: Round::new(card.tag(KnownTag::Round)),
            result: real_result(card),
            speed: Speed::of(card).map(|(speed, _)| speed),
            ids: GameIds::of(card),
            has_engine,
        }
    }

    /// Whether players and dates allow that this game is a version of the other one, or in the same
    /// place of an event.
    pub fn may_be_related_to(&self, other: &Subject<'_, '_>, names: &SameNames) -> bool {
        self.has_date_near(other) && names.may_be(&self.white, &other.white) && names.may_be(&self.black, &other.black)
    }

    /// Whether the dates are compatible, or a year apart.
    fn has_date_near(&self, other: &Subject<'_, '_>) -> bool {
        self.date.is_compatible(other.date) || self.date.is_one_year_apart(other.date)
    }

    /// For games with equal moves: two spellings of the name of one player, each after that of the
    /// opponent, who is the same. Fewer plies, or games of engines, are no evidence.
    pub fn spellings<'s>(&'s self, other: &'s Subject<'_, '_>) -> impl Iterator<Item = [[&'s PlayerName; 2]; 2]> {
        let are_evidence =
            self.card.plies.len() >= MIN_EVIDENCE && !self.has_engine && !other.has_engine && self.has_date_near(other);
        let (white, black): ([&PlayerName; 2], [&PlayerName; 2]) = ([&self.white, &other.white], [&self.black, &other.black]);
        let is_spelling = move |[[opponent, other_opponent], [one, other]]: &[[&PlayerName; 2]; 2]| {
            are_evidence
                && one.group() != other.group()
                && (opponent.may_be(other_opponent) && !opponent.differs(other_opponent))
                && one.may_be_spelling_of(other)
        };
        [[white, black], [black, white]].into_iter().filter(is_spelling)
    }

    /// Whether one of the players has a compatible name in the other game, and the other one has
    /// not, so that they may be copies under two names of one player.
    pub fn has_one_player_of(&self, other: &Subject<'_, '_>) -> bool {
        self.has_date_near(other) && self.white.may_be(&other.white) != self.black.may_be(&other.black)
    }

    /// Whether both games name the same event and the same day.
    pub fn has_same_occasion(&self, other: &Subject<'_, '_>) -> bool {
        let [event, other_event] = [self, other].map(|game| game.card.tag(KnownTag::Event).trim());
        !event.is_empty() && event.eq_ignore_ascii_case(other_event) && self.date.parts() == 3 && self.date == other.date
    }

    /// Whether the names do not tell which game it is: both are equal or unknown.
    fn is_unnamed(&self) -> bool {
        self.white.has_same_words(&self.black) || self.white.is_unknown() && self.black.is_unknown()
    }

    fn is_exhibition(&self) -> bool {
        let words = ["simul", "exhibition", "blindfold", "display"];
        [KnownTag::Event, KnownTag::Site].iter().any(|tag| {
            let text = self.card.tag(*tag).to_ascii_lowercase();
            words.iter().any(|word| text.contains(word))
        })
    }

    /// Whether it does not begin with the starting position.
    fn is_set_up(&self) -> bool {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let fen = self.card.tag(KnownTag::Fen);
        !fen.is_empty() && !fen.starts_with(START)
    }
}

/// The result of a game, if it has one.
pub(super) fn real_result(card: &GameCard<'_>) -> Option<KnownOutcome> {
    match result_of_tag(card.tag(KnownTag::Result).as_bytes())?.outcome()? {
        Outcome::Known(outcome) => Some(outcome),
        Outcome::Unknown => None,
    }
}

/// How the players of two games are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Players {
    /// Both are compatible.
    Same,
    /// Both are compatible, but with the other colour.
    Swapped,
    /// One is compatible, and the other is not known in one of the games.
    HalfNamed,
    /// Names are missing, or White and Black have the same one.
    Unnamed,
    /// One is compatible, and the other is not.
    HalfSame,
    /// None is compatible.
    Different,
}

impl Players {
    fn of(one: &Subject<'_, '_>, other: &Subject<'_, '_>, names: &SameNames) -> Players {
        let are_same = |one: &PlayerName, other: &PlayerName| names.may_be(one, other);
        if one.is_unnamed() || other.is_unnamed() {
            return Players::Unnamed;
        }
        let pairs = [(&one.white, &other.white), (&one.black, &other.black)];
        let same = pairs.iter().filter(|(one, other)| are_same(one, other)).count();
        let unknown = pairs.iter().filter(|(one, other)| one.is_unknown() || other.is_unknown()).count();
        match (same, unknown) {
            (2, _) => Players::Same,
            (1, 1) => Players::HalfNamed,
            (0, 2) => Players::Unnamed,
            _ if are_same(&one.white, &other.black) && are_same(&one.black, &other.white) => Players::Swapped,
            (1, _) => Players::HalfSame,
            _ => Players::Different,
        }
    }
}

/// How many plies may differ between two versions, of which the shorter one has `plies`.
fn version_bound(plies: usize) -> usize {
    if plies < MIN_VERSION { 0 } else { (plies / 12).clamp(2, MAX_DISTANCE) }
}

/// Whether the moves allow that one game is the beginning of the other, or a version of it. Equal
/// last positions are not looked at.
pub fn may_be_versions(one: (&[Ply], Sketch), other: (&[Ply], Sketch)) -> bool {
    let ((plies, _), (other_plies, _)) = (one, other);
    let short = plies.len().min(other_plies.len());
    let bound = version_bound(short);
    may_be_near(one, other, bound)
        && (common_beginning(plies, other_plies) == short || distance(plies, other_plies, bound).is_some())
}

/// What two games are; `None` if they are not related, or if it would be no surprise. `names` may
/// be spellings of one player.
pub fn judge_subjects(one: &Subject<'_, '_>, other: &Subject<'_, '_>, names: &SameNames) -> Option<Judgement> {
    let pair = Pair::new(one, other, names);
    let has_same_start = one.card.keys.start == other.card.keys.start;
    let is_equal = has_same_start && pair.common == pair.short && pair.short == pair.long;
    let found = match () {
        () if is_equal => pair.equal_moves(),
        () if !has_same_start || pair.is_excluded() => None,
        () if pair.common == pair.short => pair.beginning(),
        () => pair.version(),
    };
    found
        .or_else(|| pair.by_header(!has_same_start || pair.common < pair.short))
        .or_else(|| is_equal.then(|| pair.by_content())?)
}

/// Two games, and what they have in common.
struct Pair<'p, 'c, 'a> {
    one: &'p Subject<'c, 'a>,
    other: &'p Subject<'c, 'a>,
    names: &'p SameNames,
    players: Players,
    /// Whether an id or the time of the start agrees.
    has_same_id: bool,
    /// Plies of the shorter and the longer game, and those at the start that are equal.
    short: usize,
    long: usize,
    common: usize,
}

impl<'p, 'c, 'a> Pair<'p, 'c, 'a> {
    fn new(one: &'p Subject<'c, 'a>, other: &'p Subject<'c, 'a>, names: &'p SameNames) -> Pair<'p, 'c, 'a> {
        let (plies, other_plies) = (&one.card.plies, &other.card.plies);
        let players = Players::of(one, other, names);
        // All boards of a round begin at the same time, but a player has one game at a time.
        let is_same_time = players == Players::Same && began_together(one.card, other.card) == Some(true);
        Pair {
            one,
            other,
            names,
            players,
            has_same_id: one.ids.same(&other.ids).is_some() || is_same_time && !one.ids.differ(&other.ids),
            short: plies.len().min(other_plies.len()),
            long: plies.len().max(other_plies.len()),
            common: common_beginning(plies, other_plies),
        }
    }

    /// Whether the headers contradict in a field. Dates are compared by their known parts.
    fn contradicts(&self, field: Field) -> bool {
        let (one, other, is_swapped) = (self.one, self.other, self.players == Players::Swapped);
        match field {
            Field::Result => one.result.zip(other.result).is_some_and(|(one, other)| one != other),
            Field::Colours => is_swapped,
            Field::White | Field::Black => {
                let is_white = field == Field::White;
                let name = if is_white { &one.white } else { &one.black };
                let other_name = if is_white != is_swapped { &other.white } else { &other.black };
                matches!(self.players, Players::Same | Players::Swapped) && self.names.differ(name, other_name)
            }
            Field::Year | Field::Date => {
                let is_field = (one.date.year != other.date.year) == (field == Field::Year);
                is_field && !one.date.is_compatible(other.date)
            }
            Field::Round => one.round.zip(other.round).is_some_and(|(one, other)| one.contradicts(other)),
            // The same id makes other evidence needless.
            Field::Speed | Field::Id if self.has_same_id => false,
            Field::Speed => one.speed.zip(other.speed).is_some_and(|(one, other)| one != other),
            Field::Id => one.ids.differ(&other.ids) || began_together(one.card, other.card) == Some(false),
            Field::WhiteRating | Field::BlackRating => {
                let [rating, other_rating] = field.values(one.card, other.card, is_swapped);
                !is_swapped && do_ratings_contradict(rating, other_rating)
            }
        }
    }

    /// Whether a name is that of another player.
    fn has_other_player(&self) -> bool {
        self.contradicts(Field::White) || self.contradicts(Field::Black)
    }

    /// Whether a field says that the games were played on two occasions.
    fn names_two_occasions(&self) -> bool {
        Field::ALL.into_iter().any(|field| field.is_occasion() && self.contradicts(field))
    }

    /// Whether dates are compatible if `plies` agree.
    fn are_dates_compatible(&self, plies: usize) -> bool {
        let (one, other) = (self.one.date, self.other.date);
        one.is_compatible(other) || plies >= YEAR_APART && one.is_one_year_apart(other)
    }

    fn has_engine(&self) -> bool {
        self.one.has_engine || self.other.has_engine
    }

    /// Whether two games of the same players with the same moves are two: engines play an opening
    /// with both colours, and each game begins at a time of its own.
    fn are_two_games(&self) -> bool {
        let is_mirrored = self.players == Players::Swapped && self.has_engine();
        !self.has_same_id && (is_mirrored || began_together(self.one.card, self.other.card) == Some(false))
    }

    /// Whether neither game has a round or a date.
    fn is_undated(&self) -> bool {
        [self.one, self.other].iter().all(|game| !game.date.is_known() && game.round.is_none())
    }

    /// Whether a game was won in one of the copies.
    fn is_decisive(&self) -> bool {
        [self.one, self.other].iter().any(|game| matches!(game.result, Some(KnownOutcome::Decisive { .. })))
    }

    /// Whether the headers name the same occasion: the round, or the day.
    fn has_same_slot(&self) -> bool {
        let is_same_round = self.one.round.is_some() && self.other.round.is_some() && !self.contradicts(Field::Round);
        let is_same_day = self.one.date.parts() == 3 && self.one.date == self.other.date;
        self.has_same_id || (is_same_round || is_same_day) && self.one.date.is_compatible(self.other.date)
    }

    /// All fields that contradict.
    fn contradictions(&self) -> Contradictions {
        Contradictions::of(|field| self.contradicts(field))
    }

    fn judgement(&self, relation: Relation, doubt: Option<Doubt>) -> Judgement {
        self.judgement_with(self.contradictions(), relation, doubt)
    }

    fn judgement_with(&self, contradictions: Contradictions, relation: Relation, doubt: Option<Doubt>) -> Judgement {
        let is_version = relation == Relation::Version;
        Judgement {
            relation,
            doubt,
            contradictions,
            distance: is_version.then(|| distance(&self.one.card.plies, &self.other.card.plies, MAX_DISTANCE)).flatten(),
            has_same_end: self.one.card.keys.end == self.other.card.keys.end,
        }
    }

    /// The judgement of two games with the same moves and players: whether headers contradict.
    fn same_game(&self, contradictions: Contradictions, doubt: Option<Doubt>) -> Judgement {
        let relation = if contradictions.is_empty() { Relation::SameGame } else { Relation::SameGameContradicts };
        self.judgement_with(contradictions, relation, doubt)
    }

    /// Both games have the same moves.
    fn equal_moves(&self) -> Option<Judgement> {
        let plies = self.short;
        let is_unique = plies >= UNIQUE || plies >= THEORY && self.is_decisive();
        match self.players {
            Players::Same | Players::Swapped if self.are_two_games() => None,
            Players::Same | Players::Swapped => {
                let is_same_year = self.are_dates_compatible(plies);
                let contradictions =
                    Contradictions::of(|field| !(field == Field::Year && is_same_year) && self.contradicts(field));
                Some(self.same_game(contradictions, self.doubt_of_equal_moves(contradictions)?))
            }
            Players::HalfNamed | Players::Unnamed => {
                let is_other_occasion = self.names_two_occasions();
                let is_half = self.players == Players::HalfNamed;
                let doubt = match () {
                    () if self.has_same_id => None,
                    () if is_unique && self.has_engine() => Some(Doubt::Engines),
                    () if is_unique && is_half && !is_other_occasion => None,
                    () if is_unique || is_half && plies >= MIN_MOVES && !is_other_occasion => Some(Doubt::Unnamed),
                    () => return None,
                };
                Some(self.same_game(self.contradictions(), doubt))
            }
            Players::HalfSame | Players::Different => {
                Some(self.judgement(Relation::WrongHeader, self.doubt_of_other_players(is_unique)?))
            }
        }
    }

    /// Why it may be a coincidence that games of other players have the same moves, if it may be.
    /// `None` if the games are two.
    fn doubt_of_other_players(&self, is_unique: bool) -> Option<Option<Doubt>> {
        let is_half = self.players == Players::HalfSame;
        let is_display = is_half && (self.one.is_exhibition() || self.other.is_exhibition());
        let is_set_up = self.one.is_set_up() || self.other.is_set_up();
        let (is_long, is_very_long) = (self.short >= MIN_MOVES, self.short >= UNIQUE);
        match () {
            () if self.has_same_id && is_long => Some(None),
            () if is_display => None,
            () if is_very_long && self.has_engine() => Some(Some(Doubt::Engines)),
            () if self.has_engine() || is_set_up && !is_very_long => None,
            () if is_unique => Some(None),
            () => is_long.then_some(Some(Doubt::Short)),
        }
    }

    /// The doubt about equal moves of the same players; `None` if they are not accused.
    fn doubt_of_equal_moves(&self, contradictions: Contradictions) -> Option<Option<Doubt>> {
        let plies = self.short;
        let is_drawn = !self.is_decisive();
        if self.has_same_id {
            return Some(None);
        }
        if contradictions.fields().any(Field::is_occasion) {
            let is_sure = (plies >= UNIQUE || !is_drawn) && !self.contradicts(Field::Id) && !self.has_engine();
            let doubt = if self.has_engine() { Doubt::Engines } else { Doubt::OtherOccasion };
            return (plies >= MIN_BEGINNING).then_some((!is_sure).then_some(doubt));
        }
        if plies < MIN_SAME {
            return None;
        }
        let is_short_draw = is_drawn && plies < SHORT_DRAW && !self.has_same_slot();
        match () {
            () if is_short_draw && plies < MIN_BEGINNING => None,
            () if self.has_engine() => Some(Some(Doubt::Engines)),
            () if self.is_undated() => Some(Some(Doubt::Undated)),
            () if is_short_draw => Some(Some(Doubt::ShortDraw)),
            () => Some(None),
        }
    }

    /// Whether players, speed or ids exclude that these are copies of one game.
    fn is_excluded(&self) -> bool {
        self.players != Players::Same || !self.has_same_id && (self.contradicts(Field::Speed) || self.contradicts(Field::Id))
    }

    /// One game is the beginning of the other.
    fn beginning(&self) -> Option<Judgement> {
        let plies = self.short;
        if !self.has_same_id && !self.are_dates_compatible(plies) {
            return None;
        }
        let is_theory = plies < THEORY && !self.has_same_slot();
        let shorter = if self.one.card.plies.len() < self.other.card.plies.len() { self.one } else { self.other };
        let is_draw = shorter.result == Some(KnownOutcome::Draw);
        let doubt = match () {
            () if self.has_same_id => None,
            () if plies < MIN_SHORT_BEGINNING => return None,
            // An opening that was played twice.
            () if is_theory && (self.contradicts(Field::Result) || self.has_other_player()) => return None,
            () if self.contradicts(Field::Round) && plies < UNIQUE => return None,
            () if plies < MIN_BEGINNING && (is_theory && is_draw || self.has_engine() || self.is_undated()) => return None,
            () if self.has_engine() => Some(Doubt::Engines),
            () if self.is_undated() => Some(Doubt::Undated),
            () if self.contradicts(Field::Round) => Some(Doubt::OtherOccasion),
            () if is_theory && is_draw && plies < SHORT_DRAW => Some(Doubt::ShortDraw),
            () if plies < MIN_BEGINNING => Some(Doubt::Short),
            () => None,
        };
        Some(self.judgement(Relation::Beginning, doubt))
    }

    /// Two versions: the same end in another order, or few plies that differ.
    fn version(&self) -> Option<Judgement> {
        let (one, other) = (&self.one.card.plies, &self.other.card.plies);
        let difference = self.long - self.short;
        // Bare kings can end up on the same squares in any game.
        let has_same_end = self.one.card.keys.end == self.other.card.keys.end
            && difference <= MAX_DISTANCE
            && self.short >= MIN_BEGINNING
            && has_same_plies(one, other);
        let edits = distance(one, other, version_bound(self.short));
        if edits.is_none() && !has_same_end {
            return None;
        }
        let is_near = edits.is_some_and(|edits| edits <= 2);
        let equal_plies = edits.map_or(self.common, |edits| self.short.saturating_sub(edits));
        let is_other_occasion = self.contradicts(Field::Round) || !self.are_dates_compatible(equal_plies);
        // A difference after which nothing agrees may be no slip, but another game with the same
        // opening.
        let is_slip = has_same_end || edits.is_some_and(|edits| self.short >= self.common + edits + CONFIRMING);
        let is_deviation = !is_slip && self.common < YEAR_APART && !self.has_same_slot();
        let doubt = match () {
            () if self.has_same_id => None,
            () if is_other_occasion && !(is_near && self.short >= UNIQUE) => return None,
            () if is_deviation && (self.contradicts(Field::Result) || self.has_other_player()) => return None,
            () if !is_slip && self.has_engine() => return None,
            () if is_other_occasion => Some(Doubt::OtherOccasion),
            () if self.has_engine() => Some(Doubt::Engines),
            () if self.is_undated() => Some(Doubt::Undated),
            () if is_deviation => Some(Doubt::Deviation),
            () if !(is_near || has_same_end && difference <= 2) => Some(Doubt::Far),
            () if !self.is_decisive() && self.short < SHORT_DRAW && !self.has_same_slot() => Some(Doubt::ShortDraw),
            () => None,
        };
        Some(self.judgement(Relation::Version, doubt))
    }

    /// Equal moves say nothing, but everything else is equal, too: a game of few plies, or a line
    /// without players. In one input, players and an occasion have to be known.
    fn by_content(&self) -> Option<Judgement> {
        let (card, other_card) = (self.one.card, self.other.card);
        let (traits, other_traits) = (card.traits, other_card.traits);
        let has_same_digests = |of: fn(&GameTraits) -> u64| of(&traits) == of(&other_traits);
        let is_equal = card.tags == other_card.tags
            && has_same_digests(|traits| traits.other_tags)
            && has_same_digests(|traits| traits.white_tags)
            && has_same_digests(|traits| traits.black_tags)
            && has_same_digests(|traits| traits.remarks)
            && has_same_digests(|traits| traits.unread);
        let has_header = traits.other_tags != 0 || !self.one.white.is_unknown();
        let is_named = || self.players == Players::Same && self.has_same_slot() && !self.has_engine();
        let is_copy = is_equal && (has_header && card.place.input != other_card.place.input && !self.has_engine() || is_named());
        is_copy.then(|| self.judgement(Relation::SameGame, None))
    }

    /// The moves are not those of one game: the headers may still say that they are.
    fn by_header(&self, are_moves_different: bool) -> Option<Judgement> {
        if self.one.ids.same(&self.other.ids).is_some() {
            return Some(self.judgement(Relation::SameId, None));
        }
        let both = |tag| [self.one, self.other].map(|game| game.card.tag(tag));
        let ([event, other_event], [board, other_board]) = (both(KnownTag::Event), both(KnownTag::Board));
        let is_same_round = self.one.round.zip(self.other.round).is_some_and(|(one, other)| one.is_same(other));
        let is_fast = [self.one, self.other].iter().any(|game| game.speed.is_some_and(|speed| speed != Speed::Classical));
        let is_slot = are_moves_different
            && self.players == Players::Same
            && self.short >= MIN_SAME
            && !event.is_empty()
            && event.eq_ignore_ascii_case(other_event)
            && is_same_round
            && self.one.date.parts() == 3
            && self.one.date == self.other.date
            && (board.is_empty() || other_board.is_empty() || board == other_board)
            // Several games in one round are usual there.
            && !is_fast
            && !self.has_engine()
            && !self.one.is_exhibition()
            && !self.contradicts(Field::Id)
            && !self.has_other_player();
        is_slot.then(|| self.judgement(Relation::TwoGamesOneSlot, None))
    }
}

/// Whether two games began in the same second, if both say when.
fn began_together(one: &GameCard<'_>, other: &GameCard<'_>) -> Option<bool> {
    let [start, other_start] = [one, other].map(|card| card.tag(KnownTag::GameStartTime));
    // Several games may begin at once, so the same time says nothing.
    if start != other_start && !start.is_empty() && !other_start.is_empty() {
        return Some(false);
    }
    let [time, other_time] = [one, other].map(|card| card.tag(KnownTag::UtcTime));
    if time.is_empty() || other_time.is_empty() {
        return None;
    }
    let [day, other_day] = [one, other].map(day_of);
    (!day.is_empty() && !other_day.is_empty()).then_some(time == other_time && day == other_day)
}

/// The day on which a game began, as written; empty if it is not known.
fn day_of<'a>(card: &GameCard<'a>) -> &'a str {
    match (card.tag(KnownTag::UtcDate), card.tag(KnownTag::Date)) {
        ("", date) if GameDate::new(date).parts() == 3 => date,
        (utc, _) => utc,
    }
}

/// The date that [`GameDate::of`] reads.
fn date_text<'a>(card: &GameCard<'a>) -> &'a str {
    let tags = [KnownTag::Date, KnownTag::UtcDate, KnownTag::EventDate];
    tags.into_iter().map(|tag| card.tag(tag)).find(|text| GameDate::new(text).is_known()).unwrap_or_default()
}

/// What says which game it is on its server.
fn id_text<'a>(ids: &GameIds<'a>) -> &'a str {
    ids.as_slice().first().map_or("", |id| id.id)
}

/// Whether two ratings are not those of one player in one game. One digit may be a slip, and so may
/// two that are swapped.
fn do_ratings_contradict(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|text| text.trim().parse::<u32>().ok().filter(|rating| (100..4000).contains(rating)));
    let (Some(one), Some(other)) = (one, other) else { return false };
    one.abs_diff(other) > MAX_RATING_CHANGE && !is_slip(one, other)
}

/// Whether two numbers differ in one digit, or in the order of two neighbouring ones.
fn is_slip(one: u32, other: u32) -> bool {
    let digits = |number: u32| [1000, 100, 10, 1].map(|place| number / place % 10);
    let (one, other) = (digits(one), digits(other));
    let differing: Vec<usize> = (0..4).filter(|place| one[*place] != other[*place]).collect();
    match differing.as_slice() {
        [] | [_] => true,
        [first, second] => second - first == 1 && one[*first] == other[*second] && one[*second] == other[*first],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::*;
    use crate::identity::{GameKeys, Ply};

    /// A main line that repeats no ply.
    fn line(plies: u16) -> Vec<Ply> {
        (1..=plies).map(Ply::numbered).collect()
    }

    /// The same, with another ply at a place, from 1.
    fn slip(plies: u16, at: usize) -> Vec<Ply> {
        let mut line = line(plies);
        line[at - 1] = Ply::numbered(1000 + at as u16);
        line
    }

    /// The same, with the plies of a range in reverse order.
    fn reordered(plies: u16, range: std::ops::Range<usize>) -> Vec<Ply> {
        let mut line = line(plies);
        line[range].reverse();
        line
    }

    /// The beginning of a line, and other plies after it.
    fn deviating(common: u16, plies: u16) -> Vec<Ply> {
        (1..=common).chain(2000..2000 + plies - common).map(Ply::numbered).collect()
    }

    /// A card with `White, Black, Result, Date, Round` between bars, and other tags.
    fn card(header: &'static str, more: &[(KnownTag, &'static str)], plies: Vec<Ply>) -> GameCard<'static> {
        let names = [KnownTag::White, KnownTag::Black, KnownTag::Result, KnownTag::Date, KnownTag::Round];
        let mut tags: Vec<(KnownTag, &str)> = names.into_iter().zip(header.split('|')).collect();
        tags.extend(more);
        tags.retain(|(_, value)| !matches!(*value, "" | "?"));
        // Positions depend on the plies, not on their order.
        let mut played: Vec<u16> = plies.iter().map(|ply| ply.number()).collect();
        played.sort_unstable();
        let end: Vec<u8> = played.into_iter().flat_map(u16::to_le_bytes).collect();
        let keys = GameKeys { start: 1, opening: 0, end: xxh3_64(&end), moves: GameKeys::of_moves(1, &plies) };
        GameCard { keys, tags, plies: plies.into(), ..GameCard::default() }
    }

    fn judge(one: &GameCard<'_>, other: &GameCard<'_>) -> Option<Judgement> {
        judge_subjects(&Subject::new(one), &Subject::new(other), &SameNames::default())
    }

    /// The judgement of two games, which is the same in both orders, and as a number.
    fn judged(one: &GameCard<'_>, other: &GameCard<'_>) -> Option<Judgement> {
        let found = judge(one, other);
        assert_eq!(found, judge(other, one));
        assert_eq!(found, Judgement::of_number(Judgement::number(found)));
        found
    }

    /// A judgement in short: the relation, its doubt, and the fields that contradict.
    type Short = Option<(Relation, Option<Doubt>, Vec<Field>)>;

    fn short(judgement: Option<Judgement>) -> Short {
        judgement.map(|found| (found.relation, found.doubt, found.contradictions.fields().collect()))
    }

    fn sure(relation: Relation) -> Short {
        Some((relation, None, Vec::new()))
    }

    fn doubtful(relation: Relation, doubt: Doubt) -> Short {
        Some((relation, Some(doubt), Vec::new()))
    }

    const WON: &str = "Tal, M|Keres, P|1-0|1959.09.07|5";
    const WON_TOO: &str = "Tal Mikhail|Keres Paul|1-0|1959.??.??|?";
    const DRAWN: &str = "Tal, M|Keres, P|1/2-1/2|1959.??.??|?";
    const UNDATED: &str = "Tal, M|Keres, P|1-0|?|?";
    const OTHERS: &str = "Smyslov, V|Petrosian, T|1-0|1959.??.??|?";

    #[test]
    fn equal_moves_of_the_same_players_are_the_same_game() {
        use Doubt::{Engines, ShortDraw, Undated, Unnamed};
        use Relation::SameGame;
        for (plies, one, other, expected) in [
            (60, WON, WON_TOO, sure(SameGame)),
            (10, WON, WON_TOO, sure(SameGame)),
            (9, WON, WON_TOO, None),
            (80, UNDATED, UNDATED, doubtful(SameGame, Undated)),
            (80, UNDATED, WON_TOO, sure(SameGame)),
            (19, DRAWN, DRAWN, None),
            (20, DRAWN, DRAWN, doubtful(SameGame, ShortDraw)),
            (40, DRAWN, DRAWN, sure(SameGame)),
            (12, "Tal, M|Keres, P|1/2-1/2|1959.09.07|5", "Tal, M|Keres, P|1/2-1/2|1959.??.??|05", sure(SameGame)),
            (80, "Fritz 5|Hiarcs 6|1-0|1998.01.01|1", "Fritz 5|Hiarcs 6|1-0|1998.01.01|1", doubtful(SameGame, Engines)),
            // A year apart, if 30 plies agree.
            (30, "Tal, M|Keres, P|1-0|1959|?", "Tal, M|Keres, P|1-0|1960|?", sure(SameGame)),
            // An unknown player.
            (60, WON, "Tal, M|NN|1-0|1959|?", sure(SameGame)),
            (39, WON, "Tal, M|NN|1-0|1959|?", doubtful(SameGame, Unnamed)),
            (23, WON, "Tal, M|NN|1-0|1959|?", None),
            (60, WON, "?|?|1-0|?|?", doubtful(SameGame, Unnamed)),
            // Entries of opening books.
            (16, "Stockfish|Stockfish|1/2-1/2|2013.11.02|1", "Stockfish|Stockfish|1/2-1/2|2013.11.02|1", None),
            (16, "?|?|*|?|?", "?|?|*|?|?", None),
            // Swapped names.
            (60, "Ding, Liren|Tal, M|1-0|1959|1", "Liren, Ding|Tal, M|1-0|1959|1", sure(SameGame)),
        ] {
            let [first, second] = [one, other].map(|header| card(header, &[], line(plies)));
            assert_eq!(short(judged(&first, &second)), expected, "{plies} {one} {other}");
        }
    }

    #[test]
    fn headers_of_the_same_game_contradict() {
        use Doubt::{Engines, OtherOccasion};
        use Field::{BlackRating, Colours, Date, Result, Round, WhiteRating, Year};
        let contradicts = |doubt, fields: &[Field]| Some((Relation::SameGameContradicts, doubt, fields.to_vec()));
        for (plies, one, other, expected) in [
            (12, WON, "Tal, M|Keres, P|0-1|1959.09.07|5", contradicts(None, &[Result])),
            (60, WON, "Tal, M|Keres, P|*|1959.09.07|5", sure(Relation::SameGame)),
            (60, WON, "Tal, M|Keres, P|1/2-1/2|1961|6", contradicts(None, &[Result, Year, Round])),
            (24, WON, "Tal, M|Keres, P|1-0|1959.09.08|5", contradicts(None, &[Date])),
            (20, "Tal, M|Keres, P|1-0|1959|?", "Tal, M|Keres, P|1-0|1960|?", contradicts(None, &[Year])),
            (24, WON, "Keres, P|Tal, M|1-0|1959.09.07|5", contradicts(None, &[Colours])),
            // Short draws and lines of theory that were played twice.
            (19, WON, "Tal, M|Keres, P|1-0|1959.09.07|6", None),
            (58, DRAWN, "Tal, M|Keres, P|1/2-1/2|1962|?", contradicts(Some(OtherOccasion), &[Year])),
            (60, DRAWN, "Tal, M|Keres, P|1/2-1/2|1962|?", contradicts(None, &[Year])),
            (12, DRAWN, "Keres, P|Tal, M|1/2-1/2|1959|?", None),
            (90, "Fritz 5|Hiarcs 6|1-0|1998|1", "Fritz 5|Hiarcs 6|1-0|1998|3", contradicts(Some(Engines), &[Round])),
        ] {
            let [first, second] = [one, other].map(|header| card(header, &[], line(plies)));
            assert_eq!(short(judged(&first, &second)), expected, "{plies} {one} {other}");
        }
        for (one, other, field) in [
            ("2400", "2600", None),
            ("2460", "2640", None),
            ("2400", "2500", None),
            ("2400", "2512", Some(WhiteRating)),
            ("2400", "0", None),
            ("2177", "1691", Some(WhiteRating)),
        ] {
            let [first, second] = [one, other].map(|rating| card(WON, &[(KnownTag::WhiteElo, rating)], line(60)));
            let expected = field.map_or_else(|| sure(Relation::SameGame), |field| contradicts(None, &[field]));
            assert_eq!(short(judged(&first, &second)), expected, "{one} {other}");
        }
        let [first, second] = ["2200", "2755"].map(|rating| card(WON, &[(KnownTag::BlackElo, rating)], line(60)));
        let judgement = judged(&first, &second).expect("a judgement");
        let contradictions: Vec<_> = judgement.contradictions.values(&first, &second).collect();
        assert_eq!(contradictions, [(BlackRating, ["2200", "2755"])]);
    }

    #[test]
    fn ids_and_times_decide_whether_games_are_the_same() {
        use KnownTag::{Event, Site, TimeControl, UtcDate, UtcTime};
        let [site, other_site] = ["https://lichess.org/abcdEFG1", "https://lichess.org/abcdEFG2"].map(|site| (Site, site));
        let online = "tal_m|keres_p|1-0|2020.01.01|-";
        let same = |more: &[(KnownTag, &'static str)], other: &[(KnownTag, &'static str)], header, plies: u16| {
            short(judged(&card(header, more, line(plies)), &card(header, other, line(plies))))
        };
        // An id makes sure what would be doubted.
        assert_eq!(same(&[site], &[site], UNDATED, 9), sure(Relation::SameGame));
        let engines = "maia1|maia5|1-0|2020.01.01|-";
        assert_eq!(same(&[site], &[site], engines, 40), sure(Relation::SameGame));
        let [noon, evening] = ["12:00:00", "18:00:00"].map(|time| [(UtcDate, "2020.01.01"), (UtcTime, time)]);
        assert_eq!(same(&noon, &noon, online, 5), sure(Relation::SameGame));
        // Different ones prove two games.
        let twice = Some((Relation::SameGameContradicts, Some(Doubt::OtherOccasion), vec![Field::Id]));
        assert_eq!(same(&[site], &[other_site], online, 40), twice);
        assert_eq!(same(&noon, &evening, online, 40), None);
        let starts = ["12:00:00.000", "12:00:09.000"].map(|time| [(KnownTag::GameStartTime, time)]);
        assert_eq!(same(&starts[0], &starts[1], WON, 60), None);
        assert_eq!(same(&starts[0], &starts[0], WON, 60), sure(Relation::SameGame));
        // Engines play an opening with both colours.
        let [control, other_control] = ["8+0.08", "300+2"].map(|time| [(TimeControl, time)]);
        let mirrored = |control: &[(KnownTag, &'static str)]| {
            let [first, second] = ["Tuned|Initial|1-0|2023.11.25|3", "Initial|Tuned|1-0|2023.11.25|3"]
                .map(|header| card(header, control, line(64)));
            short(judged(&first, &second))
        };
        assert_eq!(mirrored(&control), None);
        assert_eq!(mirrored(&other_control), Some((Relation::SameGameContradicts, None, vec![Field::Colours])));
        // All boards of a round begin at the same time.
        let boards =
            ["tal_m|keres_p|1-0|2020.01.01|1", "alice_b|bob_c|1-0|2020.01.01|1"].map(|header| card(header, &noon, line(30)));
        assert_eq!(short(judged(&boards[0], &boards[1])), doubtful(Relation::WrongHeader, Doubt::Short));
        // Rapid and blitz of one pairing.
        let [slow, fast] = ["900+10", "180+2"].map(|time| (TimeControl, time));
        assert_eq!(same(&[slow], &[fast], DRAWN, 16), None);
        let (first, second) = (card(WON_TOO, &[slow], line(30)), card(WON_TOO, &[fast], line(50)));
        assert_eq!(judged(&first, &second), None);
        let [blitz, rapid] = ["Moscow blitz", "Moscow rapid"].map(|event| (Event, event));
        let (first, second) = (card(WON_TOO, &[blitz], slip(60, 30)), card(WON_TOO, &[rapid], line(60)));
        assert_eq!(judged(&first, &second), None);
        // One id for two games.
        let (first, second) = (card(WON, &[site], line(40)), card(OTHERS, &[site], deviating(4, 50)));
        assert_eq!(short(judged(&first, &second)), Some((Relation::SameId, None, Vec::new())));
        // A live feed that stopped at once.
        let (first, second) = (card(WON, &[site], line(0)), card(WON, &[site], line(50)));
        assert_eq!(short(judged(&first, &second)), sure(Relation::Beginning));
    }

    #[test]
    fn names_of_two_players_contradict() {
        let games = |one, other, plies| short(judged(&card(one, &[], line(plies)), &card(other, &[], line(plies))));
        let (lin, luo) = ("Lin Jun|Adianto, U|1/2-1/2|1992|6", "Luo Jun|Adianto, U|1/2-1/2|1992|6");
        assert_eq!(games(lin, luo, 30), Some((Relation::SameGameContradicts, None, vec![Field::White])));
        assert_eq!(games(lin, "L Jun|Adianto, U|1/2-1/2|1992|6", 30), sure(Relation::SameGame));
        // An opening that both played.
        let (first, second) = (card(lin, &[], line(30)), card("Luo Jun|Adianto, U|1/2-1/2|1992|7", &[], line(39)));
        assert_eq!(short(judged(&first, &second)), None);
    }

    #[test]
    fn short_games_are_copies_if_all_is_equal() {
        use KnownTag::Event;
        let of = |header, event, input, plies: u16| {
            let mut card = card(header, &[(Event, event)], line(plies));
            card.place.input = input;
            card.traits.other_tags = 7;
            card
        };
        let judged = |one: &GameCard<'_>, other: &GameCard<'_>| short(judge(one, other));
        let line = of("|||????|", "Sicilian", 0, 4);
        assert_eq!(judged(&line, &of("|||????|", "Sicilian", 1, 4)), sure(Relation::SameGame));
        assert_eq!(judged(&line, &of("|||????|", "Sicilian", 0, 4)), None);
        assert_eq!(judged(&line, &of("|||????|", "French", 1, 4)), None);
        let drawn = "Tal, M|Keres, P|1/2-1/2|1959.09.07|5";
        assert_eq!(judged(&of(drawn, "Riga", 0, 9), &of(drawn, "Riga", 0, 9)), sure(Relation::SameGame));
        assert_eq!(judged(&of(DRAWN, "Riga", 0, 9), &of(DRAWN, "Riga", 0, 9)), None);
    }

    #[test]
    fn equal_moves_of_other_players_are_a_wrong_header() {
        use Relation::WrongHeader;
        let drawn = "Smyslov, V|Petrosian, T|1/2-1/2|1961|?";
        for (plies, one, other, expected) in [
            (60, DRAWN, drawn, Some((WrongHeader, None, vec![Field::Year]))),
            (59, DRAWN, drawn, Some((WrongHeader, Some(Doubt::Short), vec![Field::Year]))),
            (40, WON, OTHERS, sure(WrongHeader)),
            (39, WON, OTHERS, doubtful(WrongHeader, Doubt::Short)),
            (24, WON, OTHERS, doubtful(WrongHeader, Doubt::Short)),
            (23, WON, OTHERS, None),
            (80, WON, "Tal, M|Petrosian, T|1-0|1959|?", sure(WrongHeader)),
            (80, "Fritz 5|Hiarcs 6|1-0|1998|1", "Fritz 4|Hiarcs 6|1-0|1998|1", doubtful(WrongHeader, Doubt::Engines)),
            (50, "Fritz 5|Hiarcs 6|1-0|1998|1", "Fritz 4|Hiarcs 6|1-0|1998|1", None),
        ] {
            let [first, second] = [one, other].map(|header| card(header, &[], line(plies)));
            assert_eq!(short(judged(&first, &second)), expected, "{plies} {one} {other}");
        }
        // Opponents at neighbouring boards, games at odds, and puzzles.
        let display = [(KnownTag::Event, "Simultaneous display")];
        let [first, second] =
            ["Tal, M|Petrov, A|1-0|1970|?", "Tal, M|Ivanov, B|1-0|1970|?"].map(|header| card(header, &display, line(50)));
        assert_eq!(judged(&first, &second), None);
        let odds = [(KnownTag::Fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1")];
        let [first, second] =
            ["Morphy, P|Potier, A|1-0|1850|?", "Morphy, P|Maurian, C|1-0|1855|?"].map(|header| card(header, &odds, line(44)));
        assert_eq!(judged(&first, &second), None);
    }

    #[test]
    fn a_game_is_the_beginning_of_another() {
        use Doubt::{Engines, OtherOccasion, Short, ShortDraw, Undated};
        use Relation::Beginning;
        let unfinished = "Tal, M|Keres, P|*|1959.??.??|?";
        for (plies, one, other, expected) in [
            (20, unfinished, WON, sure(Beginning)),
            (19, unfinished, WON, doubtful(Beginning, Short)),
            (8, unfinished, WON, doubtful(Beginning, Short)),
            (7, unfinished, WON, None),
            (30, UNDATED, UNDATED, doubtful(Beginning, Undated)),
            (30, WON, OTHERS, None),
            (30, WON, "Tal, M|Keres, P|1-0|1961|?", None),
            // A quick draw, and a game with the same opening.
            (30, DRAWN, WON, None),
            (22, DRAWN, DRAWN, doubtful(Beginning, ShortDraw)),
            (24, DRAWN, DRAWN, sure(Beginning)),
            (16, DRAWN, DRAWN, None),
            (30, WON, "Tal, M|Keres, P|1-0|1959.09.09|7", None),
            (30, WON, "Tal, M|Keres, P|1-0|1959|7", None),
            (70, WON, "Tal, M|Keres, P|1-0|1959|7", Some((Beginning, Some(OtherOccasion), vec![Field::Round]))),
            (40, "Fritz 5|Hiarcs 6|1-0|1998|1", "Fritz 5|Hiarcs 6|1-0|1998|1", doubtful(Beginning, Engines)),
        ] {
            let (first, second) = (card(one, &[], line(plies)), card(other, &[], line(90)));
            assert_eq!(short(judged(&first, &second)), expected, "{plies} {one} {other}");
        }
    }

    #[test]
    fn versions_differ_in_few_plies_or_in_their_order() {
        use Doubt::{Deviation, Engines, Far, OtherOccasion, ShortDraw, Undated};
        use Relation::Version;
        let slips = |plies: u16, places: &[usize]| {
            let mut slipped = line(plies);
            places.iter().for_each(|at| slipped[at - 1] = Ply::numbered(1000 + *at as u16));
            slipped
        };
        let engines = "Fritz 5|Hiarcs 6|1-0|1998|1";
        let other_round = "Tal, M|Keres, P|1-0|1959|7";
        for (one, plies, other, others, expected) in [
            (WON, line(60), WON_TOO, slip(60, 30), sure(Version)),
            (WON, line(24), WON_TOO, slip(24, 8), sure(Version)),
            (WON, line(23), WON_TOO, slip(23, 8), None),
            (WON, line(60), WON_TOO, slips(60, &[10, 20, 30]), doubtful(Version, Far)),
            (WON, line(60), WON_TOO, slips(60, &[10, 20, 30, 40, 50]), doubtful(Version, Far)),
            (WON, line(60), WON_TOO, slips(60, &[10, 20, 25, 30, 40, 50]), None),
            (WON, line(30), WON_TOO, slip(90, 12), sure(Version)),
            (UNDATED, line(60), UNDATED, slip(60, 30), doubtful(Version, Undated)),
            (DRAWN, line(36), DRAWN, slip(36, 20), sure(Version)),
            (DRAWN, line(22), DRAWN, reordered(22, 4..16), doubtful(Version, ShortDraw)),
            (engines, line(60), engines, slip(60, 30), doubtful(Version, Engines)),
            (engines, line(60), engines, deviating(58, 90), None),
            (WON, line(60), OTHERS, slip(60, 30), None),
            // Another game with the same opening.
            (DRAWN, line(24), WON_TOO, deviating(23, 90), None),
            (WON_TOO, line(24), WON_TOO, deviating(23, 90), doubtful(Version, Deviation)),
            (WON, line(24), WON, deviating(23, 90), sure(Version)),
            (WON, line(70), other_round, slip(70, 30), Some((Version, Some(OtherOccasion), vec![Field::Round]))),
            (WON, line(58), other_round, slip(58, 30), None),
            (WON, line(90), other_round, slips(90, &[30, 40, 50]), None),
            // Another order.
            (WON, line(60), WON_TOO, reordered(60, 10..20), sure(Version)),
            (WON, line(20), WON_TOO, reordered(20, 4..16), sure(Version)),
            (WON, line(18), WON_TOO, reordered(18, 4..16), None),
            (WON, line(60), other_round, reordered(60, 10..20), None),
            (WON, line(70), "Tal, M|Keres, P|1-0|1961|?", slip(70, 30), Some((Version, Some(OtherOccasion), vec![Field::Year]))),
            (WON, line(58), "Tal, M|Keres, P|1-0|1961|?", slip(58, 30), None),
        ] {
            let (first, second) = (card(one, &[], plies), card(other, &[], others));
            let context = format!("{} {one} {other}", first.plies.len());
            assert_eq!(short(judged(&first, &second)), expected, "{context}");
        }
        let judgement = judged(&card(WON, &[], line(60)), &card(WON, &[], slip(60, 30))).expect("a judgement");
        assert_eq!((judgement.distance, judgement.has_same_end), (Some(1), false));
        // Moves back and forth are left out in one version.
        let mut longer = line(60);
        longer.splice(10..20, (11..=20).rev().chain([31, 32, 31, 32]).map(Ply::numbered));
        let (mut first, mut second) = (card(WON, &[], line(60)), card(WON_TOO, &[], longer));
        (first.keys.end, second.keys.end) = (7, 7);
        assert_eq!(short(judged(&first, &second)), doubtful(Version, Far));
        // Bare kings on the same squares.
        let [mut first, mut second] = [line(90), deviating(6, 90)].map(|plies| card(WON, &[], plies));
        (first.keys.end, second.keys.end) = (7, 7);
        assert_eq!(judged(&first, &second), None);
    }

    #[test]
    fn games_from_different_positions_are_different() {
        let [first, mut second] = [line(90), line(90)].map(|plies| card(WON, &[], plies));
        second.keys.start = 2;
        assert_eq!(judged(&first, &second), None);
    }

    #[test]
    fn two_games_in_one_slot_are_seen() {
        let event = [(KnownTag::Event, "Riga")];
        let slot = |header, event: &[(KnownTag, &'static str)], plies| card(header, event, plies);
        let first = slot(WON, &event, line(60));
        let other = |header| short(judged(&first, &slot(header, &event, deviating(6, 50))));
        assert_eq!(other("Tal Mikhail|Keres Paul|0-1|1959.09.07|05").map(|found| found.0), Some(Relation::TwoGamesOneSlot));
        assert_eq!(other("Tal Mikhail|Keres Paul|0-1|1959.09.07|5.2"), None);
        assert_eq!(other("Tal Mikhail|Keres Paul|0-1|1959.??.??|5"), None);
        assert_eq!(other("Keres, P|Tal, M|0-1|1959.09.07|5"), None);
        let blitz = [(KnownTag::Event, "Riga Blitz")];
        let [first, second] = [line(60), deviating(6, 50)].map(|plies| slot(WON, &blitz, plies));
        assert_eq!(judged(&first, &second), None);
    }
}
