//! Opens and checks small files ahead of their turn, several at a time.
//!
//! A file of a few kilobytes is read and checked in less time than it takes to hand it to another
//! thread, so one task does both for a batch of files. All other inputs are opened when their turn
//! comes, above all standard input and pipes, which may keep a reader waiting.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        mpsc::{Receiver, channel},
    },
};

use rayon::Scope;

use super::{
    chunk::{Chunk, audit_text},
    emit::OpenInput,
    open::{Opened, Opener},
};
use crate::corpus::{Bytes, Input, Source};

/// Maximum number of files in a batch.
const BATCH: usize = 8;

/// Number of findings after which the other files of a batch are not checked ahead. All findings of a
/// batch are in memory until its turn comes.
const MANY_FINDINGS: usize = 1000;

/// What was done with an input ahead of its turn.
pub(super) enum Ahead {
    /// Nothing.
    Nothing,
    /// It was opened.
    Opened(Opened),
    /// Its text was checked in one chunk.
    Checked(Box<OpenInput>, Bytes, Box<Chunk>),
}

/// An input whose turn has come, and what was done before.
pub(super) type InTurn = (Input, Ahead);

/// The inputs of a run, in their order.
pub(super) struct Turns {
    /// The next inputs, before those of the batches.
    next: VecDeque<InTurn>,
    /// Batches that are being read.
    batches: VecDeque<Receiver<Vec<InTurn>>>,
    /// Inputs after those of the batches.
    rest: VecDeque<Input>,
}

/// What comes next.
pub(super) enum Next {
    Input(Box<InTurn>),
    /// An input that is still being read.
    Later,
    /// Nothing.
    End,
}

impl Turns {
    pub fn of(inputs: Vec<Input>) -> Turns {
        Turns { next: VecDeque::new(), batches: VecDeque::new(), rest: VecDeque::from(inputs) }
    }

    /// Puts the members of an archive before all other inputs.
    pub fn insert(&mut self, members: Vec<Input>) {
        for member in members.into_iter().rev() {
            self.next.push_front((member, Ahead::Nothing));
        }
    }

    /// Reads up to `batches` batches ahead. Texts of up to `max_text` bytes are checked, too.
    pub fn read_ahead<'a: 'scope, 'scope>(
        &mut self,
        batches: usize,
        max_text: usize,
        opener: &Arc<Opener<'a>>,
        scope: &Scope<'scope>,
    ) {
        while self.batches.len() < batches && self.rest.len() > 1 {
            let files = self.rest.iter().take(BATCH).take_while(|input| matches!(input.source, Source::File(_))).count();
            if files == 0 {
                return;
            }
            let batch: Vec<Input> = self.rest.drain(..files).collect();
            let (sender, receiver) = channel();
            let opener = Arc::clone(opener);
            scope.spawn(move |_| {
                // Nothing waits for the batch after the run was stopped.
                let _ = sender.send(read(batch, &opener, max_text));
            });
            self.batches.push_back(receiver);
        }
    }

    /// The next input. Waits for it if `wait` is set.
    pub fn next(&mut self, wait: bool) -> Next {
        loop {
            if let Some(input) = self.next.pop_front() {
                return Next::Input(Box::new(input));
            }
            let Some(batch) = self.batches.front() else { break };
            let read = if wait { batch.recv().ok() } else { batch.try_recv().ok() };
            match read {
                Some(read) => {
                    self.next.extend(read);
                    self.batches.pop_front();
                }
                // The task panicked, and so does the scope.
                None if wait => {
                    self.batches.pop_front();
                }
                None => return Next::Later,
            }
        }
        self.rest.pop_front().map_or(Next::End, |input| Next::Input(Box::new((input, Ahead::Nothing))))
    }
}

/// Opens small files and checks those whose text has up to `max_text` bytes.
fn read(batch: Vec<Input>, opener: &Opener<'_>, max_text: usize) -> Vec<InTurn> {
    let mut findings = 0;
    let read = batch.into_iter().map(|input| {
        let opened = if findings < MANY_FINDINGS { opener.open_small(&input) } else { None };
        let ahead = match opened {
            None => Ahead::Nothing,
            Some(Opened::Text(opened, text, checks)) if text.len() <= max_text => {
                let chunk = audit_text(&text, 0..text.len(), &checks);
                findings += chunk.findings.in_memory();
                Ahead::Checked(opened, text, Box::new(chunk))
            }
            Some(opened) => Ahead::Opened(opened),
        };
        (input, ahead)
    });
    read.collect()
}
