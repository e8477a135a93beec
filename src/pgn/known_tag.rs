//! Tags with a known meaning: those of the PGN standard, and those that servers and programs have
//! added.

/// Lists the tags: the name in the code and the name as written.
macro_rules! known_tags {
    ($($tag:ident = $name:literal,)*) => {
        /// A tag with a known meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum KnownTag {
            $(#[doc = concat!("`", $name, "`")] $tag,)*
        }

        impl KnownTag {
            /// All known tags.
            pub const ALL: &[KnownTag] = &[$(KnownTag::$tag,)*];

            /// The name as written.
            pub const fn name(self) -> &'static str {
                match self {
                    $(KnownTag::$tag => $name,)*
                }
            }
        }
    };
}

known_tags! {
    // The seven tag roster (PGN standard 8.1.1).
    Event = "Event",
    Site = "Site",
    Date = "Date",
    Round = "Round",
    White = "White",
    Black = "Black",
    Result = "Result",
    // Supplemental tags (PGN standard 9).
    WhiteTitle = "WhiteTitle",
    BlackTitle = "BlackTitle",
    WhiteElo = "WhiteElo",
    BlackElo = "BlackElo",
    WhiteUscf = "WhiteUSCF",
    BlackUscf = "BlackUSCF",
    WhiteNa = "WhiteNA",
    BlackNa = "BlackNA",
    WhiteType = "WhiteType",
    BlackType = "BlackType",
    EventDate = "EventDate",
    EventSponsor = "EventSponsor",
    Section = "Section",
    Stage = "Stage",
    Board = "Board",
    Opening = "Opening",
    Variation = "Variation",
    SubVariation = "SubVariation",
    Eco = "ECO",
    Nic = "NIC",
    Time = "Time",
    UtcTime = "UTCTime",
    UtcDate = "UTCDate",
    TimeControl = "TimeControl",
    SetUp = "SetUp",
    Fen = "FEN",
    Termination = "Termination",
    Annotator = "Annotator",
    Mode = "Mode",
    PlyCount = "PlyCount",
    // Used by XBoard, ChessBase, TWIC, Lichess, chess.com and cutechess.
    Variant = "Variant",
    WhiteTeam = "WhiteTeam",
    BlackTeam = "BlackTeam",
    WhiteTeamCountry = "WhiteTeamCountry",
    BlackTeamCountry = "BlackTeamCountry",
    WhiteFideId = "WhiteFideId",
    BlackFideId = "BlackFideId",
    WhiteRatingDiff = "WhiteRatingDiff",
    BlackRatingDiff = "BlackRatingDiff",
    WhiteClock = "WhiteClock",
    BlackClock = "BlackClock",
    EventType = "EventType",
    EventRounds = "EventRounds",
    EventCountry = "EventCountry",
    EventCategory = "EventCategory",
    Source = "Source",
    SourceTitle = "SourceTitle",
    SourceDate = "SourceDate",
    SourceVersion = "SourceVersion",
    SourceQuality = "SourceQuality",
    Table = "Table",
    GameId = "GameId",
    Link = "Link",
    EcoUrl = "ECOUrl",
    CurrentPosition = "CurrentPosition",
    Timezone = "Timezone",
    StartTime = "StartTime",
    EndDate = "EndDate",
    EndTime = "EndTime",
    GameStartTime = "GameStartTime",
    GameEndTime = "GameEndTime",
    GameDuration = "GameDuration",
    TerminationDetails = "TerminationDetails",
    StudyName = "StudyName",
    ChapterName = "ChapterName",
    ChapterUrl = "ChapterURL",
    Orientation = "Orientation",
}

impl KnownTag {
    /// The tag with this name. Names are case-sensitive.
    pub fn named(name: &[u8]) -> Option<KnownTag> {
        let mut bytes = [0; MAX_SHORT];
        let Some(start) = bytes.get_mut(..name.len()) else {
            return KnownTag::ALL.iter().copied().find(|tag| tag.name().as_bytes() == name);
        };
        start.copy_from_slice(name);
        let [first, second] = bytes.as_chunks().0 else { return None };
        let words = (u64::from_le_bytes(*first), u64::from_le_bytes(*second));
        KnownTag::of_words(words).filter(|tag| tag.name().len() == name.len())
    }

    /// The tag whose name has these bytes, the first one lowest, and zeros after them. Tags with
    /// names of more than 16 bytes are not found.
    #[inline(always)]
    pub fn of_words(words: (u64, u64)) -> Option<KnownTag> {
        let mut place = hash(words);
        while let Some((name, tag)) = SHORT_NAMES.get(place).copied().flatten() {
            if name == words {
                return Some(tag);
            }
            place += 1;
        }
        None
    }
}

/// Maximum length of a name in the table, in bytes.
const MAX_SHORT: usize = 16;

/// A hash table of the tags by the words of their names. Collisions go to the next free entry.
static SHORT_NAMES: [Option<((u64, u64), KnownTag)>; 256 + 8] = {
    let mut names = [None; 256 + 8];
    let mut index = 0;
    while index < KnownTag::ALL.len() {
        let tag = KnownTag::ALL[index];
        let name = tag.name().as_bytes();
        if name.len() <= MAX_SHORT {
            let words = words_of(name);
            let mut place = hash(words);
            while names[place].is_some() {
                place += 1;
            }
            names[place] = Some((words, tag));
        }
        index += 1;
    }
    names
};

const fn hash(words: (u64, u64)) -> usize {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    ((words.0 ^ words.1.rotate_left(29)).wrapping_mul(FACTOR) >> 56) as usize
}

const fn words_of(name: &[u8]) -> (u64, u64) {
    let (mut words, mut index) = ((0, 0), 0);
    while index < name.len() {
        if index < 8 {
            words.0 |= (name[index] as u64) << (8 * index);
        } else {
            words.1 |= (name[index] as u64) << (8 * (index - 8));
        }
        index += 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_is_found_by_its_name() {
        for (index, tag) in KnownTag::ALL.iter().enumerate() {
            assert_eq!(KnownTag::named(tag.name().as_bytes()), Some(*tag));
            assert_eq!(*tag as usize, index);
        }
        for other in [&b"event"[..], b"", b"Even", b"Event\0", b"Events", b"TerminationDetail", b"TerminationDetailss"] {
            assert_eq!(KnownTag::named(other), None, "{other:?}");
        }
        assert_eq!(KnownTag::named(b"Event\xE1"), None);
    }
}
