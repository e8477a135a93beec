//! Games in which copies and look-alikes are planted: always the same ones for the same seed.

use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Square, attacks, fen::Fen, san::SanPlus};

use super::{
    Numbers,
    games::fen,
    likeness::{Expected, distances_to_beginning, number, plain},
};

/// A game with the tags that tell games apart. A rating of 0 is not known.
#[derive(Clone, Debug)]
pub struct PlantedGame {
    pub event: String,
    pub site: String,
    pub date: String,
    pub round: String,
    pub white: String,
    pub black: String,
    pub result: &'static str,
    pub ratings: [u16; 2],
    pub extra: Vec<(&'static str, String)>,
    pub fen: Option<String>,
    pub moves: Vec<Move>,
    pub is_annotated: bool,
}

impl PlantedGame {
    pub fn start(&self) -> Chess {
        self.fen.as_deref().map_or_else(Chess::default, position)
    }

    /// The tag pairs in the usual order.
    pub fn tags(&self) -> Vec<(&'static str, String)> {
        let values = [&self.event, &self.site, &self.date, &self.round, &self.white, &self.black];
        let names = ["Event", "Site", "Date", "Round", "White", "Black"];
        let mut tags: Vec<_> = names.into_iter().zip(values.map(String::clone)).collect();
        tags.push(("Result", self.result.to_owned()));
        for (name, rating) in ["WhiteElo", "BlackElo"].into_iter().zip(self.ratings) {
            tags.extend((rating != 0).then(|| (name, rating.to_string())));
        }
        tags.extend(self.fen.iter().flat_map(|fen| [("SetUp", "1".to_owned()), ("FEN", fen.clone())]));
        tags.extend(self.extra.iter().cloned());
        tags
    }

    /// The movetext in lines of at most 80 characters.
    pub fn movetext(&self) -> String {
        let mut position = self.start();
        let (mut text, mut width) = (String::new(), 0);
        for (ply, &played) in self.moves.iter().enumerate() {
            let is_white = position.turn().is_white();
            let full = position.fullmoves();
            let comment = if self.is_annotated && ply == 5 { " {The first new move.}" } else { "" };
            let number = match is_white {
                true => format!("{full}. "),
                false if ply == 0 || self.is_annotated && ply == 6 => format!("{full}... "),
                false => String::new(),
            };
            let word = format!("{number}{}{comment} ", SanPlus::from_move_and_play_unchecked(&mut position, played));
            if width + word.len() > 80 {
                text.push('\n');
                width = 0;
            }
            width += word.len();
            text.push_str(&word);
        }
        text + self.result
    }

    pub fn text(&self) -> String {
        let tags: String = self.tags().iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
        format!("{tags}\n{}\n\n", self.movetext())
    }
}

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("the FEN is well formed");
    fen.into_position(CastlingMode::Standard).expect("the FEN is legal")
}

/// A player, as a source that knows everything writes the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    surname: String,
    first: &'static str,
}

const FIRST_NAMES: [&str; 8] = ["Anna", "Boris", "Carlos", "Dmitri", "Elena", "Farid", "Gita", "Henrik"];

/// Letters that get diacritics in the names of planted players.
const DECORATED: [(char, char); 12] = [
    ('a', 'á'),
    ('a', 'ä'),
    ('e', 'é'),
    ('o', 'ö'),
    ('o', 'ø'),
    ('u', 'ü'),
    ('n', 'ñ'),
    ('s', 'š'),
    ('l', 'ł'),
    ('d', 'đ'),
    ('s', 'ß'),
    ('t', 'þ'),
];

