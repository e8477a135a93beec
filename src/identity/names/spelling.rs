//! Lists of spellings of the names of players, in the format of Scid.

use rustc_hash::FxHashMap;

use crate::identity::PlayerName;

/// What is wrong with a line of a list of spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpellingError {
    /// The file has no players.
    #[error("contains no players: they follow a line `@PLAYER`")]
    Empty,
    /// A spelling comes before the first name.
    #[error("line {0}: a spelling after `=` needs a name in a line before it")]
    Nameless(usize),
}

/// Names of players, each with other spellings.
///
/// Players follow a line `@PLAYER`. A line is a name, or another spelling of the name before it,
/// after `=`. What follows `#` is a comment, and lines that begin with `%` are not about spellings.
#[derive(Clone, Debug, Default)]
pub struct Spellings {
    /// The names of each player, in groups.
    pub(super) players: Vec<Vec<u64>>,
    /// The name of each player that comes first, if it is not that of another player, too.
    pub(super) main: Vec<Option<(u64, String)>>,
}

impl Spellings {
    /// Reads a list in UTF-8 or Latin-1.
    pub fn read(text: &[u8]) -> Result<Spellings, SpellingError> {
        let text = match str::from_utf8(text) {
            Ok(text) => text.to_owned(),
            Err(_) => text.iter().map(|byte| char::from(*byte)).collect(),
        };
        let mut players: Vec<Vec<u64>> = Vec::new();
        let mut main = Vec::new();
        let mut is_player = false;
        for (at, line) in text.trim_start_matches('\u{FEFF}').lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let group = |text: &str| PlayerName::new(text).group();
            match line.as_bytes().first() {
                None | Some(b'%') => {}
                Some(b'@') => {
                    is_player = line.eq_ignore_ascii_case("@PLAYER");
                }
                Some(_) if !is_player => {}
                Some(b'=') => {
                    let names = players.last_mut().ok_or(SpellingError::Nameless(at + 1))?;
                    names.push(group(line.trim_start_matches('=')));
                }
                Some(_) => {
                    players.push(vec![group(line)]);
                    main.push(line.to_owned());
                }
            }
        }
        if players.is_empty() {
            return Err(SpellingError::Empty);
        }
        Ok(Spellings::of(players, main))
    }

    /// Leaves out names of nobody, and those of two players.
    fn of(mut players: Vec<Vec<u64>>, main: Vec<String>) -> Spellings {
        let first: Vec<u64> = players.iter().map(|names| names[0]).collect();
        let mut player_of: FxHashMap<u64, usize> = FxHashMap::default();
        for (player, names) in players.iter().enumerate() {
            for name in names {
                player_of.entry(*name).and_modify(|of| *of = if *of == player { player } else { usize::MAX }).or_insert(player);
            }
        }
        for (player, names) in players.iter_mut().enumerate() {
            names.sort_unstable();
            names.dedup();
            names.retain(|name| *name != 0 && player_of.get(name) == Some(&player));
        }
        let is_listed = |(names, _): &(Vec<u64>, _)| names.len() > 1;
        let mains = first.into_iter().zip(main);
        let (players, main) = players
            .into_iter()
            .zip(mains)
            .filter(is_listed)
            .map(|(names, main)| {
                let main = Some(main).filter(|(group, _)| names.contains(group));
                (names, main)
            })
            .unzip();
        Spellings { players, main }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_read() -> Result<(), SpellingError> {
        let list = Spellings::read(
            b"# A list\n@PLAYER\n%Bio no name\nKortchnoi, Viktor  #gm SUI [2695] 1931\n\
              = Korchnoi, Viktor\n  = Kortschnoj, V #comment\n= KORTCHNOI, VIKTOR\n\nYusupov, Artur\n=Jussupow, Artur\n\
              Tal, M\xFCller\n@SITE\nMoscow\n= Moskva\n",
        )?;
        let groups = |names: &[&str]| {
            let mut groups: Vec<u64> = names.iter().map(|name| PlayerName::new(name).group()).collect();
            groups.sort_unstable();
            groups
        };
        assert_eq!(
            list.players,
            [groups(&["Kortchnoi, Viktor", "Korchnoi, Viktor", "Kortschnoj, V"]), groups(&["Yusupov, Artur", "Jussupow, Artur"])]
        );
        let main: Vec<&str> = list.main.iter().flatten().map(|(_, text)| text.as_str()).collect();
        assert_eq!(main, ["Kortchnoi, Viktor", "Yusupov, Artur"]);
        Ok(())
    }

    #[test]
    fn a_spelling_of_two_players_joins_nothing() -> Result<(), SpellingError> {
        assert!(Spellings::read(b"@PLAYER\nPolgar, Judit\n= Polgar\nPolgar, Susan\n= Polgar\n= NN\n")?.players.is_empty());
        Ok(())
    }

    #[test]
    fn other_text_is_not_a_list() {
        assert_eq!(Spellings::read(b"").map(|_| ()), Err(SpellingError::Empty));
        assert_eq!(Spellings::read(b"@SITE\nMoscow\n= Moskva\n").map(|_| ()), Err(SpellingError::Empty));
        assert_eq!(Spellings::read(b"@PLAYER\n= Tal\n").map(|_| ()), Err(SpellingError::Nameless(2)));
    }
}
