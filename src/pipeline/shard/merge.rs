//! Audits shards, and makes one report of their parts.

use std::{
    io::{self, Write},
    sync::{Arc, atomic::AtomicBool},
};

use rayon::ThreadPool;

use super::{Piece, Shard, check::Part, part::Reporting, part_lines::PartEnd, recorder::Recorder};
use crate::pipeline::{
    Audit, Progress, RunSummary, Sink,
    emit::{Collector, Emitter, OpenInput},
    input_piece::{Begin, PieceOfInput, PieceRead},
    run::Run,
    stream::CONTEXT,
};

/// Where the text of a piece of a compressed input begins, while its place in the input is unknown.
/// It is beyond the header of any table.
const UNKNOWN_BASE: u64 = 1 << 20;

/// What happens to shards whose guess was wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redo {
    /// The indices of these shards.
    pub shards: Vec<usize>,
}

/// Parts cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A part is not what a shard has written.
    #[error("{source}")]
    Part {
        /// The index of the shard.
        shard: usize,
        /// What is wrong with it.
        source: io::Error,
    },
    /// The report cannot be written, or threads cannot be created.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Opens the part of the shard with this index.
pub type OpenPart<'p> = dyn FnMut(usize) -> Result<Part<'p>, MergeError> + 'p;

impl Audit {
    /// Audits a shard and writes what it has read to `to`. Returns how it ended, or `None` if
    /// `stop` was set.
    pub fn shard(
        &self,
        shard: &Shard,
        to: &mut dyn Write,
        progress: &dyn Progress,
        stop: &AtomicBool,
    ) -> io::Result<Option<PartEnd>> {
        self.shard_with(shard, to, progress, stop, CONTEXT)
    }

    pub(super) fn shard_with(
        &self,
        shard: &Shard,
        to: &mut dyn Write,
        progress: &dyn Progress,
        stop: &AtomicBool,
        context: usize,
    ) -> io::Result<Option<PartEnd>> {
        let pool = self.pool()?;
        let mut recorder = Recorder::new(to, shard, &self.settings, progress);
        let mut end = pool.in_place_scope(|scope| {
            let mut run = Run::new(&self.settings, &pool, scope, stop, &mut recorder);
            match shard {
                Shard::Inputs(inputs) => {
                    let inputs = inputs.iter().map(|planned| planned.input.clone()).collect();
                    run.inputs(inputs).map(|()| PartEnd::default())
                }
                Shard::Piece(piece) => {
                    let (mut open, read) = run.piece(&piece.input, &piece.to_read(context), None)?;
                    // A file of another size is not read.
                    open.file.size = read.is_some().then_some(piece.size);
                    recorder.close(open)?;
                    Ok(PartEnd { piece: read, ..PartEnd::default() })
                }
            }
        })?;
        (end.unread, end.totals) = recorder.finish()?;
        to.flush()?;
        Ok((!stop.load(std::sync::atomic::Ordering::Relaxed)).then_some(end))
    }

    /// Reports the parts of `shards` to `sink`, as if one machine had audited all inputs. Pieces
    /// whose guess was wrong are audited again; `again` receives their indices.
    pub fn merge(
        &self,
        shards: &[Shard],
        open: &mut OpenPart<'_>,
        sink: &mut dyn Sink,
        progress: &dyn Progress,
        stop: &AtomicBool,
        again: &mut dyn FnMut(usize),
    ) -> Result<RunSummary, MergeError> {
        self.merge_with(shards, open, (sink, progress), stop, again, CONTEXT)
    }

    pub(super) fn merge_with(
        &self,
        shards: &[Shard],
        open: &mut OpenPart<'_>,
        (sink, progress): (&mut dyn Sink, &dyn Progress),
        stop: &AtomicBool,
        again: &mut dyn FnMut(usize),
        context: usize,
    ) -> Result<RunSummary, MergeError> {
        let pool = self.pool()?;
        let mut merging = Merging {
            audit: self,
            pool: &pool,
            stop,
            emitter: Emitter::new(sink, progress, &self.settings),
            context,
            pieces: Pieces::default(),
            open: None,
        };
        for (index, shard) in shards.iter().enumerate() {
            if stop.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
            let part = open(index)?;
            if merging.shard(shard, part).map_err(|source| blame(index, source))? {
                again(index);
            }
        }
        Ok(self.summary(merging.emitter, &pool, stop)?)
    }