impl Player {
    /// The player that `number` stands for. No two have a surname in common.
    pub fn new(number: usize) -> Player {
        const CONSONANTS: [char; 12] = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't'];
        let mut rest = number;
        let mut surname = String::new();
        for _ in 0..4 {
            surname.push(CONSONANTS[rest % 12]);
            surname.push(['a', 'e', 'o', 'u'][rest / 12 % 4]);
            rest /= 48;
        }
        let (letter, decorated) = DECORATED[number % 24 % 12];
        if number % 24 < 12 {
            // Not the first letter, so that the other ones decide whether two surnames are the
            // same.
            let at = surname.char_indices().skip(1).find(|(_, other)| *other == letter).map(|(at, _)| at);
            at.into_iter().for_each(|at| surname.replace_range(at..=at, &decorated.to_string()));
        }
        let capital = surname.remove(0).to_ascii_uppercase();
        Player { surname: format!("{capital}{surname}"), first: FIRST_NAMES[number % 8] }
    }

    /// The same surname with another first name.
    pub fn sibling(&self) -> Player {
        let at = FIRST_NAMES.iter().position(|first| *first == self.first).unwrap_or_default();
        Player { first: FIRST_NAMES[(at + 3) % 8], ..self.clone() }
    }

    pub fn full(&self) -> String {
        format!("{}, {}", self.surname, self.first)
    }

    /// The name in one of several spellings.
    pub fn respelled(&self, numbers: &mut Numbers) -> String {
        let Player { surname, first } = self;
        let initial = &first[..1];
        match numbers.below(9) {
            0 => self.full(),
            1 => format!("{surname}, {initial}."),
            2 => format!("{first} {surname}"),
            3 => format!("{initial}. {surname}"),
            4 => self.full().to_uppercase(),
            5 => format!("{},{initial}", without_diacritics(surname)),
            6 => surname.clone(),
            7 => format!("{surname}, {first} (GM)"),
            _ => format!("{}, {first}", without_diacritics(surname).replace("ae", "a")),
        }
    }
}

/// A name in ASCII. `ä` becomes `ae`.
pub fn without_diacritics(name: &str) -> String {
    let mut plain_name = String::new();
    for letter in name.chars() {
        match plain(letter) {
            _ if letter == 'ä' => plain_name.push_str("ae"),
            Some(plain) => plain_name.push_str(plain),
            None => plain_name.push(letter),
        }
    }
    plain_name
}

/// Two games of which it is known what may be reported about them.
#[derive(Clone, Debug)]
pub struct PlantedPair {
    pub kind: Kind,
    pub games: [usize; 2],
    pub expected: Expected,
}

/// What is planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Retyped,
    RetypedTwice,
    OtherResult,
    ColoursSwapped,
    OtherYear,
    OtherRound,
    OtherRating,
    WrongHeader,
    WrongHeaderDecisive,
    MaybeWrongHeader,
    Beginning,
    ShortBeginning,
    OtherOrder,
    Slips,
    ManySlips,
    TruncatedWithSlips,
    SlipsInOtherRound,
    SameId,
    OneSlot,
    EngineCopy,
    NoRoundNoDate,
    EngineRepeat,
    ShortDrawOfOthers,
    ShortDrawAgain,
    Theory,
    AnotherYear,
    KnockOut,
    RapidAndBlitz,
    OpeningBook,
    Puzzle,
    Odds,
    KingAgainstKing,
    Siblings,
    VersionOfAnotherYear,
    VersionOfAnotherRound,
}

impl Kind {
    pub const ALL: [Kind; 35] = [
        Kind::Retyped,
        Kind::RetypedTwice,
        Kind::OtherResult,
        Kind::ColoursSwapped,
        Kind::OtherYear,
        Kind::OtherRound,
        Kind::OtherRating,
        Kind::WrongHeader,
        Kind::WrongHeaderDecisive,
        Kind::MaybeWrongHeader,
        Kind::Beginning,
        Kind::ShortBeginning,
        Kind::OtherOrder,
        Kind::Slips,
        Kind::ManySlips,
        Kind::TruncatedWithSlips,
        Kind::SlipsInOtherRound,
        Kind::SameId,
        Kind::OneSlot,
        Kind::EngineCopy,
        Kind::NoRoundNoDate,
        Kind::EngineRepeat,
        Kind::ShortDrawOfOthers,
        Kind::ShortDrawAgain,
        Kind::Theory,
        Kind::AnotherYear,
        Kind::KnockOut,
        Kind::RapidAndBlitz,
        Kind::OpeningBook,
        Kind::Puzzle,
        Kind::Odds,
        Kind::KingAgainstKing,
        Kind::Siblings,
        Kind::VersionOfAnotherYear,
        Kind::VersionOfAnotherRound,
    ];
}

/// Files of games, and what is planted in them.
#[derive(Debug)]
pub struct Planted {
    pub games: Vec<PlantedGame>,
    pub pairs: Vec<PlantedPair>,
    /// The games of each file, in order.
    pub files: Vec<Vec<usize>>,
}

