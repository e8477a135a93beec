//! Two games that are related.

use crate::{
    chess::fen_of,
    identity::{Doubt, GameCard, GamePlace, Judgement, Parting},
    pgn::KnownTag,
    text::{
        Span,
        wording::{join_and, quantity, thousands},
    },
};

/// A game, and another one that is a copy of it, or related otherwise.
#[derive(Clone, Copy, Debug)]
pub struct PairFacts<'a> {
    /// The game that findings are about.
    pub game: &'a GameCard<'a>,
    /// The other game.
    pub other: &'a GameCard<'a>,
    /// The name of its input, if that is another one.
    pub other_input: Option<&'a str>,
    /// How they are related.
    pub judgement: Judgement,
    /// If more than two games have equal moves under unlike names: the others.
    pub unlike: Option<UnlikeGames<'a>>,
}

/// Games with equal moves under unlike names.
#[derive(Clone, Copy, Debug)]
pub struct UnlikeGames<'a> {
    /// Their number.
    pub number: u64,
    /// The first ones, and the names of their inputs if they are in another one.
    pub first: &'a [(GameCard<'a>, Option<&'a str>)],
}

/// The first difference between two main lines.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The first ply that differs, from 1.
    pub ply: u32,
    /// The position before it.
    pub before: String,
    /// The move of the game.
    pub own: String,
    /// The move of the other game.
    pub other: String,
}

/// A game as a message names it: `game 7 (line 130) of b.pgn`. `input` is the name of its input, if
/// that is another one.
pub fn named_game(place: GamePlace, input: Option<&str>) -> String {
    let input = input.map_or_else(String::new, |input| format!(" of {input}"));
    format!("game {} (line {}){input}", thousands(place.game), thousands(place.line))
}

/// The players of a game as a message names them.
fn players_of(game: &GameCard<'_>) -> String {
    let name = |tag| match game.tag(tag) {
        "" => "?",
        name => name,
    };
    format!("{} - {}", name(KnownTag::White), name(KnownTag::Black))
}

impl UnlikeGames<'_> {
    /// The players and the places of the first ones, and how many more there are.
    pub fn names(&self) -> String {
        let named = self.first.iter().map(|(game, input)| format!("{} in {}", players_of(game), named_game(game.place, *input)));
        let mut names: Vec<String> = named.collect();
        let more = self.number.saturating_sub(names.len() as u64);
        names.extend((more > 0).then(|| format!("{} more", thousands(more))));
        join_and(&names)
    }
}

impl PairFacts<'_> {
    /// The place of the game.
    pub fn place(&self) -> Span {
        self.game.place.span()
    }

    /// The other game as a message names it: `game 7 (line 130) of b.pgn`.
    pub fn other_game(&self) -> String {
        named_game(self.other.place, self.other_input)
    }

    /// The players of the other game.
    pub fn other_players(&self) -> String {
        players_of(self.other)
    }

    /// The number of plies of the game, in words.
    pub fn plies(&self) -> String {
        quantity(self.game.plies.len(), "ply", "plies")
    }

    /// What contradicts in the headers, in words; empty if nothing does.
    pub fn contradictions(&self) -> String {
        let contradictions = self.judgement.contradictions.values(self.game, self.other);
        let named = contradictions.map(|(field, [own, other])| format!("{} (`{own}` and `{other}`)", field.as_str()));
        join_and(&named.collect::<Vec<_>>())
    }

    /// The part of a message that says what contradicts in the headers.
    pub fn contradictions_note(&self) -> String {
        match self.contradictions().as_str() {
            "" => String::new(),
            contradictions => format!("; the headers contradict: {contradictions}"),
        }
    }

    /// The part of a message that says why a finding is not sure.
    pub fn doubt(&self) -> String {
        self.judgement.doubt.map_or_else(String::new, |doubt: Doubt| format!("; {}", doubt.as_str()))
    }

    /// The first ply that differs between two versions. `None` if the moves are those of a variant.
    pub fn first_difference(&self) -> Option<Difference> {
        let Parting { ply, before, one, other } = Parting::of(self.game, self.other);
        Some(Difference { ply: u32::try_from(ply).ok()?, before: fen_of(&before?), own: one, other })
    }
}
