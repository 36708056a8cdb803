//! The opcode logger. It writes geth's struct logs as JSON during the execution, and hands them to the host in
//! pieces. If the host wants the whole text as result, a trace that is too large stops the execution.

use crate::{
    halts::{opcode_name::OpcodeName, messages::end_message},
    host::{imports, interrupt, wire::JSON_LIMIT},
    vm::context::Ctx,
};
use alloy_rpc_types_trace::geth::GethDefaultTracingOptions;
use revm::{
    bytecode::opcode::{SLOAD, SSTORE},
    context::{ContextTr, JournalTr},
    context_interface::result::ExecutionResult,
    interpreter::{
        Interpreter,
        interpreter_types::{InputsTr, Jumps, LoopControl, MemoryTr, ReturnData},
    },
    primitives::{Address, HashMap, U256, hex},
};
use std::{collections::BTreeMap, io::Write};

/// The list of steps comes first, because the other members are known only at the end.
const BEGIN: &[u8] = b"{\"structLogs\":[";
/// Size of a piece, in bytes.
const PIECE: usize = 1 << 20;

/// Records the steps of an execution.
pub struct StructLogger {
    options: GethDefaultTracingOptions,
    /// Text not yet handed to the host.
    entries: Vec<u8>,
    /// True once the host has taken a piece.
    in_pieces: bool,
    written: u64,
    steps: u64,
    /// The running step. `None` beyond `limit`.
    running: Option<Step>,
    /// JSON of stack, return data and memory before the step. The cost precedes it, but is known only after the step.
    before: Vec<u8>,
    /// Slots read or written so far, by contract.
    storage: HashMap<Address, BTreeMap<U256, U256>>,
    /// Refund counter of each open frame, outermost first.
    refunds: Vec<i64>,
}

struct Step {
    pc: usize,
    opcode: u8,
    gas: u64,
    depth: usize,
    refund: i64,
    slot: Option<(Address, U256, U256)>,
}

impl StructLogger {
    /// Creates a logger from the client's options.
    pub fn new(options: GethDefaultTracingOptions) -> Self {
        Self {
            options,
            entries: BEGIN.to_vec(),
            in_pieces: false,
            written: 0,
            steps: 0,
            running: None,
            before: Vec::new(),
            storage: HashMap::default(),
            refunds: Vec::new(),
        }
    }

    /// Records the state before an instruction.
    pub fn step(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        let depth = ctx.journal().depth();
        self.refunds.resize(depth, 0);
        if let Some(own) = self.refunds.last_mut() {
            *own = interpreter.gas.refunded();
        }
        if self.options.limit.is_some_and(|limit| limit != 0 && self.steps >= limit) {
            self.running = None;
            return;
        }
        self.steps += 1;
        self.write_before(interpreter);
        let opcode = interpreter.bytecode.opcode();
        self.running = Some(Step {
            pc: interpreter.bytecode.pc(),
            opcode,
            gas: interpreter.gas.remaining(),
            depth,
            refund: self.refunds.iter().sum(),
            slot: if matches!(opcode, SLOAD | SSTORE) { top_slot(interpreter) } else { None },
        });
    }

    /// Writes the step after its instruction ran.
    pub fn step_end(&mut self, interpreter: &mut Interpreter) {
        let Some(step) = self.running.take() else { return };
        let ended = interpreter.bytecode.action().as_ref().and_then(|action| action.instruction_result());
        let halted = ended.and_then(end_message);
        let cost = step.gas.saturating_sub(interpreter.gas.remaining());
        let out = &mut self.entries;
        let comma = if self.written == 0 { "" } else { "," };
        self.written += 1;
        put(out, format_args!("{comma}{{\"pc\":{},\"op\":\"{}\",\"gas\":{},\"gasCost\":{cost},\"depth\":{}", step.pc, OpcodeName(step.opcode), step.gas, step.depth));
        if let Some(message) = &halted {
            put(out, format_args!(",\"error\":\"{message}\""));
        }
        if step.refund > 0 {
            put(out, format_args!(",\"refund\":{}", step.refund));
        }
        out.extend_from_slice(&self.before);
        if let (Some((address, slot, written)), None) = (step.slot, &halted) {
            let value = if step.opcode == SSTORE { Some(written) } else { interpreter.stack.data().last().copied() };
            self.write_storage(address, slot, value.unwrap_or_default());
        }
        self.entries.push(b'}');
        self.offer_piece();
    }

