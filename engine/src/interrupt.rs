//! Ends an execution that takes too long or too much memory. Only calls and traces ask: blocks stop on gas alone.

use crate::{host, single::Single};

/// Steps of the interpreter between two questions to the host.
const STEPS: u32 = 4096;
/// Gas is not time: a gas of the slowest precompile takes as long as some 30 steps (0.17 us against 5 ns).
const STEPS_PER_PRECOMPILE_GAS: u64 = 32;
/// Pages of 64 KiB that a trace may make this module grow to: 512 MiB.
const TRACE_PAGES: usize = 1 << 13;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The host's clock.
    Interrupted,
    /// The record of a trace.
    TooLarge,
}

struct State {
    polling: bool,
    steps: u32,
    stop: Option<Stop>,
}

static STATE: Single<State> = Single::new(State { polling: false, steps: 0, stop: None });

/// Runs with polling, and says whether and why the run was stopped.
pub fn polled<R>(run: impl FnOnce() -> R) -> (R, Option<Stop>) {
    STATE.with(|state| *state = State { polling: true, steps: 0, stop: None });
    let result = run();
    (result, STATE.with(|state| {
        state.polling = false;
        state.stop.take()
    }))
}

/// True once the execution has to end, and ever after, so that no caller of a stopped frame goes on.
pub fn is_stopped() -> bool {
    STATE.with(|state| state.stop.is_some())
}

/// Counts a precompile by its gas.
pub fn precompile(gas: u64) {
    steps(gas.saturating_mul(STEPS_PER_PRECOMPILE_GAS).min(u32::MAX as u64 / 2) as u32);
}

/// The record has grown too long.
pub fn stop_too_large() {
    STATE.with(|state| state.stop = Some(Stop::TooLarge));
}

/// Counts steps of the interpreter.
pub fn steps(steps: u32) {
    let ask = STATE.with(|state| {
        if !state.polling || state.stop.is_some() {
            return false;
        }
        state.steps += steps;
        if state.steps < STEPS {
            return false;
        }
        state.steps = 0;
        true
    });
    if ask {
        let stop = if unsafe { host::tick() } != 0 {
            Some(Stop::Interrupted)
        } else if core::arch::wasm32::memory_size(0) > TRACE_PAGES {
            Some(Stop::TooLarge)
        } else {
            None
        };
        STATE.with(|state| state.stop = stop);
    }
}
