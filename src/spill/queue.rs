//! Values that are written as JSON.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Seek, Write},
};

use serde::{Serialize, de::DeserializeOwned};

use super::temporary::{temporary_failed, temporary_file};

/// Values in the order in which they were added.
#[derive(Debug)]
pub struct Queue<T> {
    max_in_memory: usize,
    memory: Vec<T>,
    file: Option<BufWriter<File>>,
}

impl<T: Serialize + DeserializeOwned> Queue<T> {
    /// No values; at most `max_in_memory` of them will be in memory.
    pub const fn with_limit(max_in_memory: usize) -> Queue<T> {
        Queue { max_in_memory, memory: Vec::new(), file: None }
    }

    /// Whether there are no values.
    pub const fn is_empty(&self) -> bool {
        self.memory.is_empty()
    }

    /// Number of values in memory.
    pub const fn in_memory(&self) -> usize {
        self.memory.len()
    }

    /// Adds a value.
    pub fn push(&mut self, value: T) -> io::Result<()> {
        if self.memory.len() < self.max_in_memory {
            self.memory.push(value);
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(BufWriter::new(temporary_file()?)),
        };
        let written = serde_json::to_writer(&mut *file, &value).map_err(io::Error::from);
        written.and_then(|()| file.write_all(b"\n")).map_err(temporary_failed)
    }

    /// Hands out all values.
    pub fn drain(self, mut take: impl FnMut(T) -> io::Result<()>) -> io::Result<()> {
        for value in self.memory {
            take(value)?;
        }
        let Some(file) = self.file else { return Ok(()) };
        let mut file = file.into_inner().map_err(|error| temporary_failed(error.into_error()))?;
        file.rewind().map_err(temporary_failed)?;
        for line in BufReader::new(file).lines() {
            take(serde_json::from_str(&line.map_err(temporary_failed)?)?)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_change_nothing() -> io::Result<()> {
        let numbers: Vec<u64> = (0..500).map(|number| number * 7919 % 331).collect();
        for limit in [1, 7, 64, 1000] {
            let mut queue: Queue<u64> = Queue::with_limit(limit);
            numbers.iter().try_for_each(|number| queue.push(*number))?;
            let mut drained = Vec::new();
            queue.drain(|number| {
                drained.push(number);
                Ok(())
            })?;
            assert_eq!(drained, numbers, "limit {limit}");
        }
        Ok(())
    }
}
