//! Interrupts calls and traces that take too much time or memory. Only gas limits the execution of blocks.

use crate::host::{imports, single::Single};

/// Interpreter steps between two polls of the host.
const STEPS: u32 = 4096;
/// One gas of the slowest precompile takes as long as about 30 interpreter steps.
const STEPS_PER_PRECOMPILE_GAS: u64 = 32;
/// Maximum memory of this WebAssembly module during a trace, in pages of 64 KiB: 512 MiB.
const TRACE_PAGES: usize = 1 << 13;

/// Reason of an interruption.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The host requested it when polled.
    Interrupted,
    /// The trace became too large.
    TooLarge,
}

struct State {
    polling: bool,
    steps: u32,
    stop: Option<Stop>,
}

static STATE: Single<State> = Single::new(State { polling: false, steps: 0, stop: None });

/// Runs a closure with polling. Returns its result, and the reason if it was stopped.
pub fn run_polled<R>(run: impl FnOnce() -> R) -> (R, Option<Stop>) {
    STATE.with(|state| *state = State { polling: true, steps: 0, stop: None });
    let result = run();
    (result, STATE.with(|state| {
        state.polling = false;
        state.stop.take()
    }))
}

/// True once the execution must end. Stays true, so that the callers of a stopped frame stop, too.
pub fn is_stopped() -> bool {
    STATE.with(|state| state.stop.is_some())
}

/// Counts a precompile's gas as steps.
pub fn count_precompile(gas: u64) {
    count_steps(gas.saturating_mul(STEPS_PER_PRECOMPILE_GAS).min(u32::MAX as u64 / 2) as u32);
}

/// Stops the execution because its trace is too large.
pub fn stop_too_large() {
    STATE.with(|state| state.stop = Some(Stop::TooLarge));
}

/// Counts interpreter steps; polls the host after every `STEPS`.
pub fn count_steps(count: u32) {
    let must_poll = STATE.with(|state| {
        if !state.polling || state.stop.is_some() {
            return false;
        }
        state.steps += count;
        if state.steps < STEPS {
            return false;
        }
        state.steps = 0;
        true
    });
    if must_poll {
        let stop = if unsafe { imports::tick() } != 0 {
            Some(Stop::Interrupted)
        } else if core::arch::wasm32::memory_size(0) > TRACE_PAGES {
            Some(Stop::TooLarge)
        } else {
            None
        };
        STATE.with(|state| state.stop = stop);
    }
}