    /// Offers the text to the host once it reaches the size of a piece.
    fn offer_piece(&mut self) {
        if self.entries.len() > PIECE && (self.in_pieces || self.entries.len() < 2 * PIECE) {
            if unsafe { imports::trace_piece(self.entries.as_ptr(), self.entries.len()) } == 0 {
                self.in_pieces = true;
                self.entries.clear();
                return;
            }
        }
        if self.entries.len() > JSON_LIMIT {
            interrupt::stop_too_large();
        }
    }

    /// Returns the rest of the trace; the whole trace if the host took no piece.
    pub fn finish(mut self, result: &ExecutionResult) -> Vec<u8> {
        let returned = if result.is_halt() { &[] } else { result.output().map_or(&[][..], |output| output) };
        let out = &mut self.entries;
        put(out, format_args!("],\"gas\":{},\"failed\":{},\"returnValue\":\"0x", result.tx_gas_used(), !result.is_success()));
        put_hex(out, returned);
        out.extend_from_slice(b"\"}");
        self.entries
    }

    fn write_before(&mut self, interpreter: &Interpreter) {
        let out = &mut self.before;
        out.clear();
        if self.options.disable_stack != Some(true) {
            out.extend_from_slice(b",\"stack\":[");
            for (index, word) in interpreter.stack.data().iter().enumerate() {
                out.extend_from_slice(if index == 0 { b"\"0x" } else { b",\"0x" });
                put_quantity(out, word);
                out.push(b'"');
            }
            out.push(b']');
        }
        let returned = interpreter.return_data.buffer();
        if self.options.enable_return_data == Some(true) && !returned.is_empty() {
            out.extend_from_slice(b",\"returnData\":\"0x");
            put_hex(out, returned);
            out.push(b'"');
        }
        if self.options.enable_memory == Some(true) {
            out.extend_from_slice(b",\"memory\":[");
            let size = interpreter.memory.size();
            for (index, word) in interpreter.memory.slice(0..size).chunks(32).enumerate() {
                out.extend_from_slice(if index == 0 { b"\"0x" } else { b",\"0x" });
                put_hex(out, word);
                out.push(b'"');
            }
            out.push(b']');
        }
    }

    fn write_storage(&mut self, address: Address, slot: U256, value: U256) {
        if self.options.disable_storage == Some(true) {
            return;
        }
        let slots = self.storage.entry(address).or_default();
        slots.insert(slot, value);
        let out = &mut self.entries;
        out.extend_from_slice(b",\"storage\":{");
        for (index, (slot, value)) in slots.iter().enumerate() {
            put(out, format_args!("{}\"{slot:#066x}\":\"{value:#066x}\"", if index == 0 { "" } else { "," }));
        }
        out.push(b'}');
    }
}

/// Contract, slot (top of the stack), and the word below it: the value that SSTORE writes.
fn top_slot(interpreter: &Interpreter) -> Option<(Address, U256, U256)> {
    let stack = interpreter.stack.data();
    let slot = stack.last()?;
    let below = stack.len().checked_sub(2).map(|at| stack[at]);
    Some((interpreter.input.target_address(), *slot, below.unwrap_or_default()))
}

/// Appends formatted text. Writing to memory cannot fail.
fn put(out: &mut Vec<u8>, text: core::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

fn put_hex(out: &mut Vec<u8>, bytes: &[u8]) {
    let start = out.len();
    out.resize(start + bytes.len() * 2, 0);
    hex::encode_to_slice(bytes, &mut out[start..]).expect("two digits for each byte");
}

/// Writes hexadecimal digits without leading zeros. Stacks are most of a trace, and a formatter takes several times
/// as long.
fn put_quantity(out: &mut Vec<u8>, word: &U256) {
    let mut begun = false;
    for limb in word.as_limbs().iter().rev() {
        if *limb == 0 && !begun {
            continue;
        }
        let first = if begun { 16 } else { 16 - limb.leading_zeros() as usize / 4 };
        for digit in (0..first).rev() {
            out.push(b"0123456789abcdef"[(limb >> (4 * digit)) as usize & 15]);
        }
        begun = true;
    }
    if !begun {
        out.push(b'0');
    }
}
