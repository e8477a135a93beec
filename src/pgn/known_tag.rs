//! Tags with a known meaning: those of the PGN standard, and those that servers and programs have
//! added.

/// Lists the tags: the name in the code and the name as written.
macro_rules! known_tags {
    ($($tag:ident = $name:literal,)*) => {
        /// A tag with a known meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum KnownTag {
            $(#[doc = concat!("`", $name, "`")] $tag,)*
        }

        impl KnownTag {
            /// All known tags.
            pub const ALL: &[KnownTag] = &[$(KnownTag::$tag,)*];

            /// The tag with this name. Names are case-sensitive.
            pub fn named(name: &[u8]) -> Option<KnownTag> {
                match std::str::from_utf8(name).ok()? {
                    $($name => Some(KnownTag::$tag),)*
                    _ => None,
                }
            }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_is_found_by_its_name() {
        for (index, tag) in KnownTag::ALL.iter().enumerate() {
            assert_eq!(KnownTag::named(tag.name().as_bytes()), Some(*tag));
            assert_eq!(*tag as usize, index);
        }
        assert_eq!(KnownTag::named(b"event"), None);
        assert_eq!(KnownTag::named(b"Event\xE1"), None);
    }
}
