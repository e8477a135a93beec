//! Parquet files as tables: the text is a CSV table with the same columns and rows.

use std::io::{self, Read};

use parquet::{
    errors::ParquetError,
    file::{
        reader::{ChunkReader, FileReader, Length},
        serialized_reader::SerializedFileReader,
    },
    record::{Field, Row, reader::RowIter},
};

use crate::corpus::{Bytes, BytesReader, failing::Failing};

/// The text of a file.
pub(super) fn table(packed: Bytes) -> Box<dyn Read + Send> {
    match TableText::new(packed) {
        Ok(text) => Box::new(text),
        Err(error) => Box::new(Failing(Some(damaged(error)))),
    }
}

/// The bytes of a file, which the reader takes in pieces.
#[derive(Clone, Debug)]
struct Packed(Bytes);

impl Length for Packed {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

impl ChunkReader for Packed {
    type T = BytesReader;

    fn get_read(&self, start: u64) -> Result<BytesReader, ParquetError> {
        Ok(BytesReader::new(&self.0, usize::try_from(start)?..self.0.len()))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<bytes::Bytes, ParquetError> {
        let start = usize::try_from(start)?;
        let mut piece = Vec::new();
        BytesReader::new(&self.0, start..start.saturating_add(length)).read_to_end(&mut piece)?;
        if piece.len() < length {
            return Err(ParquetError::EOF("the file is cut off".to_owned()));
        }
        Ok(piece.into())
    }
}

/// Writes the rows as text, one after the other.
struct TableText {
    rows: RowIter<'static>,
    writer: csv::Writer<Vec<u8>>,
    text: io::Cursor<Vec<u8>>,
}

impl TableText {
    fn new(packed: Bytes) -> Result<TableText, ParquetError> {
        let reader = SerializedFileReader::new(Packed(packed))?;
        let columns = reader.metadata().file_metadata().schema().get_fields().iter();
        let mut writer = csv::Writer::from_writer(Vec::new());
        let header = writer.write_record(columns.map(|column| column.name()));
        header.map_err(|error| ParquetError::External(Box::new(error)))?;
        Ok(TableText { rows: RowIter::from_file_into(Box::new(reader)), writer, text: io::Cursor::default() })
    }

    /// Writes the next row, if there is one, after what is already written.
    fn next(&mut self) -> io::Result<()> {
        if let Some(row) = self.rows.next() {
            let row: Row = row.map_err(damaged)?;
            self.writer.write_record(row.get_column_iter().map(|(_, field)| cell(field)))?;
        }
        let text = std::mem::replace(&mut self.writer, csv::Writer::from_writer(Vec::new()));
        self.text = io::Cursor::new(text.into_inner().map_err(csv::IntoInnerError::into_error)?);
        Ok(())
    }
}

impl Read for TableText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        self.next()?;
        self.text.read(buffer)
    }
}

/// A value as a cell. Values that are not known are empty.
fn cell(field: &Field) -> Vec<u8> {
    match field {
        Field::Null => Vec::new(),
        Field::Str(text) => text.clone().into_bytes(),
        Field::Bytes(bytes) => bytes.data().to_vec(),
        other => other.to_string().into_bytes(),
    }
}

fn damaged(error: ParquetError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the Parquet file is damaged or not supported: {error}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parquet::{
        data_type::{ByteArray, ByteArrayType, Int64Type},
        file::writer::SerializedFileWriter,
        schema::parser::parse_message_type,
    };

    use super::*;

    /// A file with a position, an empty cell, and one that needs quotes.
    fn file() -> Vec<u8> {
        let schema = "message table { REQUIRED INT64 Id; OPTIONAL BYTE_ARRAY FEN (STRING); }";
        let schema = Arc::new(parse_message_type(schema).expect("a schema"));
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).expect("memory can be written");
        let mut group = writer.next_row_group().expect("a group");
        let mut column = group.next_column().expect("a column").expect("a column");
        column.typed::<Int64Type>().write_batch(&[7, 8, 9], None, None).expect("memory can be written");
        column.close().expect("memory can be written");
        let mut column = group.next_column().expect("a column").expect("a column");
        let texts = ["8/8/8/8/8/8/4P3/4K2k w - - 0 1", "a, \"b\""].map(ByteArray::from);
        column.typed::<ByteArrayType>().write_batch(&texts, Some(&[1, 0, 1]), None).expect("memory can be written");
        column.close().expect("memory can be written");
        group.close().expect("memory can be written");
        writer.into_inner().expect("memory can be written")
    }

    #[test]
    fn the_text_is_a_table() {
        let mut text = String::new();
        table(Bytes::from(Arc::from(file()))).read_to_string(&mut text).expect("a table");
        assert_eq!(text, "Id,FEN\n7,8/8/8/8/8/8/4P3/4K2k w - - 0 1\n8,\n9,\"a, \"\"b\"\"\"\n");
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        let whole = file();
        for end in 4..whole.len() {
            let read = table(Bytes::from(Arc::from(&whole[..end]))).read_to_end(&mut Vec::new());
            assert_eq!(read.expect_err("it is cut off").kind(), io::ErrorKind::InvalidData, "{end}");
        }
    }
}
