//! What watches an execution that is not part of a block: the interruption, and a tracer when there is one.

use crate::{interrupt, single::Single, vm::Ctx};
use revm::{
    Inspector,
    handler::FrameResult,
    interpreter::{CallInputs, CallOutcome, CreateInputs, CreateOutcome, FrameInput, InstructionResult, Interpreter},
    primitives::{Address, Log, U256},
};
use revm_inspectors::tracing::DebugInspector;

/// Kept out of the machine, because a nested call has a machine of its own and the same tracer.
static TRACER: Single<Option<Box<DebugInspector>>> = Single::new(None);

pub fn set_tracer(tracer: Option<Box<DebugInspector>>) {
    TRACER.with(|held| *held = tracer);
}

pub fn take_tracer() -> Option<Box<DebugInspector>> {
    TRACER.with(Option::take)
}

/// Forwards every event to the tracer.
pub struct Observer;

fn traced<R>(absent: R, event: impl FnOnce(&mut DebugInspector) -> R) -> R {
    TRACER.with(|tracer| match tracer {
        Some(tracer) => event(tracer),
        None => absent,
    })
}

impl Inspector<Ctx> for Observer {
    fn initialize_interp(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        traced((), |tracer| tracer.initialize_interp(interpreter, ctx));
    }

    fn step(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        traced((), |tracer| tracer.step(interpreter, ctx));
        if interrupt::step() {
            interpreter.halt(InstructionResult::MemoryLimitOOG);
        }
    }

    fn step_end(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        traced((), |tracer| tracer.step_end(interpreter, ctx));
    }

    fn log(&mut self, ctx: &mut Ctx, log: Log) {
        traced((), |tracer| tracer.log(ctx, log));
    }

    fn log_full(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx, log: Log) {
        traced((), |tracer| tracer.log_full(interpreter, ctx, log));
    }

    fn call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        traced(None, |tracer| tracer.call(ctx, inputs))
    }

    fn call_end(&mut self, ctx: &mut Ctx, inputs: &CallInputs, outcome: &mut CallOutcome) {
        traced((), |tracer| tracer.call_end(ctx, inputs, outcome));
    }

    fn create(&mut self, ctx: &mut Ctx, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        traced(None, |tracer| tracer.create(ctx, inputs))
    }

    fn create_end(&mut self, ctx: &mut Ctx, inputs: &CreateInputs, outcome: &mut CreateOutcome) {
        traced((), |tracer| tracer.create_end(ctx, inputs, outcome));
    }

    fn selfdestruct(&mut self, contract: Address, target: Address, value: U256) {
        traced((), |tracer| Inspector::<Ctx>::selfdestruct(tracer, contract, target, value));
    }

    fn frame_start(&mut self, ctx: &mut Ctx, input: &mut FrameInput) -> Option<FrameResult> {
        traced(None, |tracer| tracer.frame_start(ctx, input))
    }

    fn frame_end(&mut self, ctx: &mut Ctx, input: &FrameInput, result: &mut FrameResult) {
        traced((), |tracer| tracer.frame_end(ctx, input, result));
    }
}
