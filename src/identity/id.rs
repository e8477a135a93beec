//! Ids that servers and databases give to games.

use arrayvec::ArrayVec;
use xxhash_rust::xxh3::xxh3_64;

use super::GameCard;
use crate::pgn::KnownTag;

/// Who gave an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IdKind {
    /// Lichess: eight characters.
    Lichess,
    /// chess.com, games played at once.
    ChessComLive,
    /// chess.com, games played over days.
    ChessComDaily,
    /// The address in the tag Link, of another server.
    Link,
    /// The tag GameId.
    GameId,
}

/// The id of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameIdentifier<'a> {
    /// Who gave it.
    pub kind: IdKind,
    /// The id, or the address without its scheme.
    pub id: &'a str,
}

/// Minimum length of an id in the tag GameId. Shorter ones are numbers that each database begins
/// anew.
const MIN_GAME_ID: usize = 8;

/// Pages of Lichess with names as long as an id.
const LICHESS_PAGES: [&str; 3] = ["training", "analysis", "practice"];

/// The tags that may have an id of a game.
pub const ID_TAGS: [KnownTag; 3] = [KnownTag::Site, KnownTag::Link, KnownTag::GameId];

/// The ids of a game: of the tags Site, Link and GameId. Addresses of events and of servers are
/// none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameIds<'a> {
    ids: ArrayVec<GameIdentifier<'a>, 3>,
    site: &'a str,
}

