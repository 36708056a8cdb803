//! Observes every instruction of a trace: the tracer, and the interruption.

use crate::{interrupt, permission, single::Single, traced_fault, tracer::Tracer, vm::Ctx};
use revm::{
    Inspector,
    handler::FrameResult,
    interpreter::{CallInputs, CallOutcome, CreateInputs, CreateOutcome, FrameInput, InstructionResult, Interpreter},
    primitives::{Address, Log, U256},
};
use revm_inspectors::tracing::DebugInspector;

/// Kept out of the machine, because a nested call has a machine of its own and the same tracer.
static TRACER: Single<Option<Box<Tracer>>> = Single::new(None);

pub fn set_tracer(tracer: Option<Box<Tracer>>) {
    traced_fault::begin();
    TRACER.with(|held| *held = tracer);
}

pub fn take_tracer() -> Option<Box<Tracer>> {
    TRACER.with(Option::take)
}

pub fn is_tracing() -> bool {
    TRACER.with(|tracer| tracer.is_some())
}

/// Forwards to the tracer what it listens to.
pub struct Observer;

fn with_tracer<R>(absent: R, event: impl FnOnce(&mut Tracer) -> R) -> R {
    TRACER.with(|tracer| match tracer {
        Some(tracer) => event(tracer),
        None => absent,
    })
}

/// Events that only revm's tracers want.
fn traced<R>(absent: R, event: impl FnOnce(&mut DebugInspector) -> R) -> R {
    TRACER.with(|tracer| match tracer.as_deref_mut() {
        Some(Tracer::Named(tracer)) => event(tracer),
        _ => absent,
    })
}

impl Inspector<Ctx> for Observer {
    fn initialize_interp(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        traced((), |tracer| tracer.initialize_interp(interpreter, ctx));
    }

    fn step(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        traced_fault::step(interpreter);
        with_tracer((), |tracer| match tracer {
            Tracer::StructLogs(logger) => logger.step(interpreter, ctx),
            Tracer::AccessList(inspector) => inspector.step(interpreter, ctx),
            Tracer::Named(inspector) => inspector.step(interpreter, ctx),
        });
        interrupt::steps(1);
        if interrupt::is_stopped() {
            interpreter.halt(InstructionResult::MemoryLimitOOG);
        }
    }

    fn step_end(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        traced_fault::step_end(interpreter, ctx);
        with_tracer((), |tracer| match tracer {
            Tracer::StructLogs(logger) => logger.step_end(interpreter),
            Tracer::AccessList(_) => {}
            Tracer::Named(inspector) => inspector.step_end(interpreter, ctx),
        });
    }

    fn log(&mut self, ctx: &mut Ctx, log: Log) {
        traced((), |tracer| tracer.log(ctx, log));
    }

    fn log_full(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx, log: Log) {
        traced((), |tracer| tracer.log_full(interpreter, ctx, log));
    }

    fn call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        traced_fault::enter();
        with_tracer(None, |tracer| match tracer {
            Tracer::StructLogs(_) => None,
            Tracer::AccessList(inspector) => inspector.call(ctx, inputs),
            Tracer::Named(inspector) => inspector.call(ctx, inputs),
        })
        .or_else(|| permission::refused_call(ctx, inputs))
    }

    fn call_end(&mut self, ctx: &mut Ctx, inputs: &CallInputs, outcome: &mut CallOutcome) {
        traced_fault::leave();
        traced((), |tracer| tracer.call_end(ctx, inputs, outcome));
    }

    fn create(&mut self, ctx: &mut Ctx, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        traced_fault::enter();
        with_tracer(None, |tracer| match tracer {
            Tracer::StructLogs(_) => None,
            Tracer::AccessList(inspector) => inspector.create(ctx, inputs),
            Tracer::Named(inspector) => inspector.create(ctx, inputs),
        })
        .or_else(|| permission::refused_creation(ctx, inputs))
    }

    fn create_end(&mut self, ctx: &mut Ctx, inputs: &CreateInputs, outcome: &mut CreateOutcome) {
        traced_fault::leave();
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
