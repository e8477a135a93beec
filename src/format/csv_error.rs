//! What is wrong with a row of a table, in plain words.

use csv::{DeserializeErrorKind, Error, ErrorKind, StringRecord};

use crate::text::wording::quantity;

/// Why a row cannot be read. `header` has the names of the columns, if they are known.
pub(crate) fn reason(error: &Error, header: Option<&StringRecord>) -> String {
    match error.kind() {
        ErrorKind::Io(error) => error.to_string(),
        ErrorKind::Utf8 { .. } => "the row is not valid UTF-8".to_owned(),
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the row has {}, but the header has {expected_len}", quantity(*len, "cell", "cells"))
        }
        ErrorKind::Deserialize { err, .. } => {
            let column = err.field().and_then(|field| usize::try_from(field).ok());
            let name = column.zip(header).and_then(|(column, header)| header.get(column));
            let cell = name.map_or_else(|| "a cell".to_owned(), |name| format!("`{name}`"));
            match err.kind() {
                DeserializeErrorKind::ParseInt(_) | DeserializeErrorKind::ParseFloat(_) => format!("{cell} is not a number"),
                DeserializeErrorKind::UnexpectedEndOfRow => "the row has too few cells".to_owned(),
                DeserializeErrorKind::Message(message) => message.replace("missing field", "there is no column"),
                _ => format!("{cell} cannot be read"),
            }
        }
        _ => "the row cannot be read".to_owned(),
    }
}
