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
    /// The speed of a game: that of its time control, else that in the name of its event or site.
    /// Many sources leave out that an event was fast, so that a missing speed says nothing.
    /// Also returns the value that says so.
    pub fn of<'a>(card: &GameCard<'a>) -> Option<(Speed, &'a str)> {
        let [time_control, event, site] = [KnownTag::TimeControl, KnownTag::Event, KnownTag::Site].map(|tag| card.tag(tag));
        let speeds = [
            (Speed::of_time_control(time_control), time_control),
            (Speed::of_event(event), event),
            (Speed::of_event(site), site),
        ];
        speeds.into_iter().find_map(|(speed, text)| Some((speed?, text)))
    }

    /// Reads the first period: `300+2`, `40/7200:3600` or `5400`. 40 moves are counted for
    /// increments.
    pub fn of_time_control(text: &str) -> Option<Speed> {
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

    /// Whether only engines play with this time control: it counts parts of a second.
    pub fn is_of_engines(time_control: &str) -> bool {
        let parts = time_control.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
        parts.filter_map(|part| part.split_once('.')).any(|(whole, part)| !whole.is_empty() && !part.is_empty())
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
            assert_eq!(Speed::of(&card(event, time_control)).map(|(speed, _)| speed), speed, "{event} {time_control}");
        }
    }

    #[test]
    fn engines_count_parts_of_a_second() {
        for text in ["8+0.08", "40/10.5:5", "movetime: 0.1"] {
            assert!(Speed::is_of_engines(text), "{text}");
        }
        for text in ["", "?", "300+2", "40/7200:3600", "5.", "G/90. +30"] {
            assert!(!Speed::is_of_engines(text), "{text}");
        }
    }
}