    /// The shards that [`Audit::merge`] would audit again, as far as their ends show it.
    pub fn shards_to_redo(shards: &[Shard], ends: &[PartEnd]) -> Redo {
        let mut pieces = Pieces::default();
        let mut redo = Redo::default();
        // Whether it is unknown where the next record begins, because a shard has to be audited
        // again.
        let mut is_open = false;
        for (index, (shard, end)) in shards.iter().zip(ends).enumerate() {
            let Shard::Piece(piece) = shard else { continue };
            if piece.range.from == 0 {
                pieces = Pieces::default();
                is_open = false;
            }
            let Some(read) = end.piece.as_ref().filter(|_| !pieces.has_ended) else {
                pieces.has_ended = true;
                continue;
            };
            // Most probably the next guess is right then.
            if is_open && let Some(start) = read.start {
                pieces.position = pieces.base.saturating_add(start);
                is_open = false;
            }
            if is_open {
                pieces.pass(read);
                continue;
            }
            is_open = pieces.next(piece, read) == Next::Again;
            if is_open {
                redo.shards.push(index);
            }
            pieces.add(piece, read);
        }
        redo
    }
}

/// An error in the part of a shard, or elsewhere.
fn blame(shard: usize, source: io::Error) -> MergeError {
    match source.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => MergeError::Part { shard, source },
        _ => MergeError::Io(source),
    }
}

impl Piece {
    /// The piece as a shard reads it, not knowing those before it.
    fn to_read(&self, context: usize) -> PieceOfInput {
        let from = self.range.from;
        let begin = if from == 0 { Begin::AtStart } else { Begin::Guessed };
        PieceOfInput { packing: self.packing, from, to: self.range.to, size: self.size, base: self.base(), begin, context }
    }

    /// Where its text begins for the shard.
    pub(super) const fn base(&self) -> u64 {
        match (self.packing, self.range.from) {
            (None, from) => from,
            (Some(_), 0) => 0,
            (Some(_), _) => UNKNOWN_BASE,
        }
    }
}

/// The pieces of an input that were merged so far.
#[derive(Debug, Default)]
struct Pieces {
    /// The start of the next record in the input, and that of its line.
    position: u64,
    line_start: u64,
    /// Where the text of the next piece begins.
    base: u64,
    /// The pieces so far: where they begin in the file and in the text.
    known: Vec<(u64, u64)>,
    /// Whether nothing follows.
    has_ended: bool,
}

/// What is to be done with a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Its part is reported.
    Report,
    /// All its records belong to earlier pieces.
    Nothing,
    /// It is audited again, because its guess was wrong.
    Again,
}

impl Pieces {
    fn next(&self, piece: &Piece, read: &PieceRead) -> Next {
        let end = self.base.saturating_add(read.target.unwrap_or(read.length));
        // Its compressed text did not end where the next piece begins, so what follows it is not
        // known.
        let is_endless = piece.range.to.is_some() && read.target.is_none() && read.failure.is_none();
        if piece.packing.is_some() && is_endless {
            Next::Again
        } else if self.position >= end {
            Next::Nothing
        } else if read.start.map(|start| self.base.saturating_add(start)) == Some(self.position) {
            Next::Report
        } else {
            Next::Again
        }
    }

    /// Goes on after a piece.
    fn add(&mut self, piece: &Piece, read: &PieceRead) {
        let next = self.base.saturating_add(read.next);
        if read.start.is_some() && next > self.position {
            self.position = next;
            self.line_start = self.base.saturating_add(read.line_start);
        }
        self.known.push((piece.range.from, self.base));
        self.pass(read);
    }

    /// Moves to the end of the text of a piece.
    fn pass(&mut self, read: &PieceRead) {
        self.base = self.base.saturating_add(read.length);
        self.has_ended = read.target.is_none();
    }
}

