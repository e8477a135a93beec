//! JSON that is safe to print on a terminal.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use crate::text::wording::is_printable;

/// Writes `value` as JSON on one line. All characters that are not printable are escaped as
/// `\u001b`, not only those that JSON requires, because a terminal obeys others too.
pub fn write_json(to: impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(to, Safe(CompactFormatter))).map_err(io::Error::from)
}

/// The same as [`write_json`] on several lines, with indentation.
pub fn write_json_pretty(to: impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(to, Safe(PrettyFormatter::new()))).map_err(io::Error::from)
}

/// A formatter that escapes all characters that are not printable.
struct Safe<F>(F);

macro_rules! delegate {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        $(fn $name<W: ?Sized + Write>(&mut self, to: &mut W, $($argument: $type),*) -> io::Result<()> {
            self.0.$name(to, $($argument),*)
        })*
    };
}

impl<F: Formatter> Formatter for Safe<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, to: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(|character| !is_printable(character)) {
            to.write_all(&rest.as_bytes()[..at])?;
            let mut characters = rest[at..].chars();
            for unit in characters.next().iter().flat_map(|character| character.encode_utf16(&mut [0; 2]).to_vec()) {
                write!(to, "\\u{unit:04x}")?;
            }
            rest = characters.as_str();
        }
        to.write_all(rest.as_bytes())
    }

    delegate! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        begin_object_value();
        end_object_value();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn characters_are_escaped_and_not_lost() -> io::Result<()> {
        let value = json!({"a\u{9b}": ["\x1b[31m\n\x7f\u{202e}", "Müller \"♔\"", 1, null], "b": {}, "c": []});
        let mut line = Vec::new();
        write_json(&mut line, &value)?;
        let expected = r#"{"a\u009b":["\u001b[31m\n\u007f\u202e","Müller \"♔\"",1,null],"b":{},"c":[]}"#;
        assert_eq!(String::from_utf8_lossy(&line), expected);
        let mut lines = Vec::new();
        write_json_pretty(&mut lines, &value)?;
        assert_eq!(
            String::from_utf8_lossy(&lines),
            serde_json::to_string_pretty(&value)?
                .replace('\u{9b}', "\\u009b")
                .replace('\x7f', "\\u007f")
                .replace('\u{202e}', "\\u202e")
        );
        assert_eq!(serde_json::from_slice::<Value>(&lines)?, value);
        Ok(())
    }
}
