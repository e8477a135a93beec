//! How fast a game was played, as far as its tags say.

use super::GameCard;
use crate::pgn::KnownTag;

/// The speed of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// Less than three minutes a side.
    Bullet,
    /// Less than ten minutes a side.
    Blitz,
    /// Less than an hour a side.
    Rapid,
    /// An hour or more a side.
    Classical,
}

impl Speed {
    /// The speed of a game: that of its time control, else that of the name of its event.
    pub fn of(card: &GameCard<'_>) -> Option<Speed> {
        Speed::of_time_control(card.tag(KnownTag::TimeControl)).or_else(|| Speed::of_event(card.tag(KnownTag::Event)))
    }

    /// Reads the first period: `300+2`, `40/7200:3600` or `5400`. 40 moves are counted for increments.
    fn of_time_control(text: &str) -> Option<Speed> {
        let period = text.trim().split(':').next()?;
        let time = period.rsplit('/').next()?;
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let seconds = base.parse::<f64>().ok()? + 40.0 * increment.parse::<f64>().ok()?;
        Some(match seconds {
            ..180.0 => Speed::Bullet,
            ..600.0 => Speed::Blitz,
            ..3600.0 => Speed::Rapid,
            _ => Speed::Classical,
        })
    }

    fn of_event(text: &str) -> Option<Speed> {
        let has = |word: &str| text.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()));
        if has("bullet") {
            Some(Speed::Bullet)
        } else if has("blitz") || has("armageddon") {
            Some(Speed::Blitz)
        } else if has("rapid") || has("active") {
            Some(Speed::Rapid)
        } else {
            None
        }
    }

    /// Whether two games were played at different speeds. An event that is named after no speed is not fast, unless the other
    /// game has no event.
    pub fn differ(one: &GameCard<'_>, other: &GameCard<'_>) -> bool {
        match (Speed::of(one), Speed::of(other)) {
            (Some(one), Some(other)) => one != other,
            (Some(speed), None) => speed != Speed::Classical && !other.tag(KnownTag::Event).is_empty(),
            (None, Some(speed)) => speed != Speed::Classical && !one.tag(KnownTag::Event).is_empty(),
            (None, None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(event: &'static str, time_control: &'static str) -> GameCard<'static> {
        let tags = [(KnownTag::Event, event), (KnownTag::TimeControl, time_control)];
        GameCard { tags: tags.into_iter().filter(|(_, value)| !value.is_empty()).collect(), ..GameCard::default() }
    }

    #[test]
    fn time_controls_and_events_have_a_speed() {
        for (event, time_control, speed) in [
            ("Rated game", "60+0", Some(Speed::Bullet)),
            ("", "180+2", Some(Speed::Blitz)),
            ("", "900+10", Some(Speed::Rapid)),
            ("", "40/7200:3600", Some(Speed::Classical)),
            ("World BLITZ", "", Some(Speed::Blitz)),
            ("Rapidplay Open", "", Some(Speed::Rapid)),
            ("Hastings", "", None),
            ("Hastings", "movetime: 0.1", None),
            ("", "", None),
        ] {
            assert_eq!(Speed::of(&card(event, time_control)), speed, "{event} {time_control}");
        }
    }

    #[test]
    fn different_speeds_are_seen() {
        for (one, other, differ) in [
            (("", "300"), ("", "180+2"), false),
            (("", "300"), ("", "5400+30"), true),
            (("Moscow Blitz", ""), ("Moscow Rapid", ""), true),
            (("Moscow Blitz", ""), ("Moscow", ""), true),
            (("Moscow Blitz", ""), ("", ""), false),
            (("", "5400+30"), ("Moscow", ""), false),
            (("Moscow", ""), ("Hastings", ""), false),
        ] {
            let (first, second) = (card(one.0, one.1), card(other.0, other.1));
            assert_eq!(Speed::differ(&first, &second), differ, "{one:?} {other:?}");
            assert_eq!(Speed::differ(&second, &first), differ, "{other:?} {one:?}");
        }
    }
}
