//! Compressed texts: gzip and xz, recognised by their first bytes, read whole or refused.
//!
//! Streams that follow one another are one text, as `gzip` and `xz` themselves read them; anything
//! else after a stream is refused, and so is a text that would outgrow a limit, which is how a
//! small file could fill the memory.

use flate2::bufread::GzDecoder;
use lzma_rust2::XzReader;
use std::io::{self, Read};

/// A way of compression.
#[derive(Debug)]
pub struct Compression {
    /// How people call it.
    pub name: &'static str,
    /// How the names of such files end, without the point.
    pub extension: &'static str,
    /// The bytes with which they begin.
    magic: &'static [u8],
    /// Appends the text of a stream, and all that follow, to what was read already.
    append: fn(&[u8], &mut Text) -> Result<(), Flaw>,
}

/// The ways of compression that are read.
pub const ALL: &[Compression] = &[
    Compression { name: "gzip", extension: "gz", magic: b"\x1f\x8b", append: append_gzip },
    Compression { name: "xz", extension: "xz", magic: b"\xfd7zXZ\0", append: append_xz },
];

/// Why a compressed text is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompressedError {
    /// It ends too early.
    #[error("the {name} stream is cut short: it ends after {num_bytes} bytes of its text")]
    CutShort {
        /// The compression.
        name: &'static str,
        /// How much text there is before the end.
        num_bytes: usize,
    },
    /// It is damaged.
    #[error("the {name} stream is damaged, after {num_bytes} bytes of its text: {why}")]
    Corrupt {
        /// The compression.
        name: &'static str,
        /// How much text there is before the damage.
        num_bytes: usize,
        /// What is wrong there.
        why: String,
    },
    /// It was compressed with more memory than is kept for reading it.
    #[error(
        "the {name} stream needs more than 1 GiB of memory to be read: compress the text with less, \
         such as xz -9"
    )]
    WindowTooLarge {
        /// The compression.
        name: &'static str,
    },
    /// Something else follows.
    #[error("{num_bytes} bytes that are no {name} stream follow the compressed text")]
    Trailing {
        /// The compression.
        name: &'static str,
        /// How many.
        num_bytes: usize,
    },
    /// The text is larger than the limit.
    #[error("the text of the {name} stream is larger than {limit} bytes, for which memory is kept")]
    TooLarge {
        /// The compression.
        name: &'static str,
        /// The limit.
        limit: u64,
    },
}

impl Compression {
    /// The compression of which these are the first bytes.
    pub fn of(bytes: &[u8]) -> Option<&'static Compression> {
        ALL.iter().find(|compression| bytes.starts_with(compression.magic))
    }

    /// The text of a whole file, if it is not larger than `limit` bytes.
    ///
    /// # Errors
    /// If a stream is cut short or damaged, if anything else follows, or beyond the limit.
    pub fn decompress(&self, bytes: &[u8], limit: u64) -> Result<Vec<u8>, CompressedError> {
        let mut text = Text { bytes: Vec::new(), limit };
        let name = self.name;
        match (self.append)(bytes, &mut text) {
            Ok(()) => Ok(text.bytes),
            Err(Flaw::TooLarge) => Err(CompressedError::TooLarge { name, limit }),
            Err(Flaw::Trailing(num_bytes)) => Err(CompressedError::Trailing { name, num_bytes }),
            Err(Flaw::Stream(error)) => {
                let num_bytes = text.bytes.len();
                Err(match error.kind() {
                    io::ErrorKind::UnexpectedEof => CompressedError::CutShort { name, num_bytes },
                    io::ErrorKind::OutOfMemory => CompressedError::WindowTooLarge { name },
                    _ => CompressedError::Corrupt { name, num_bytes, why: error.to_string() },
                })
            }
        }
    }
}

/// The largest text that is decompressed here: half of the memory that is free, where the system
/// tells it, and 16 GiB at most.
pub fn memory_limit() -> u64 {
    const MOST: u64 = 16 << 30;
    crate::memory::free().map_or(MOST, |free| (free / 2).min(MOST))
}

/// Why a stream cannot be read on.
#[derive(Debug)]
enum Flaw {
    Stream(io::Error),
    Trailing(usize),
    TooLarge,
}

/// What was decompressed so far.
#[derive(Debug)]
struct Text {
    bytes: Vec<u8>,
    limit: u64,
}

impl Text {
    /// Reads a stream to its end.
    fn append(&mut self, stream: impl Read) -> Result<(), Flaw> {
        let room = self.limit - self.bytes.len() as u64;
        // One byte more tells a text that ends at the limit from one that goes on.
        let num_read = stream.take(room.saturating_add(1)).read_to_end(&mut self.bytes);
        match num_read.map_err(Flaw::Stream)? {
            num_read if num_read as u64 > room => Err(Flaw::TooLarge),
            _ => Ok(()),
        }
    }
}

fn append_gzip(mut bytes: &[u8], text: &mut Text) -> Result<(), Flaw> {
    loop {
        let mut decoder = GzDecoder::new(bytes);
        text.append(&mut decoder)?;
        bytes = decoder.into_inner();
        if bytes.is_empty() {
            return Ok(());
        }
        if Compression::of(bytes).is_none_or(|compression| compression.name != "gzip") {
            return Err(Flaw::Trailing(bytes.len()));
        }
    }
}

fn append_xz(mut bytes: &[u8], text: &mut Text) -> Result<(), Flaw> {
    /// For the window into the text; `xz -9` needs 64 MiB.
    const MEMORY_KIB: u32 = 1 << 20;
    loop {
        let mut reader = XzReader::new_mem_limit(bytes, false, MEMORY_KIB);
        text.append(&mut reader)?;
        bytes = reader.into_inner();
        // The format allows zeros between and after streams, in groups of four.
        let num_zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        let after = &bytes[num_zeros..];
        if after.is_empty() && num_zeros % 4 == 0 {
            return Ok(());
        }
        let is_stream = Compression::of(after).is_some_and(|compression| compression.name == "xz");
        if !is_stream || num_zeros % 4 != 0 {
            return Err(Flaw::Trailing(bytes.len()));
        }
        bytes = after;
    }
}
