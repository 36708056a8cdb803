//! Passes the events of a traced execution to its tracer, and polls the host.

use crate::{
    host::{interrupt, single::Single},
    peer::permissions,
    trace::{faults, log_index, tracer::Tracer},
    vm::context::Ctx,
};
use revm::{
    Inspector,
    bytecode::opcode::SELFDESTRUCT,
    handler::FrameResult,
    interpreter::{
        CallInputs, CallOutcome, CreateInputs, CreateOutcome, FrameInput, InstructionResult, Interpreter,
        interpreter_types::{InputsTr, Jumps},
    },
    primitives::{Address, Log, U256},
};

/// Tracer of the execution. Nested calls have their own EVM, but share the tracer.
static TRACER: Single<Option<Box<Tracer>>> = Single::new(None);

/// Starts a trace.
pub fn set_tracer(tracer: Option<Box<Tracer>>) {
    faults::begin();
    log_index::begin();
    TRACER.with(|stored| *stored = tracer);
}

/// Ends the trace and returns its tracer.
pub fn take_tracer() -> Option<Box<Tracer>> {
    TRACER.with(Option::take)
}

/// True while a trace runs.
pub fn is_tracing() -> bool {
    TRACER.with(|tracer| tracer.is_some())
}

/// revm's inspector: passes events to the tracer.
pub struct Observer;

fn with_tracer(event: impl FnOnce(&mut Tracer)) {
    TRACER.with(|tracer| {
        if let Some(tracer) = tracer {
            event(tracer);
        }
    });
}

impl Inspector<Ctx> for Observer {
    fn initialize_interp(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        with_tracer(|tracer| tracer.for_each_inspector(&mut |inspector| inspector.initialize_interp(interpreter, ctx)));
    }

    fn step(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        faults::step(interpreter);
        with_tracer(|tracer| tracer.step(interpreter, ctx));
        if let Some((contract, balance)) = destroys_for_itself(interpreter, ctx) {
            self.selfdestruct(contract, contract, balance);
        }
        interrupt::count_steps(1);
        if interrupt::is_stopped() {
            interpreter.halt(InstructionResult::MemoryLimitOOG);
        }
    }

    fn step_end(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        faults::step_end(interpreter, ctx);
        with_tracer(|tracer| tracer.step_end(interpreter, ctx));
    }

    fn log(&mut self, ctx: &mut Ctx, log: Log) {
        log_index::log();
        with_tracer(|tracer| tracer.for_each_inspector(&mut |inspector| inspector.log(ctx, log.clone())));
    }

    fn log_full(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx, log: Log) {
        log_index::log();
        with_tracer(|tracer| tracer.for_each_inspector(&mut |inspector| inspector.log_full(interpreter, ctx, log.clone())));
    }

    fn call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        faults::enter();
        log_index::enter();
        with_tracer(|tracer| tracer.call(ctx, inputs));
        permissions::denied_call(ctx, inputs)
    }

    fn call_end(&mut self, ctx: &mut Ctx, inputs: &CallInputs, outcome: &mut CallOutcome) {
        faults::leave(outcome.result.result);
        log_index::leave(outcome.result.result.is_ok());
        with_tracer(|tracer| {
            tracer.leave();
            tracer.for_each_inspector(&mut |inspector| inspector.call_end(ctx, inputs, outcome));
        });
    }

    fn create(&mut self, ctx: &mut Ctx, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        faults::enter();
        log_index::enter();
        with_tracer(|tracer| tracer.create(ctx, inputs));
        permissions::denied_creation(ctx, inputs)
    }

    fn create_end(&mut self, ctx: &mut Ctx, inputs: &CreateInputs, outcome: &mut CreateOutcome) {
        faults::leave_creation(outcome);
        log_index::leave(outcome.result.result.is_ok());
        with_tracer(|tracer| {
            tracer.leave();
            tracer.for_each_inspector(&mut |inspector| inspector.create_end(ctx, inputs, outcome));
        });
    }

    fn selfdestruct(&mut self, contract: Address, target: Address, value: U256) {
        with_tracer(|tracer| {
            tracer.for_each_inspector(&mut |inspector| Inspector::<Ctx>::selfdestruct(inspector, contract, target, value));
        });
    }

    fn frame_start(&mut self, ctx: &mut Ctx, input: &mut FrameInput) -> Option<FrameResult> {
        with_tracer(|tracer| tracer.for_each_inspector(&mut |inspector| drop(inspector.frame_start(ctx, input))));
        None
    }

    fn frame_end(&mut self, ctx: &mut Ctx, input: &FrameInput, result: &mut FrameResult) {
        with_tracer(|tracer| tracer.for_each_inspector(&mut |inspector| inspector.frame_end(ctx, input, result)));
    }
}

/// Contract and balance if the next instruction is a SELFDESTRUCT whose beneficiary is the contract itself. revm
/// reports no event for it, because no balance moves.
fn destroys_for_itself(interpreter: &Interpreter, ctx: &Ctx) -> Option<(Address, U256)> {
    let contract = interpreter.input.target_address();
    let beneficiary = interpreter.stack.data().last().filter(|_| interpreter.bytecode.opcode() == SELFDESTRUCT)?;
    let account = ctx.journaled_state.inner.state.get(&contract)?;
    (Address::from_word((*beneficiary).into()) == contract).then_some((contract, account.info.balance))
}
