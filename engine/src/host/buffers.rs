//! Memory shared with the host: `input` and `output` of an export, `scratch` of an import, `args` of fixed size.

use crate::host::single::Single;

/// The input of the next export, written by the host.
static INPUT: Single<Vec<u8>> = Single::new(Vec::new());
/// The output of the last export.
static OUTPUT: Single<Vec<u8>> = Single::new(Vec::new());
/// Variable-length data of an import. A nested call also writes its output here.
static SCRATCH: Single<Vec<u8>> = Single::new(Vec::new());
/// Arguments and results of fixed size.
static ARGS: Single<[u8; 128]> = Single::new([0; 128]);

/// Takes the input buffer out of the static, so that the host may write another input during the execution.
pub fn take_input() -> Vec<u8> {
    INPUT.with(core::mem::take)
}

/// Returns the input buffer for reuse.
pub fn return_input(buffer: Vec<u8>) {
    INPUT.with(|input| *input = buffer);
}

/// Sets the output of the export.
pub fn set_output(bytes: Vec<u8>) {
    OUTPUT.with(|output| *output = bytes);
}

/// Takes the last output buffer and clears it for reuse.
pub fn reuse_output() -> Vec<u8> {
    let mut bytes = OUTPUT.with(core::mem::take);
    bytes.clear();
    bytes
}

/// Runs a closure on the scratch buffer.
pub fn with_scratch<R>(use_it: impl FnOnce(&mut Vec<u8>) -> R) -> R {
    SCRATCH.with(use_it)
}

/// Runs a closure on the arguments.
pub fn with_args<R>(use_it: impl FnOnce(&mut [u8; 128]) -> R) -> R {
    ARGS.with(use_it)
}

#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn scratch(length: usize) -> *mut u8 {
    SCRATCH.with(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn scratch_pointer() -> *const u8 {
    SCRATCH.with(|buffer| buffer.as_ptr())
}

#[unsafe(no_mangle)]
pub extern "C" fn args() -> *mut u8 {
    ARGS.with(|buffer| buffer.as_mut_ptr())
}

#[unsafe(no_mangle)]
pub extern "C" fn output_pointer() -> *const u8 {
    OUTPUT.with(|buffer| buffer.as_ptr())
}

#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    OUTPUT.with(|buffer| buffer.len())
}