impl Planted {
    /// At least `count` games, half of them planted, in `files` files.
    pub fn new(seed: u64, count: usize, files: usize) -> Planted {
        let mut planter = Planter { numbers: Numbers::new(seed), players: 400, games: Vec::new(), pairs: Vec::new() };
        for kind in Kind::ALL.into_iter().cycle() {
            if planter.games.len() >= count / 2 {
                break;
            }
            // Games with bare kings take long to make.
            if kind != Kind::KingAgainstKing || planter.games.len() < 4000 {
                planter.plant(kind);
            }
        }
        while planter.games.len() < count {
            planter.add_other();
        }
        let Planter { mut numbers, games, pairs, .. } = planter;
        let mut order: Vec<usize> = (0..games.len()).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, numbers.below(last + 1));
        }
        let files = order.chunks(games.len().div_ceil(files)).map(<[usize]>::to_vec).collect();
        Planted { games, pairs, files }
    }

    /// The moves of a game with another last one.
    pub fn other_end(game: &PlantedGame, seed: usize) -> Vec<Move> {
        let (last, rest) = game.moves.split_last().expect("there are moves");
        let mut position = game.start();
        rest.iter().for_each(|&played| position.play_unchecked(played));
        let others: Vec<Move> = position.legal_moves().into_iter().filter(|other| other != last).collect();
        [rest, &[others[seed % others.len()]]].concat()
    }

    /// The text of a file.
    pub fn text(&self, file: usize) -> String {
        self.files[file].iter().map(|&game| self.games[game].text()).collect()
    }
}

const EVENTS: [&str; 8] =
    ["City Championship", "Spring Open", "Masters", "Memorial", "Team Cup", "National League", "Festival", "Grand Prix"];

struct Planter {
    numbers: Numbers,
    /// Number of players so far. The first 400 play the games that are not planted.
    players: usize,
    games: Vec<PlantedGame>,
    pairs: Vec<PlantedPair>,
}