impl<'a> GameIds<'a> {
    /// The ids on a card.
    pub fn of(card: &GameCard<'a>) -> GameIds<'a> {
        GameIds::of_tags(ID_TAGS.map(|tag| card.tag(tag)))
    }

    /// Those in the values of [`ID_TAGS`].
    pub fn of_tags([site, link, id]: [&'a str; 3]) -> GameIds<'a> {
        let mut ids = ArrayVec::new();
        ids.extend(server_id(site));
        ids.extend(server_id(link).or_else(|| other_link(link)));
        let id = id.trim();
        if id.len() >= MIN_GAME_ID && !ids.iter().any(|known| known.id == id) {
            ids.push(GameIdentifier { kind: IdKind::GameId, id });
        }
        GameIds { ids, site }
    }

    /// The ids.
    pub fn as_slice(&self) -> &[GameIdentifier<'a>] {
        &self.ids
    }

    /// A key for each id. Games with the same id have one in common.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        self.ids.iter().map(|GameIdentifier { kind, id }| xxh3_64(id.as_bytes()) ^ *kind as u64)
    }

    /// The first id that two games have in common. Ids of the tag GameId count only if the games do
    /// not name different sites.
    pub fn same(&self, other: &GameIds<'_>) -> Option<GameIdentifier<'a>> {
        let have_same_site = self.site.is_empty() || other.site.is_empty() || self.site == other.site;
        let is_same = |id: &&GameIdentifier<'_>| other.ids.contains(id) && (id.kind != IdKind::GameId || have_same_site);
        self.ids.iter().find(is_same).copied()
    }

    /// Whether one server gave two games different ids. Then they are two games.
    pub fn differ(&self, other: &GameIds<'_>) -> bool {
        let is_of_server = |id: &&GameIdentifier<'_>| !matches!(id.kind, IdKind::Link | IdKind::GameId);
        let mut of_servers = self.ids.iter().filter(is_of_server);
        of_servers.any(|id| other.ids.iter().any(|other| other.kind == id.kind)) && self.same(other).is_none()
    }
}

/// The host and the path of an address.
fn host_and_path(address: &str) -> Option<(&str, &str)> {
    // Most values are names of places.
    let colon = memchr::memchr(b':', address.as_bytes())?;
    let rest = address.trim_end().get(colon..)?.strip_prefix("://")?;
    let (host, path) = rest.split_once('/')?;
    let end = path.find(['?', '#']).unwrap_or(path.len());
    Some((host.strip_prefix("www.").unwrap_or(host), path[..end].trim_end_matches('/')))
}

/// The id in the address of a game on a known server.
fn server_id(address: &str) -> Option<GameIdentifier<'_>> {
    match host_and_path(address)? {
        ("lichess.org", path) => {
            let (id, side) = path.split_once('/').unwrap_or((path, "white"));
            let is_id = matches!(id.len(), 8 | 12) && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let is_game = is_id && matches!(side, "white" | "black") && !LICHESS_PAGES.contains(&id);
            is_game.then(|| GameIdentifier { kind: IdKind::Lichess, id: &id[..8] })
        }
        ("chess.com", path) => {
            let (before, id) = path.rsplit_once('/')?;
            let is_game =
                !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) && before.split('/').any(|part| part == "game");
            let is_daily = before.split('/').any(|part| part == "daily");
            is_game.then_some(GameIdentifier { kind: if is_daily { IdKind::ChessComDaily } else { IdKind::ChessComLive }, id })
        }
        _ => None,
    }
}

/// The address of a game on another server: it contains a number.
fn other_link(address: &str) -> Option<GameIdentifier<'_>> {
    let (host, path) = host_and_path(address)?;
    let is_known = matches!(host, "lichess.org" | "chess.com");
    let id = address.trim().split_once("://")?.1;
    (!is_known && path.bytes().any(|byte| byte.is_ascii_digit())).then_some(GameIdentifier { kind: IdKind::Link, id })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(tags: &[(KnownTag, &'static str)]) -> GameCard<'static> {
        GameCard { tags: tags.to_vec(), ..GameCard::default() }
    }

    #[test]
    fn ids_are_read_from_addresses() {
        use KnownTag::{GameId, Link, Site};
        for (tag, text, expected) in [
            (Site, "https://lichess.org/abcdEFG1", Some((IdKind::Lichess, "abcdEFG1"))),
            (Site, "https://lichess.org/abcdEFG1/black#20", Some((IdKind::Lichess, "abcdEFG1"))),
            (Site, "https://lichess.org/abcdEFG1wxyz", Some((IdKind::Lichess, "abcdEFG1"))),
            (Site, "https://lichess.org/study/abcdEFG1", None),
            (Site, "https://lichess.org/training", None),
            (Site, "https://lichess.org", None),
            (Site, "http://example.org/open/2001", None),
            (Site, "London ENG", None),
            (Link, "https://www.chess.com/live/game/123", Some((IdKind::ChessComLive, "123"))),
            (Link, "https://www.chess.com/game/live/123?move=4", Some((IdKind::ChessComLive, "123"))),
            (Link, "https://www.chess.com/game/daily/123", Some((IdKind::ChessComDaily, "123"))),
            (Link, "https://www.chess.com/events/open-2020", None),
            (Link, "https://example.org/game?id=7", None),
            (Link, "https://example.org/game/7", Some((IdKind::Link, "example.org/game/7"))),
            (GameId, "12", None),
            (GameId, "2087450329165", Some((IdKind::GameId, "2087450329165"))),
        ] {
            let ids = GameIds::of(&card(&[(tag, text)]));
            let expected = expected.map(|(kind, id)| GameIdentifier { kind, id });
            assert_eq!(ids.as_slice().first().copied(), expected, "{text}");
        }
    }

    #[test]
    fn ids_are_compared() {
        use KnownTag::{GameId, Link, Site};
        let ids = |tags: &[(KnownTag, &'static str)]| GameIds::of(&card(tags));
        let first = ids(&[(Site, "https://lichess.org/abcdEFG1"), (GameId, "abcdEFG1")]);
        let second = ids(&[(Link, "https://lichess.org/abcdEFG1/black"), (Site, "Oslo")]);
        let third = ids(&[(Site, "https://lichess.org/abcdEFG2")]);
        assert!(first.same(&second).is_some() && second.same(&first).is_some());
        assert!(first.keys().any(|key| second.keys().any(|other| other == key)));
        assert!(first.same(&third).is_none() && first.differ(&third));
        assert!(!first.differ(&second) && !first.differ(&GameIds::default()));
        let [oslo, bergen] = ["Oslo", "Bergen"].map(|site| ids(&[(Site, site), (GameId, "123456789")]));
        assert!(oslo.same(&bergen).is_none() && oslo.same(&oslo).is_some());
        assert!(oslo.same(&ids(&[(GameId, "123456789")])).is_some());
    }
}
