#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| pbsolve_fuzz::clausal_proof(text));
