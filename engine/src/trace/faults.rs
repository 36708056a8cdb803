//! Faults of a traced execution. They replace revm's errors in the frames of the call tracer.

use crate::{
    halts::{
        fault::{self, Before},
        find_fault,
        messages::{CODE_STORAGE, end_message},
    },
    host::single::Single,
    vm::{context::Ctx, prices},
};
use alloy_rpc_types_trace::geth::CallFrame;
use revm::{
    interpreter::{
        CreateOutcome, InstructionResult, Interpreter, InterpreterResult,
        interpreter_types::{Jumps, LoopControl, RuntimeFlag},
    },
    primitives::HashMap,
};
use std::borrow::Cow;

#[derive(Default)]
struct Traced {
    /// Running instruction: opcode, stack length and gas before it.
    before: (u8, usize, u64),
    /// Number of frames started so far.
    frames: usize,
    /// Indices of the open frames, in execution order.
    open: Vec<usize>,
    /// Error messages by frame index.
    errors: HashMap<usize, String>,
}

static TRACED: Single<Option<Traced>> = Single::new(None);

/// Starts a trace.
pub fn begin() {
    TRACED.with(|traced| *traced = Some(Traced::default()));
}

fn with<R: Default>(event: impl FnOnce(&mut Traced) -> R) -> R {
    TRACED.with(|traced| traced.as_mut().map_or_else(R::default, event))
}

/// Records the state before an instruction.
pub fn step(interpreter: &Interpreter) {
    fault::clear();
    with(|traced| traced.before = (interpreter.bytecode.opcode(), interpreter.stack.len(), interpreter.gas.remaining()));
}

/// Finds the fault of an instruction that halted its frame.
pub fn step_end(interpreter: &mut Interpreter, ctx: &mut Ctx) {
    let Some(reason) = interpreter.bytecode.action().as_ref().and_then(|action| action.instruction_result()) else { return };
    if reason.is_halt() {
        let (opcode, stack, gas) = with(|traced| traced.before);
        let price = prices::gas_table(interpreter.runtime_flag.spec_id())[opcode as usize] as u64;
        find_fault::record(interpreter, ctx, Before { opcode, stack, gas: gas.checked_sub(price) }, reason);
    }
}

/// Records the start of a frame.
pub fn enter() {
    with(|traced| {
        traced.open.push(traced.frames);
        traced.frames += 1;
    });
}

/// Records the end of a frame.
pub fn leave(result: InstructionResult) {
    end(end_message(result).map(Cow::into_owned));
}

/// Records the end of a contract creation. revm outputs the code if the gas does not cover its storage.
pub fn leave_creation(outcome: &CreateOutcome) {
    let InterpreterResult { result, output, .. } = &outcome.result;
    if *result == InstructionResult::OutOfGas && !output.is_empty() {
        end(Some(CODE_STORAGE.to_string()));
    } else {
        leave(*result);
    }
}

fn end(error: Option<String>) {
    with(|traced| {
        if let (Some(frame), Some(error)) = (traced.open.pop(), error) {
            traced.errors.insert(frame, error);
        }
    });
}

/// Sets the error messages in the frames of a trace.
pub fn set_errors(first: &mut CallFrame) {
    with(|traced| set_frame_errors(first, &mut 0, &traced.errors));
}

/// Sets the errors of a frame and its inner frames. SELFDESTRUCT is listed as a frame, but has no index.
fn set_frame_errors(frame: &mut CallFrame, index: &mut usize, errors: &HashMap<usize, String>) {
    if frame.typ == "SELFDESTRUCT" {
        return;
    }
    if let (Some(error), Some(message)) = (frame.error.as_mut(), errors.get(index)) {
        error.clone_from(message);
    }
    *index += 1;
    for inner in &mut frame.calls {
        set_frame_errors(inner, index, errors);
    }
}
