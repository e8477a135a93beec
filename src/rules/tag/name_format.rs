//! TAG11: player names that contain something else.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG11"),
    name: "name-format",
    severity: Severity::Info,
    summary: "A player's name is not in the standard format",
    what: "White or Black begins or ends with a title (`GM Carlsen`), ends with a rating or a FIDE \
           country code in brackets (`Carlsen (2850)`), or has no space after its comma. Or it lists several \
           players, separated by colons, and the Elo or title tag lists another number of values. \
           Names without a comma, such as user names, are allowed. Reported once per input and \
           kind.",
    why: "The same player appears under several names.",
    fix: "Write the family name, a comma, a space and the given name. Put title, rating and \
           country in their own tags.",
    source: "PGN standard 8.1.1.5",
    fires: &[
        Sample::Tags("[White \"⟦GM Carlsen, Magnus⟧\"]"),
        Sample::Tags("[Black \"⟦Carlsen, Magnus (2850)⟧\"]"),
        Sample::Tags("[Black \"⟦Carlsen,Magnus⟧\"]"),
        Sample::Tags("[White \"⟦Keres Paul GM (EST)⟧\"]"),
        Sample::Tags("[White \"⟦Keres, Paul GM⟧\"]"),
        Sample::Tags("[White \"⟦Muzychuk, Mariya WGM⟧\"]"),
        Sample::Tags("[White \"Allen:Baker\"]\n[WhiteElo \"⟦2100⟧\"]"),
    ],
    silent: &[
        Sample::Tags("[White \"Carlsen, Magnus\"]\n[Black \"Rybka (32-bit) x\"]"),
        Sample::Tags("[White \"Maia (BOT)\"]\n[Black \"Gupta, GM\"]"),
        Sample::Tags("[White \"Gupta GM\"]\n[Black \"de Souza FM\"]"),
        Sample::Tags("[White \"Allen:Baker\"]\n[WhiteElo \"2100:2000\"]"),
    ],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    for (tag, others) in [
        (KnownTag::White, [KnownTag::WhiteElo, KnownTag::WhiteTitle]),
        (KnownTag::Black, [KnownTag::BlackElo, KnownTag::BlackTitle]),
    ] {
        let Some(pair) = facts.pair(tag) else { continue };
        let value = pair.value.of(facts.text);
        if let Some((kind, what)) = name_fault(value) {
            let found = shown(value);
            let finding = findings.add(&RULE, pair.value).message(format!("the name `{found}` {what}"));
            finding.once_per_input_and(kind).found(found);
        }
        let players = items(value);
        if players < 2 {
            continue;
        }
        for other in others {
            let Some(pair) = facts.pair(other) else { continue };
            let value = pair.value.of(facts.text);
            if matches!(value, b"" | b"-" | b"?") || items(value) == players {
                continue;
            }
            findings.add(&RULE, pair.value).once_per_input_and("list").found(shown(value)).message(format!(
                "{} lists {players} players, but {} has {}",
                tag.name(),
                other.name(),
                quantity(items(value), "value", "values")
            ));
        }
    }
}

/// The codes of FIDE for countries, and older ones in collections of games. Those of Botswana, the
/// Comoros and Guinea are left out: `(BOT)`, `(COM)` and `(GUI)` mean programs.
const COUNTRIES: &str = "AFG AHO ALB ALG AND ANG ANT ARG ARM ARU AUS AUT AZE BAH BAN BAR BDI BEL BEN BER BHU BIH BIZ BLR BOL \
    BRA BRN BRU BUL BUR CAF CAM CAN CAY CGO CHA CHI CHN CIV CMR COD COL CPV CRC CRO CUB CYP CZE DEN DJI DMA DOM \
    ECU EGY ENG ERI ESA ESP EST ETH FAI FIJ FIN FRA FRG GAB GAM GBR GCI GDR GEO GEQ GER GHA GRE GRL GRN GUA GUM GUY HAI HKG \
    HON HUN INA IND IOM IRI IRL IRQ ISL ISR ISV ITA IVB JAM JCI JOR JPN KAZ KEN KGZ KOR KOS KSA KUW LAO LAT LBA LBN \
    LBR LCA LES LIE LTU LUX MAC MAD MAR MAS MAW MDA MDV MEX MGL MKD MLI MLT MNC MNE MOZ MRI MTN MYA NAM NCA NCL NED NEP \
    NGR NIG NOR NRU NZL OMA PAK PAN PAR PER PHI PLE PLW PNG POL POR PUR QAT ROM ROU RSA RUS RWA SCG SCO SEN SEY SGP SIN SKN SLE SLO \
    SMR SOL SOM SRB SRI SSD STP SUD SUI SUR SVK SWE SWZ SYR TAN TCH TGA THA TJK TKM TLS TOG TPE TTO TUN TUR UAE UGA UKR \
    URS URU USA UZB VAN VEN VIE VIN WLS YEM YUG ZAM ZIM";

/// The number of items in a list separated by colons.
fn items(value: &[u8]) -> usize {
    memchr::memchr_iter(b':', value).count() + 1
}

/// Whether a word is a title of FIDE.
const fn is_title(word: &[u8]) -> bool {
    matches!(word, b"GM" | b"IM" | b"FM" | b"CM" | b"WGM" | b"WIM" | b"WFM" | b"WCM")
}

/// Whether a name ends with a title: after a comma and a given name, or after two names. Right
/// after a comma or a single name, the letters may be initials.
fn ends_with_title(name: &[u8]) -> bool {
    let words: Vec<&[u8]> = name.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [first, .., before, title] => {
            is_title(title) && !before.ends_with(b",") && (first.ends_with(b",") || !first[0].is_ascii_lowercase())
        }
        _ => false,
    }
}

/// What is wrong with a name: a key for its kind, and the end of a sentence. A comma may follow a
/// digit, or come before anything but an ASCII letter.
pub(crate) fn name_fault(name: &[u8]) -> Option<(&'static str, &'static str)> {
    let title = name.iter().position(|byte| *byte == b' ').map(|end| &name[..end]);
    if title.is_some_and(is_title) {
        return Some(("title", "begins with a title"));
    }
    if name.ends_with(b"M") && ends_with_title(name) {
        return Some(("title at the end", "ends with a title"));
    }
    if let Some(open) = memchr::memrchr(b'(', name)
        && let Some(inside) = name[open + 1..].strip_suffix(b")")
    {
        let rating = inside.len() == 4 && inside.iter().all(u8::is_ascii_digit);
        let country = inside.len() == 3 && COUNTRIES.split(' ').any(|code| code.as_bytes() == inside);
        if rating || country {
            return Some(("brackets", "ends with a rating or a country in brackets"));
        }
    }
    let comma = memchr::memchr(b',', name)?;
    let next = *name.get(comma + 1)?;
    (next.is_ascii_alphabetic() && name[..comma].iter().all(|byte| !byte.is_ascii_digit()))
        .then_some(("comma", "has no space after its comma"))
}
