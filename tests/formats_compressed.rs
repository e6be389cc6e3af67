//! Compressed texts: gzip and xz, whole or refused.

use flate2::Compression as Level;
use flate2::write::GzEncoder;
use pbsolve::formats::compressed::{ALL, CompressedError, Compression};
use std::io::Write;

const TEXT: &[u8] =
    b"* #variable= 3 #constraint= 1\nmax: 6 x1 5 x2 4 x3 ;\n5 x1 4 x2 3 x3 <= 8 ;\n";

/// [`TEXT`], by `xz`.
const XZ: &[u8] = include_bytes!("models/three.opb.xz");

/// A line, by `xz --check=crc32 --lzma2=preset=0,dict=1GiB`.
const XZ_WITH_LARGE_WINDOW: &[u8] = &[
    0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36, 0x02, 0x00, 0x21, 0x01,
    0x24, 0x00, 0x00, 0x00, 0x5e, 0x1f, 0xc7, 0xf9, 0x01, 0x00, 0x08, 0x78, 0x31, 0x20, 0x3e, 0x3d,
    0x20, 0x31, 0x3b, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x49, 0x23, 0x95, 0x15, 0x00, 0x01, 0x1d, 0x09,
    0x93, 0x61, 0x36, 0xa6, 0x90, 0x42, 0x99, 0x0d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x59, 0x5a,
];

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Level::default());
    encoder.write_all(text).expect("a vector takes everything");
    encoder.finish().expect("a vector takes everything")
}

fn decompress(bytes: &[u8], limit: u64) -> Result<Vec<u8>, CompressedError> {
    Compression::of(bytes).expect("known first bytes").decompress(bytes, limit)
}

fn refusal(bytes: &[u8]) -> String {
    decompress(bytes, 1000)
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .unwrap_err()
        .to_string()
}

/// A text and its compressed forms.
fn streams() -> [(&'static str, Vec<u8>); 2] {
    [("gzip", gzip(TEXT)), ("xz", XZ.to_vec())]
}

#[test]
fn streams_are_known_by_their_first_bytes() {
    for (name, stream) in streams() {
        assert_eq!(Compression::of(&stream).map(|found| found.name), Some(name));
        assert_eq!(decompress(&stream, 1000).unwrap(), TEXT, "{name}");
    }
    assert!(Compression::of(TEXT).is_none());
    assert!(Compression::of(b"").is_none());
    assert_eq!(ALL.len(), streams().len(), "each way of compression is tested");
}

#[test]
fn streams_one_after_another_are_one_text() {
    for (name, stream) in streams() {
        let text = decompress(&[stream.as_slice(), &stream].concat(), 1000).unwrap();
        assert_eq!(text, [TEXT, TEXT].concat(), "{name}");
    }
    let padded = [XZ, &[0; 4], XZ, &[0; 8]].concat();
    assert_eq!(decompress(&padded, 1000).unwrap(), [TEXT, TEXT].concat());
}

#[test]
fn every_shorter_stream_is_refused() {
    for (name, stream) in streams() {
        let first = ALL.iter().find(|compression| compression.name == name).unwrap();
        for length in 0..stream.len() {
            let error = first.decompress(&stream[..length], 1000).unwrap_err();
            let is_cut = matches!(error, CompressedError::CutShort { .. });
            assert!(is_cut, "{name}: {length} bytes: {error}");
        }
        // The second of two.
        let two = [stream.as_slice(), &stream].concat();
        for length in stream.len() + 1..two.len() {
            assert!(first.decompress(&two[..length], 1000).is_err(), "{name}: {length} bytes");
        }
    }
}

#[test]
fn damaged_streams_are_never_read_as_another_text() {
    for (name, stream) in streams() {
        let first = Compression::of(&stream).unwrap();
        for at in 0..stream.len() {
            for bit in 0..8 {
                let mut damaged = stream.clone();
                damaged[at] ^= 1 << bit;
                // Parts of the header of gzip say nothing about the text.
                if let Ok(text) = first.decompress(&damaged, 1000) {
                    assert_eq!(text, TEXT, "{name}: bit {bit} of byte {at}");
                }
            }
        }
    }
}

#[test]
fn what_follows_a_stream_is_refused() {
    for (name, stream) in streams() {
        for (after, num_bytes) in [(b"hello".as_slice(), 5), (b"\0", 1), (b"\0\0\0\0x", 5)] {
            let error = refusal(&[stream.as_slice(), after].concat());
            let expected =
                format!("{num_bytes} bytes that are no {name} stream follow the compressed text");
            assert_eq!(error, expected, "{name}, {after:?}");
        }
    }
    assert!(refusal(&[&gzip(TEXT), XZ].concat()).contains("no gzip stream follow"));
    assert!(refusal(&[XZ, &gzip(TEXT)].concat()).contains("no xz stream follow"));
}

#[test]
fn a_text_beyond_the_limit_is_refused_in_time() {
    for (name, stream) in streams() {
        let length = TEXT.len() as u64;
        assert_eq!(decompress(&stream, length).unwrap(), TEXT, "{name}");
        for limit in [0, 1, length - 1] {
            let error = decompress(&stream, limit).unwrap_err();
            assert!(matches!(error, CompressedError::TooLarge { .. }), "{name}, {limit}: {error}");
        }
        let two = [stream.as_slice(), &stream].concat();
        let error = decompress(&two, length + 1).unwrap_err();
        assert!(matches!(error, CompressedError::TooLarge { .. }), "{name}: {error}");
    }
    let bomb = gzip(&vec![b' '; 100_000_000]);
    assert!(bomb.len() < 200_000);
    let error = decompress(&bomb, 1_000_000).unwrap_err();
    assert!(matches!(error, CompressedError::TooLarge { limit: 1_000_000, .. }), "{error}");
}

#[test]
fn refusals_say_what_is_wrong() {
    let stream = gzip(TEXT);
    let end = stream.len() - 9;
    insta::assert_snapshot!(refusal(&stream[..20]), @"the gzip stream is cut short: it ends after 0 bytes of its text");
    insta::assert_snapshot!(refusal(&[&stream[..end], &[0xff; 9]].concat()), @"the gzip stream is damaged, after 74 bytes of its text: corrupt gzip stream does not have a matching checksum");
    insta::assert_snapshot!(refusal(&XZ[..20]), @"the xz stream is cut short: it ends after 0 bytes of its text");
    insta::assert_snapshot!(refusal(&[&XZ[..40], &[0xff; 9], &XZ[49..]].concat()), @"the xz stream is damaged, after 0 bytes of its text: dist overflow");
}

#[test]
fn a_small_stream_cannot_ask_for_much_memory() {
    let expected = "the xz stream needs more than 1 GiB of memory to be read: compress the text \
                    with less, such as xz -9";
    assert_eq!(refusal(XZ_WITH_LARGE_WINDOW), expected);
}
