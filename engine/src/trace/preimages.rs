//! Inputs of KECCAK256: geth's `keccak256PreimageTracer` (go-ethereum v1.17
//! `eth/tracers/native/keccak256_preimage.go`).

use crate::host::{interrupt, wire::JSON_LIMIT};
use revm::{
    bytecode::opcode::KECCAK256,
    interpreter::{
        Interpreter,
        interpreter_types::{Jumps, MemoryTr},
    },
    primitives::{hex, keccak256},
};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of zero bytes added to an input that exceeds memory (`eth/tracers/internal/util.go`).
const PADDING: usize = 1 << 20;

/// Recorded inputs.
#[derive(Default)]
pub struct Preimages {
    inputs: BTreeSet<Vec<u8>>,
    bytes: usize,
}

impl Preimages {
    /// Records the input before the instruction runs, even if its gas does not suffice.
    pub fn step(&mut self, interpreter: &Interpreter) {
        if interpreter.bytecode.opcode() != KECCAK256 {
            return;
        }
        let [.., length, offset] = interpreter.stack.data()[..] else { return };
        let (offset, length) = (offset.as_limbs()[0], length.as_limbs()[0]);
        let Some(input) = padded(interpreter, offset, length) else { return };
        if self.bytes + input.len() > JSON_LIMIT / 2 {
            return interrupt::stop_too_large();
        }
        let bytes = input.len();
        if self.inputs.insert(input) {
            self.bytes += bytes;
        }
    }

    /// The inputs in ascending order, in hexadecimal.
    pub fn inputs(&self) -> Vec<String> {
        self.inputs.iter().map(hex::encode_prefixed).collect()
    }

    /// JSON object with the inputs by hash.
    pub fn finish(&self) -> Vec<u8> {
        let by_hash: BTreeMap<_, _> = self.inputs.iter().map(|input| (hex::encode_prefixed(keccak256(input)), hex::encode_prefixed(input))).collect();
        serde_json::json!(by_hash).to_string().into_bytes()
    }
}

/// Reads an input from memory, padded with zeros beyond its end. `None` if it exceeds memory by more than `PADDING`.
fn padded(interpreter: &Interpreter, offset: u64, length: u64) -> Option<Vec<u8>> {
    let memory = interpreter.memory.size();
    let end = usize::try_from(offset.checked_add(length)?).ok()?;
    if end > memory.saturating_add(PADDING) {
        return None;
    }
    let (from, to) = ((offset as usize).min(memory), end.min(memory));
    let mut input = interpreter.memory.slice(from..to).to_vec();
    input.resize(length as usize, 0);
    Some(input)
}
