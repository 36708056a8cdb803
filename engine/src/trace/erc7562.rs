//! `erc7562Tracer`: the frames of the call tracer with the accesses of each (go-ethereum v1.17
//! `eth/tracers/native/erc7562.go`).

use crate::{trace::{accesses::{self, Accesses}, preimages::Preimages}, vm::context::Ctx};
use alloy_rpc_types_trace::geth::CallFrame;
use revm::{
    bytecode::opcode::*,
    interpreter::{Interpreter, interpreter_types::LegacyBytecode},
    primitives::{U256, hex},
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, io::{Result, Write}};

/// Records the accesses of all frames of an execution.
pub struct Erc7562Tracer {
    /// Accesses of each frame, in execution order.
    frames: Vec<Accesses>,
    /// Indices of the open frames, innermost last.
    open: Vec<usize>,
    last: Option<(u8, Option<U256>)>,
    ignored: [bool; 256],
    preimages: Preimages,
}

impl Erc7562Tracer {
    /// Creates a tracer that does not count `ignoredOpcodes`. `stackTopItemsSize` has no effect on the result. The
    /// error is text for the client.
    pub fn from_config(config: &Value) -> core::result::Result<Self, String> {
        let mut ignored = [false; 256];
        match config.get("ignoredOpcodes") {
            None | Some(Value::Null) => (0..=u8::MAX).for_each(|opcode| ignored[opcode as usize] = is_ignored_by_default(opcode)),
            Some(Value::Array(opcodes)) => {
                for opcode in opcodes {
                    let digits = opcode.as_str().and_then(|text| text.strip_prefix("0x"));
                    let opcode = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()).ok_or("invalid ignoredOpcodes: not a hexadecimal number")?;
                    ignored[opcode as u8 as usize] = true;
                }
            }
            Some(_) => return Err("invalid ignoredOpcodes: not a list".to_string()),
        }
        Ok(Self { frames: Vec::new(), open: Vec::new(), last: None, ignored, preimages: Preimages::default() })
    }

    /// Records the start of a frame.
    pub fn enter(&mut self) {
        self.open.push(self.frames.len());
        self.frames.push(Accesses::default());
    }

    /// Records the end of a frame.
    pub fn leave(&mut self) {
        self.open.pop();
    }

    /// Records an instruction. Ignores the implicit STOP of a frame without code, which geth does not run.
    pub fn step(&mut self, interpreter: &Interpreter, ctx: &Ctx) {
        let Some(&frame) = self.open.last() else { return };
        if interpreter.bytecode.bytecode_len() > 0 {
            accesses::record(&mut self.frames[frame], &mut self.last, &self.ignored, interpreter, ctx);
            self.preimages.step(interpreter);
        }
    }

    /// Writes the call tracer's frames with their accesses as JSON.
    pub fn write(&self, out: &mut impl Write, root: CallFrame) -> Result<()> {
        self.write_frame(out, root, &mut 0, true)
    }

    /// Writes a frame and its inner frames. SELFDESTRUCT is listed as a frame, but has no accesses and no index.
    fn write_frame(&self, out: &mut impl Write, mut frame: CallFrame, index: &mut usize, is_root: bool) -> Result<()> {
        let nothing = Accesses::default();
        let accesses = if frame.typ == "SELFDESTRUCT" {
            &nothing
        } else {
            *index += 1;
            self.frames.get(*index - 1).unwrap_or(&nothing)
        };
        let calls = core::mem::take(&mut frame.calls);
        let ran_out = !is_root && frame.error.as_deref().is_some_and(is_out_of_gas);
        let mut members = serde_json::to_vec(&frame)?;
        drop(frame);
        members.pop();
        out.write_all(&members)?;
        write!(out, ",\"outOfGas\":{ran_out},{}", without_braces(&accesses_json(accesses)))?;
        let preimages = if is_root { self.preimages.inputs() } else { Vec::new() };
        if !preimages.is_empty() {
            write!(out, ",\"keccak\":{}", json!(preimages))?;
        }
        if !calls.is_empty() {
            out.write_all(b",\"calls\":")?;
            let mut separator = b"[";
            for call in calls {
                out.write_all(separator)?;
                separator = b",";
                self.write_frame(out, call, index, false)?;
            }
            out.write_all(b"]")?;
        }
        out.write_all(b"}")
    }
}

fn accesses_json(accesses: &Accesses) -> String {
    let opcodes: BTreeMap<_, _> = accesses.opcodes.iter().map(|(opcode, times)| (format!("{opcode:#x}"), times)).collect();
    let sizes: BTreeMap<_, _> = accesses.sizes.iter().map(|(address, (size, opcode))| (hex::encode_prefixed(address), json!({ "contractSize": size, "opcode": opcode }))).collect();
    let inspected: Vec<_> = accesses.inspected.iter().map(hex::encode_prefixed).collect();
    let reads: BTreeMap<_, _> = accesses.reads.iter().map(|(slot, value)| (slot, [value])).collect();
    json!({
        "accessedSlots": {
            "reads": reads,
            "writes": accesses.writes,
            "transientReads": accesses.transient_reads,
            "transientWrites": accesses.transient_writes,
        },
        "extCodeAccessInfo": inspected,
        "usedOpcodes": opcodes,
        "contractSize": sizes,
    })
    .to_string()
}

fn without_braces(object: &str) -> &str {
    &object[1..object.len() - 1]
}

fn is_out_of_gas(error: &str) -> bool {
    error.starts_with("out of gas") || error == "contract creation code storage out of gas"
}

/// True for opcodes that geth's tracer ignores by default.
fn is_ignored_by_default(opcode: u8) -> bool {
    matches!(opcode, PUSH0..=SWAP16 | POP | ADD | SUB | MUL | DIV | EQ | LT | GT | SLT | SGT | SHL | SHR | AND | OR | NOT | ISZERO)
}