/// A merge in progress.
struct Merging<'m, 'a> {
    audit: &'m Audit,
    pool: &'m Arc<ThreadPool>,
    stop: &'m AtomicBool,
    emitter: Emitter<'a>,
    context: usize,
    pieces: Pieces,
    /// The input whose pieces are being reported.
    open: Option<Box<OpenInput>>,
}

impl Merging<'_, '_> {
    /// Reports a shard. Returns whether it was audited again.
    fn shard(&mut self, shard: &Shard, mut part: Part<'_>) -> io::Result<bool> {
        let Shard::Piece(piece) = shard else {
            Reporting::new(&mut self.emitter, None).inputs(shard, &mut part)?;
            return Ok(false);
        };
        if piece.range.from == 0 {
            self.pieces = Pieces::default();
        }
        let mut is_again = false;
        if !self.pieces.has_ended {
            is_again = self.piece(shard, piece, part)?;
        }
        if piece.range.to.is_none()
            && let Some(open) = self.open.take()
        {
            self.emitter.close(open)?;
        }
        Ok(is_again)
    }

    fn piece(&mut self, shard: &Shard, piece: &Piece, mut part: Part<'_>) -> io::Result<bool> {
        let bytes = self.pieces.base.wrapping_sub(piece.base()).cast_signed();
        let Some(read) = &part.end.piece else {
            self.report(shard, &mut part, bytes)?;
            self.pieces.has_ended = true;
            return Ok(false);
        };
        let next = self.pieces.next(piece, read);
        match next {
            Next::Again => self.again(piece)?,
            Next::Report | Next::Nothing => {
                let read = read.clone();
                if next == Next::Report {
                    self.report(shard, &mut part, bytes)?;
                }
                if let (Some((byte, message)), Some(open)) = (read.failure.clone(), &mut self.open) {
                    self.emitter.failure(open, "read", Some(self.pieces.base.saturating_add(byte)), message)?;
                }
                self.pieces.add(piece, &read);
            }
        }
        self.pieces.has_ended |= self.open.as_ref().is_some_and(|open| open.file.has_changed);
        Ok(next == Next::Again)
    }

    fn report(&mut self, shard: &Shard, part: &mut Part<'_>, bytes: i64) -> io::Result<()> {
        let mut reporting = Reporting::new(&mut self.emitter, self.open.take());
        let reported = reporting.piece(shard, part, bytes);
        self.open = reporting.open;
        reported
    }

    /// Audits a piece from the next record on.
    fn again(&mut self, piece: &Piece) -> io::Result<()> {
        let Pieces { position, line_start, base, .. } = self.pieces;
        // Reading begins where the context of the record is available.
        let own = (piece.range.from, base);
        let context = self.context as u64;
        let starts = self.pieces.known.iter().copied().chain([own]);
        let is_early = |(_, base): &(u64, u64)| *base == 0 || base.saturating_add(context) <= position;
        let (from, base) = starts.rev().find(is_early).unwrap_or_default();
        let to_read = PieceOfInput {
            packing: piece.packing,
            from,
            to: piece.range.to,
            size: piece.size,
            base,
            begin: Begin::At { start: position, line_start },
            context: self.context,
        };
        let open = self.open.take();
        let (settings, pool, stop) = (&self.audit.settings, self.pool, self.stop);
        let emitter = &mut self.emitter;
        let (mut open, read) =
            pool.in_place_scope(|scope| Run::new(settings, pool, scope, stop, emitter).piece(&piece.input, &to_read, open))?;
        if let Some(read) = read {
            if let Some((byte, message)) = read.failure.clone() {
                self.emitter.failure(&mut open, "read", Some(base.saturating_add(byte)), message)?;
            }
            self.pieces.known.push(own);
            self.pieces.base = base;
            self.pieces.position = self.pieces.position.max(base.saturating_add(read.next));
            self.pieces.line_start = base.saturating_add(read.line_start);
            self.pieces.pass(&read);
        } else {
            self.pieces.has_ended = true;
        }
        self.open = Some(open);
        Ok(())
    }
}
