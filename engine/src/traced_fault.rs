//! The faults of a traced execution: of each step, and of each frame for the call tracer, which names a frame's error.

use crate::{
    fault::{self, Before},
    prices,
    result::{CODE_STORAGE, end_words},
    single::Single,
    vm::Ctx,
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
    /// What the running instruction found: opcode, words on the stack, gas.
    before: (u8, usize, u64),
    frames: usize,
    /// The frames that run, by their order in the execution.
    open: Vec<usize>,
    errors: HashMap<usize, String>,
}

static TRACED: Single<Option<Traced>> = Single::new(None);

pub fn begin() {
    TRACED.with(|traced| *traced = Some(Traced::default()));
}

fn with<R: Default>(event: impl FnOnce(&mut Traced) -> R) -> R {
    TRACED.with(|traced| traced.as_mut().map_or_else(R::default, event))
}

pub fn step(interpreter: &Interpreter) {
    fault::forget();
    with(|traced| traced.before = (interpreter.bytecode.opcode(), interpreter.stack.len(), interpreter.gas.remaining()));
}

pub fn step_end(interpreter: &mut Interpreter, ctx: &mut Ctx) {
    let Some(reason) = interpreter.bytecode.action().as_ref().and_then(|action| action.instruction_result()) else { return };
    if reason.is_halt() {
        let (opcode, stack, gas) = with(|traced| traced.before);
        let price = prices::gas_table(interpreter.runtime_flag.spec_id())[opcode as usize] as u64;
        fault::note(interpreter, ctx, Before { opcode, stack, gas: gas.checked_sub(price) }, reason);
    }
}

pub fn enter() {
    with(|traced| {
        traced.open.push(traced.frames);
        traced.frames += 1;
    });
}

pub fn leave(result: InstructionResult) {
    end(end_words(result).map(Cow::into_owned));
}

/// As `leave`, of a creation, which keeps the code that its gas does not pay for.
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

/// Gives the frames of a trace the errors that they ended with.
pub fn name(first: &mut CallFrame) {
    with(|traced| name_frames(first, &mut 0, &traced.errors));
}

/// A self-destruction stands among the frames and is none.
fn name_frames(frame: &mut CallFrame, index: &mut usize, errors: &HashMap<usize, String>) {
    if frame.typ == "SELFDESTRUCT" {
        return;
    }
    if let (Some(error), Some(words)) = (frame.error.as_mut(), errors.get(index)) {
        error.clone_from(words);
    }
    *index += 1;
    for inner in &mut frame.calls {
        name_frames(inner, index, errors);
    }
}