impl Planter {
    fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.numbers.below(most - least + 1)
    }

    fn new_player(&mut self) -> Player {
        self.players += 1;
        Player::new(self.players)
    }

    fn new_pairing(&mut self) -> [Player; 2] {
        [self.new_player(), self.new_player()]
    }

    fn event(&mut self) -> String {
        format!("{} {}", EVENTS[self.numbers.below(EVENTS.len())], self.numbers.below(1000))
    }

    /// A game that a source that knows everything publishes.
    fn game(&mut self, players: &[Player; 2], moves: Vec<Move>) -> PlantedGame {
        let [year, month, day] = [self.between(1950, 2015), self.between(1, 12), self.between(1, 28)];
        let ratings = if self.numbers.below(2) == 0 { [0, 0] } else { [self.between(1900, 2700), self.between(1900, 2700)] };
        PlantedGame {
            event: self.event(),
            site: ["Utrecht NED", "Porto POR", "Lima PER"][self.numbers.below(3)].to_owned(),
            date: format!("{year}.{month:02}.{day:02}"),
            round: self.between(1, 11).to_string(),
            white: players[0].full(),
            black: players[1].full(),
            result: ["1-0", "0-1", "1/2-1/2"][self.numbers.below(3)],
            ratings: ratings.map(|rating| u16::try_from(rating).unwrap_or_default()),
            extra: Vec::new(),
            fen: None,
            moves,
            is_annotated: self.numbers.below(5) == 0,
        }
    }

    /// The same game, as another source has typed it. The year is known.
    fn retyped(&mut self, game: &PlantedGame, players: &[Player; 2]) -> PlantedGame {
        let mut copy = game.clone();
        [copy.white, copy.black] = [players[0].respelled(&mut self.numbers), players[1].respelled(&mut self.numbers)];
        copy.event = self.event();
        copy.is_annotated = self.numbers.below(5) == 0;
        match self.numbers.below(5) {
            0 => copy.round = "?".to_owned(),
            1 => copy.round = format!("0{}", game.round),
            2 => copy.round = format!("{}.{}", game.round, self.between(1, 9)),
            _ => {}
        }
        let year = game.date.split('.').next().unwrap_or_default();
        match self.numbers.below(3) {
            0 => copy.date = format!("{year}.??.??"),
            1 => copy.date = format!("{}.??", &game.date[..7]),
            _ => {}
        }
        if self.numbers.below(3) == 0 {
            copy.ratings = [0, 0];
        }
        copy
    }

    /// A game between two of the first 400 players.
    fn add_other(&mut self) {
        let white = self.numbers.below(400);
        let black = (white + 1 + self.numbers.below(399)) % 400;
        let plies = self.between(8, 90);
        let moves = self.moves(&Chess::default(), plies);
        let game = self.game(&[Player::new(white), Player::new(black)], moves);
        self.games.push(game);
    }

    fn add(&mut self, kind: Kind, expected: Expected, games: &[PlantedGame]) {
        let first = self.games.len();
        self.games.extend_from_slice(games);
        for b in first..self.games.len() {
            self.pairs.extend((first..b).map(|a| PlantedPair { kind, games: [a, b], expected }));
        }
    }

    fn plant(&mut self, kind: Kind) {
        let (expected, games) = self.kind(kind);
        self.add(kind, expected, &games);
    }

    /// A game of new players with so many plies, the players, and the same game retyped.
    fn pair(&mut self, least: usize, most: usize) -> ([Player; 2], PlantedGame, PlantedGame) {
        let players = self.new_pairing();
        let plies = self.between(least, most);
        let moves = self.moves(&Chess::default(), plies);
        let game = self.game(&players, moves);
        let copy = self.retyped(&game, &players);
        (players, game, copy)
    }

    fn kind(&mut self, kind: Kind) -> (Expected, Vec<PlantedGame>) {
        match kind {
            Kind::Retyped | Kind::RetypedTwice | Kind::OtherResult | Kind::ColoursSwapped => self.same(kind),
            Kind::OtherYear | Kind::OtherRound | Kind::OtherRating => self.same(kind),
            Kind::WrongHeader => self.other_header(60, 120, None),
            Kind::WrongHeaderDecisive => self.other_header(40, 59, Some("0-1")),
            Kind::MaybeWrongHeader => {
                let (least, most, result) = [(24, 59, "1/2-1/2"), (24, 39, "1-0")][self.numbers.below(2)];
                let (_, games) = self.other_header(least, most, Some(result));
                (Expected::info(&["DUP02"]), games)
            }
            Kind::Beginning | Kind::ShortBeginning => {
                let (least, most) = if kind == Kind::Beginning { (20, 70) } else { (8, 19) };
                let (_, mut game, mut copy) = self.pair(least, most);
                if kind == Kind::ShortBeginning {
                    // Quick draws are no news.
                    (game.result, copy.result) = ("1-0", "1-0");
                }
                let more = self.between(10, 50);
                game.moves = self.continued(&copy, more);
                let expected = if kind == Kind::Beginning { Expected::warning(&["DUP04"]) } else { Expected::info(&["DUP04"]) };
                (expected, vec![game, copy])
            }
            Kind::OtherOrder | Kind::Slips | Kind::ManySlips | Kind::TruncatedWithSlips => self.version(kind),
            Kind::SlipsInOtherRound | Kind::VersionOfAnotherYear | Kind::VersionOfAnotherRound => self.version(kind),
            Kind::SameId | Kind::OneSlot => self.same_id_or_slot(kind),
            Kind::EngineCopy | Kind::EngineRepeat => self.engines(kind),
            Kind::NoRoundNoDate => {
                let (_, mut game, mut copy) = self.pair(30, 80);
                for game in [&mut game, &mut copy] {
                    (game.round, game.date) = ("?".to_owned(), "????.??.??".to_owned());
                }
                (Expected::info(&["DUP01"]), vec![game, copy])
            }
            Kind::ShortDrawOfOthers => {
                let (_, mut games) = self.other_header(10, 22, Some("1/2-1/2"));
                games.extend(self.other_header(10, 22, Some("1/2-1/2")).1.pop());
                games[2].moves = games[0].moves.clone();
                (Expected::NOTHING, games)
            }
            Kind::ShortDrawAgain => {
                let (_, mut game, mut copy) = self.pair(10, 20);
                (game.date, copy.date) = ("1961.03.04".to_owned(), "1964.11.02".to_owned());
                (game.result, copy.result) = ("1/2-1/2", "1/2-1/2");
                (Expected::NO_WARNING, vec![game, copy])
            }
            Kind::Theory | Kind::AnotherYear | Kind::KnockOut | Kind::RapidAndBlitz => self.other_games(kind),
            Kind::OpeningBook => {
                let (_, mut game, mut copy) = self.pair(8, 30);
                for game in [&mut game, &mut copy] {
                    (game.round, game.date, game.result) = ("?".to_owned(), "????.??.??".to_owned(), "*");
                    (game.white, game.black, game.ratings) = ("?".to_owned(), "?".to_owned(), [0, 0]);
                }
                let mut longer = copy.clone();
                longer.moves = self.continued(&copy, 6);
                (Expected::NO_WARNING, vec![game, copy, longer])
            }
            Kind::Puzzle | Kind::Odds => self.set_up(kind),
            Kind::KingAgainstKing => self.bare_kings(),
            Kind::Siblings => self.siblings(),
        }
    }

    fn same(&mut self, kind: Kind) -> (Expected, Vec<PlantedGame>) {
        let (players, mut game, mut copy) = self.pair(if kind == Kind::Retyped { 10 } else { 30 }, 90);
        game.result = "1-0";
        copy.result = if kind == Kind::Retyped && self.numbers.below(3) == 0 { "*" } else { "1-0" };
        let mut games = Vec::new();
        match kind {
            Kind::RetypedTwice => games.push(self.retyped(&game, &players)),
            Kind::OtherResult => copy.result = ["0-1", "1/2-1/2"][self.numbers.below(2)],
            Kind::ColoursSwapped => {
                std::mem::swap(&mut copy.white, &mut copy.black);
                copy.ratings.swap(0, 1);
            }
            Kind::OtherYear => {
                let year = self.between(1920, 1945);
                copy.date = format!("{year}.??.??");
            }
            Kind::OtherRound => copy.round = self.between(12, 20).to_string(),
            Kind::OtherRating => {
                game.ratings = [2550, 2400];
                copy.ratings = [2350, 2400];
            }
            _ => {}
        }
        // The third copy may not contradict the second one, whose round may have a board. The
        // second one may be written with `ae` for `ä`, which is not compatible with `a`.
        for third in &mut games {
            third.round.clone_from(&game.round);
            (third.white, third.black) = (game.white.clone(), game.black.clone());
        }
        games.extend([game, copy]);
        let is_same = [Kind::Retyped, Kind::RetypedTwice].contains(&kind);
        (Expected::warning(if is_same { &["DUP01"] } else { &["DUP03"] }), games)
    }

    /// A game under the names of two pairings.
    fn other_header(&mut self, least: usize, most: usize, result: Option<&'static str>) -> (Expected, Vec<PlantedGame>) {
        let (_, mut game, _) = self.pair(least, most);
        let players = self.new_pairing();
        let mut other = self.game(&players, game.moves.clone());
        game.result = result.unwrap_or(game.result);
        other.result = game.result;
        (Expected::warning(&["DUP02"]), vec![game, other])
    }

    fn version(&mut self, kind: Kind) -> (Expected, Vec<PlantedGame>) {
        let (least, most) = match kind {
            Kind::ManySlips => (120, 160),
            Kind::SlipsInOtherRound | Kind::TruncatedWithSlips => (70, 100),
            Kind::VersionOfAnotherRound => (24, 55),
            _ => (26, 100),
        };
        let slips = match kind {
            Kind::ManySlips => self.between(3, 8),
            _ => self.between(1, 2),
        };
        loop {
            let (_, game, mut copy) = self.pair(least, most);
            let moves = match kind {
                Kind::OtherOrder => self.reordered(&game.moves),
                _ => self.with_slips(&game.moves, slips),
            };
            let Some(moves) = moves else { continue };
            copy.moves = moves;
            if kind == Kind::TruncatedWithSlips {
                // A slip that is cut off would make it a beginning.
                let left = self.between(60, copy.moves.len() - 2);
                copy.moves.truncate(left);
                if game.moves.starts_with(&copy.moves) {
                    continue;
                }
            }
            let expected = match kind {
                Kind::ManySlips => Expected::info(&["DUP05"]),
                Kind::SlipsInOtherRound => {
                    copy.round = "15".to_owned();
                    Expected::info(&["DUP05"])
                }
                Kind::VersionOfAnotherRound => {
                    copy.round = "15".to_owned();
                    Expected::NOTHING
                }
                Kind::VersionOfAnotherYear => {
                    copy.date = "1933.??.??".to_owned();
                    Expected { codes: &["DUP05"], severities: &["info"], is_required: false }
                }
                _ => Expected::warning(&["DUP05"]),
            };
            return (expected, vec![game, copy]);
        }
    }

    fn same_id_or_slot(&mut self, kind: Kind) -> (Expected, Vec<PlantedGame>) {
        let (players, mut game, _) = self.pair(10, 80);
        let (_, mut other, _) = self.pair(10, 80);
        if kind == Kind::OneSlot {
            let moves = other.moves;
            other = self.retyped(&game, &players);
            (other.event, other.date, other.round) = (game.event.clone(), game.date.clone(), game.round.clone());
            other.moves = moves;
            return (Expected::info(&["DUP11"]), vec![game, other]);
        }
        let id = format!("{:07}x", self.games.len());
        // Databases of different sites may use the same ids.
        other.site.clone_from(&game.site);
        for game in [&mut game, &mut other] {
            match id.as_bytes()[6] % 3 {
                0 => game.site = format!("https://lichess.org/{id}"),
                1 => game.extra.push(("GameId", id.clone())),
                _ => game.extra.push(("Link", format!("https://www.chess.com/game/live/{}", &id[..7]))),
            }
        }
        (Expected::warning(&["DUP06"]), vec![game, other])
    }

    fn engines(&mut self, kind: Kind) -> (Expected, Vec<PlantedGame>) {
        let (_, mut game, _) = self.pair(30, 120);
        (game.white, game.black) =
            (format!("{} 4.1", game.white.replace(", ", "")), format!("{} 12", game.black.replace(", ", "")));
        game.extra = vec![("WhiteType", "program".to_owned()), ("BlackType", "program".to_owned())];
        let mut copy = game.clone();
        if kind == Kind::EngineCopy {
            let time =
                ("UTCTime", format!("{:02}:{:02}:{:02}", self.numbers.below(24), self.numbers.below(60), self.numbers.below(60)));
            game.extra.push(time.clone());
            copy.extra.push(time);
            return (Expected::warning(&["DUP01"]), vec![game, copy]);
        }
        if self.numbers.below(2) == 0 {
            return (Expected::info(&["DUP01"]), vec![game, copy]);
        }
        copy.round = "77".to_owned();
        (Expected { codes: &["DUP01", "DUP03"], severities: &["info"], is_required: false }, vec![game, copy])
    }

    /// Different games of the same players, most of them with a common beginning.
    fn other_games(&mut self, kind: Kind) -> (Expected, Vec<PlantedGame>) {
        let (_, mut game, mut other) = self.pair(20, 30);
        if kind == Kind::AnotherYear {
            (game.date, other.date) = ("1961.03.04".to_owned(), "1964.11.02".to_owned());
        }
        let common = if kind == Kind::AnotherYear { 0 } else { other.moves.len() };
        self.part(&mut game, &mut other, common);
        if kind == Kind::RapidAndBlitz {
            other.date.clone_from(&game.date);
            (game.event, other.event) = (format!("{} Rapid", game.event), format!("{} Blitz", game.event));
            game.extra.push(("TimeControl", "900+10".to_owned()));
            other.extra.push(("TimeControl", "180+2".to_owned()));
        }
        if kind == Kind::KnockOut {
            (other.event, other.date) = (game.event.clone(), game.date.clone());
            (game.round, other.round) = (format!("{}.1", game.round), format!("{}.2", game.round));
        }
        (Expected::NOTHING, vec![game, other])
    }

    /// Gives two games the same `common` plies, and after them different ones.
    fn part(&mut self, game: &mut PlantedGame, other: &mut PlantedGame, common: usize) {
        loop {
            game.moves = self.moves(&game.start(), common);
            other.moves.clone_from(&game.moves);
            let more = [self.between(20, 40), self.between(20, 40)];
            (game.moves, other.moves) = (self.continued(game, more[0]), self.continued(other, more[1]));
            // In check, there may be only one move.
            if game.moves[common] != other.moves[common] {
                return;
            }
        }
    }

    fn set_up(&mut self, kind: Kind) -> (Expected, Vec<PlantedGame>) {
        let (players, mut game, _) = self.pair(31, 31);
        if kind == Kind::Puzzle {
            let (_, mut other, _) = self.pair(4, 4);
            let mut position = game.start();
            game.moves.iter().for_each(|&played| position.play_unchecked(played));
            let plies = self.between(5, 15);
            game.moves = self.moves(&position, plies);
            (game.fen, game.result) = (Some(fen(&position)), "*");
            (other.moves, other.fen, other.result) = (game.moves.clone(), game.fen.clone(), "*");
            (game.is_annotated, other.is_annotated) = (false, false);
            return (Expected::NO_WARNING, vec![game, other]);
        }
        game.fen = Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1".to_owned());
        (game.date, game.round) = ("????.??.??".to_owned(), "?".to_owned());
        let mut other = game.clone();
        (other.white, other.black) = (players[0].respelled(&mut self.numbers), players[1].respelled(&mut self.numbers));
        self.part(&mut game, &mut other, 10);
        (Expected::NOTHING, vec![game, other])
    }

    /// Two games of one pairing that end with the same two kings after the same number of plies.
    fn bare_kings(&mut self) -> (Expected, Vec<PlantedGame>) {
        let (_, mut game, mut other) = self.pair(4, 4);
        (other.event, other.date, other.round) = (game.event.clone(), game.date.clone(), "?".to_owned());
        (game.result, other.result) = ("1/2-1/2", "1/2-1/2");
        loop {
            let [a, b] = [self.traded_off(), self.traded_off()];
            let plies = a.len().max(b.len()) + 24;
            if a.len().abs_diff(b.len()) > 70 {
                continue;
            }
            let walk = |planter: &mut Planter, moves| planter.walked(moves, plies);
            if let (Some(a), Some(b)) = (walk(self, a), walk(self, b)) {
                (game.moves, other.moves) = (a, b);
                return (Expected::NOTHING, vec![game, other]);
            }
        }
    }

    /// A game of one player, and the same or the same with more moves of the other with that
    /// surname.
    fn siblings(&mut self) -> (Expected, Vec<PlantedGame>) {
        let (players, mut game, _) = self.pair(12, 60);
        let plies = game.moves.len();
        let siblings = [players[0].sibling(), players[1].clone()];
        let mut other = self.game(&siblings, game.moves.clone());
        other.date.clone_from(&game.date);
        (game.result, other.result) = ("1/2-1/2", "1/2-1/2");
        let more = self.between(5, 20);
        match self.with_slips(&game.moves, 1) {
            Some(moves) if plies >= 40 => other.moves = moves,
            _ if plies >= 24 => other.moves = self.continued(&game, more),
            _ => {}
        }
        (Expected::NOTHING, vec![game, other])
    }

    /// So many moves at random, or fewer if the game cannot last that long. It is not over after
    /// them.
    fn moves(&mut self, start: &Chess, plies: usize) -> Vec<Move> {
        for attempt in 0.. {
            let plies = plies.saturating_sub(attempt / 100).max(plies.min(1));
            let mut position = start.clone();
            let mut moves = Vec::with_capacity(plies);
            while moves.len() < plies && !position.is_insufficient_material() {
                let mut legal = position.legal_moves();
                // The 75-move rule ends no game.
                if position.halfmoves() >= 60 && legal.iter().any(|played| played.is_zeroing()) {
                    legal.retain(|played| played.is_zeroing());
                }
                let Some(&played) = legal.get(self.numbers.below(legal.len())) else { break };
                position.play_unchecked(played);
                moves.push(played);
            }
            if moves.len() == plies && !position.is_game_over() && position.halfmoves() < 150 {
                return moves;
            }
        }
        Vec::new()
    }

    /// The moves of a game and `more` after them.
    fn continued(&mut self, game: &PlantedGame, more: usize) -> Vec<Move> {
        let mut position = game.start();
        game.moves.iter().for_each(|&played| position.play_unchecked(played));
        let mut moves = game.moves.clone();
        moves.extend(self.moves(&position, more));
        moves
    }

    /// The moves with so many others among them, after which the rest can still be played.
    fn with_slips(&mut self, moves: &[Move], slips: usize) -> Option<Vec<Move>> {
        let original: Vec<u16> = moves.iter().copied().map(number).collect();
        let mut changed = original.clone();
        let mut played = moves.to_vec();
        for _ in 0..slips {
            let positions = positions_before(&played);
            let found = (0..400).find_map(|_| {
                let at = self.numbers.below(moves.len());
                let legal = positions[at].legal_moves();
                let other = number(legal[self.numbers.below(legal.len())]);
                if changed[at] != original[at] || other == original[at] {
                    return None;
                }
                let rest = replayed(&positions[at], &[&[other], &changed[at + 1..]].concat())?;
                Some((at, other, rest))
            });
            let (at, other, rest) = found?;
            changed[at] = other;
            played.truncate(at);
            played.extend(rest);
        }
        (distances_to_beginning(&original, &changed) == [slips; 2]).then_some(played)
    }

    /// The moves with two of one side in the other order.
    fn reordered(&mut self, moves: &[Move]) -> Option<Vec<Move>> {
        let original: Vec<u16> = moves.iter().copied().map(number).collect();
        let end = |moves: &[Move]| {
            let mut position = Chess::default();
            moves.iter().for_each(|&played| position.play_unchecked(played));
            (position.board().clone(), position.castles().castling_rights(), position.ep_square(EnPassantMode::Legal))
        };
        let positions = positions_before(moves);
        (0..200).find_map(|_| {
            let at = self.numbers.below(moves.len() - 4);
            let mut changed = original.clone();
            changed.swap(at, at + 2);
            let played = [&moves[..at], &replayed(&positions[at], &changed[at..])?].concat();
            (changed != original && end(&played) == end(moves)).then_some(played)
        })
    }

    /// A game in which everything is captured.
    fn traded_off(&mut self) -> Vec<Move> {
        loop {
            let mut position = Chess::default();
            let mut moves = Vec::new();
            while moves.len() < 500 && position.halfmoves() < 90 {
                let legal = position.legal_moves();
                let of = |wanted: &dyn Fn(&Move) -> bool| legal.iter().copied().filter(wanted).collect::<Vec<_>>();
                let captures = of(&|played| played.is_capture());
                let steps = of(&|played| played.role() == shakmaty::Role::Pawn);
                let choice = match self.numbers.below(4) {
                    0 => of(&|_| true),
                    _ if !captures.is_empty() => captures,
                    _ if !steps.is_empty() => steps,
                    _ => of(&|_| true),
                };
                let Some(&played) = choice.get(self.numbers.below(choice.len())) else { break };
                position.play_unchecked(played);
                moves.push(played);
                if position.board().occupied().count() == 2 {
                    return moves;
                }
            }
        }
    }

    /// The moves, and those of the bare kings to d2 and d7, where they are after `plies`.
    fn walked(&mut self, mut moves: Vec<Move>, plies: usize) -> Option<Vec<Move>> {
        let mut position = Chess::default();
        moves.iter().for_each(|&played| position.play_unchecked(played));
        // Which kings' squares lead to those squares, by the number of plies that are left.
        let mut leads = vec![vec![false; 64 * 64]];
        leads[0][Square::D2 as usize * 64 + Square::D7 as usize] = true;
        for left in 1..=plies - moves.len() {
            let is_white = (plies - left).is_multiple_of(2);
            let next = &leads[left - 1];
            let can = |at: usize| {
                let [white, black] = [at / 64, at % 64].map(|square| Square::new(square as u32));
                let near = |king: Square, other: Square| king == other || attacks::king_attacks(king).contains(other);
                let to = attacks::king_attacks(if is_white { white } else { black });
                !near(white, black)
                    && to.into_iter().any(|to| {
                        let [white, black] = if is_white { [to, black] } else { [white, to] };
                        !near(white, black) && next[white as usize * 64 + black as usize]
                    })
            };
            let of_this = (0..64 * 64).map(can).collect();
            leads.push(of_this);
        }
        while moves.len() < plies {
            let left = plies - moves.len() - 1;
            let leads_there = |played: &Move| {
                let mut position = position.clone();
                position.play_unchecked(*played);
                let kings = [shakmaty::Color::White, shakmaty::Color::Black].map(|side| position.board().king_of(side));
                matches!(kings, [Some(white), Some(black)] if leads[left][white as usize * 64 + black as usize])
            };
            let choice: Vec<Move> = position.legal_moves().into_iter().filter(leads_there).collect();
            let played = *choice.get(self.numbers.below(choice.len()))?;
            position.play_unchecked(played);
            moves.push(played);
        }
        Some(moves)
    }
}

/// The position before each move of a game.
fn positions_before(moves: &[Move]) -> Vec<Chess> {
    let mut position = Chess::default();
    let before = |&played: &Move| {
        let before = position.clone();
        position.play_unchecked(played);
        before
    };
    moves.iter().map(before).collect()
}

/// The moves that numbers stand for, if they can be played and the game is not over after them.
fn replayed(start: &Chess, numbers: &[u16]) -> Option<Vec<Move>> {
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(numbers.len());
    for &wanted in numbers {
        let played = position.legal_moves().into_iter().find(|&played| number(played) == wanted)?;
        position.play_unchecked(played);
        moves.push(played);
    }
    (!position.is_game_over()).then_some(moves)
}
