//! Parquet files: the tables of a report with their types.

use std::{fs::File, io, path::Path, sync::Arc};

use parquet::{
    basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel},
    column::writer::ColumnWriter,
    data_type::ByteArray,
    errors::ParquetError,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::types::Type,
};

use super::{
    columns::{Column, Kind},
    digest::Digesting,
};

/// Number of rows that are written at once. They are in memory until then.
const ROWS_AT_ONCE: usize = 1 << 14;

/// The cells of a column that are not written yet. Empty cells have no value.
#[derive(Debug)]
enum Cells {
    Texts(Vec<ByteArray>),
    Integers(Vec<i64>),
    Decimals(Vec<f64>),
    Booleans(Vec<bool>),
}

impl Cells {
    const fn of(kind: Kind) -> Cells {
        match kind {
            Kind::Text | Kind::List | Kind::Word(_) | Kind::Date => Cells::Texts(Vec::new()),
            Kind::Integer => Cells::Integers(Vec::new()),
            Kind::Decimal => Cells::Decimals(Vec::new()),
            Kind::Boolean => Cells::Booleans(Vec::new()),
        }
    }

    const fn physical(&self) -> Physical {
        match self {
            Cells::Texts(_) => Physical::BYTE_ARRAY,
            Cells::Integers(_) => Physical::INT64,
            Cells::Decimals(_) => Physical::DOUBLE,
            Cells::Booleans(_) => Physical::BOOLEAN,
        }
    }

    /// Adds a cell. Returns false if it is not of the type of the column.
    fn push(&mut self, text: &str) -> bool {
        fn add<T>(values: &mut Vec<T>, value: Option<T>) -> bool {
            let is_one = value.is_some();
            values.extend(value);
            is_one
        }
        match self {
            Cells::Texts(values) => add(values, Some(text.into())),
            Cells::Integers(values) => add(values, text.parse().ok()),
            Cells::Decimals(values) => add(values, text.parse().ok()),
            Cells::Booleans(values) => add(values, text.parse().ok()),
        }
    }
}

/// A column, and its cells that are not written yet.
#[derive(Debug)]
struct Buffer {
    is_optional: bool,
    cells: Cells,
    /// For each row whether there is a value: 1 or 0.
    levels: Vec<i16>,
}

impl Buffer {
    fn write(&mut self, to: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = self.is_optional.then_some(self.levels.as_slice());
        match (to, &mut self.cells) {
            (ColumnWriter::ByteArrayColumnWriter(to), Cells::Texts(values)) => _ = to.write_batch(values, levels, None)?,
            (ColumnWriter::Int64ColumnWriter(to), Cells::Integers(values)) => _ = to.write_batch(values, levels, None)?,
            (ColumnWriter::DoubleColumnWriter(to), Cells::Decimals(values)) => _ = to.write_batch(values, levels, None)?,
            (ColumnWriter::BoolColumnWriter(to), Cells::Booleans(values)) => _ = to.write_batch(values, levels, None)?,
            _ => return Err(ParquetError::General("a column has another type than its cells".to_owned())),
        }
        self.levels.clear();
        match &mut self.cells {
            Cells::Texts(values) => values.clear(),
            Cells::Integers(values) => values.clear(),
            Cells::Decimals(values) => values.clear(),
            Cells::Booleans(values) => values.clear(),
        }
        Ok(())
    }
}

/// A Parquet file that is being written.
pub(super) struct ParquetFile {
    writer: SerializedFileWriter<Digesting<File>>,
    columns: Vec<Buffer>,
    /// The column of the next cell.
    next: usize,
    rows: usize,
}

impl std::fmt::Debug for ParquetFile {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ParquetFile").field("columns", &self.columns).finish_non_exhaustive()
    }
}

impl ParquetFile {
    pub fn create(path: &Path, columns: &[Column]) -> io::Result<ParquetFile> {
        let fields = columns.iter().map(|column| {
            let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
            let physical = Cells::of(column.kind).physical();
            let logical = (physical == Physical::BYTE_ARRAY).then_some(LogicalType::String);
            let field = Type::primitive_type_builder(column.name, physical).with_repetition(repetition);
            field.with_logical_type(logical).build().map(Arc::new)
        });
        let fields = fields.collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let schema = Type::group_type_builder("schema").with_fields(fields).build().map_err(failed)?;
        let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
        let file = Digesting::new(File::create_new(path)?);
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
        let buffer = |column: &Column| Buffer { is_optional: column.optional, cells: Cells::of(column.kind), levels: Vec::new() };
        Ok(ParquetFile { writer, columns: columns.iter().map(buffer).collect(), next: 0, rows: 0 })
    }

    /// Adds a cell.
    pub fn cell(&mut self, text: &str) -> io::Result<()> {
        let column = self.columns.get_mut(self.next).ok_or_else(|| io::Error::other("a row has too many cells"))?;
        self.next += 1;
        let has_value = !(text.is_empty() && column.is_optional);
        column.levels.push(i16::from(has_value));
        if has_value && !column.cells.push(text) {
            return Err(io::Error::other(format!("`{text}` is not of the type of column {}", self.next)));
        }
        Ok(())
    }

    /// Ends a row.
    pub fn end_row(&mut self) -> io::Result<()> {
        self.next = 0;
        self.rows += 1;
        if self.rows < ROWS_AT_ONCE { Ok(()) } else { self.write().map_err(failed) }
    }

    fn write(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        let mut columns = self.columns.iter_mut();
        while let (Some(mut writer), Some(column)) = (group.next_column()?, columns.next()) {
            column.write(writer.untyped())?;
            writer.close()?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }

    /// Writes what is left. Returns the file and the digest of its bytes.
    pub fn end(mut self) -> io::Result<(File, String)> {
        if self.rows > 0 {
            self.write().map_err(failed)?;
        }
        let file = self.writer.into_inner().map_err(failed)?;
        let digest = file.digest();
        Ok((file.into_inner(), digest))
    }
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}
