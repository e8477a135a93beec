//! Layers of compression around what is written.

use std::{
    fmt,
    io::{self, Write},
};

/// Compresses what is written to it.
pub enum Packer<W> {
    /// Not compressed.
    Plain(W),
    /// Compressed.
    Packed(Box<dyn Layer<W>>),
}

/// A layer of compression around another packer.
pub trait Layer<W>: Write {
    /// Writes the end of the layer.
    fn finish(self: Box<Self>) -> io::Result<Packer<W>>;
}

impl<W> Packer<W> {
    /// Writes the end of all layers, and returns what was written to.
    pub fn finish(self) -> io::Result<W> {
        let mut packer = self;
        loop {
            match packer {
                Packer::Plain(to) => return Ok(to),
                Packer::Packed(layer) => packer = layer.finish()?,
            }
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Packer::Plain(to) => to.write(bytes),
            Packer::Packed(layer) => layer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Packer::Plain(to) => to.flush(),
            Packer::Packed(layer) => layer.flush(),
        }
    }
}

impl<W> fmt::Debug for Packer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Packer::Plain(_) => "Plain",
            Packer::Packed(_) => "Packed",
        })
    }
}
