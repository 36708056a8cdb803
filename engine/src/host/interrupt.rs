//! Ends a call or a trace that takes too long or too much memory. Blocks end by gas alone.

use crate::host::{imports, single::Single};

/// Steps of the interpreter between two polls of the host.
const STEPS: u32 = 4096;
/// Gas is not time: one gas of the slowest precompile takes as long as some 30 steps.
const STEPS_PER_PRECOMPILE_GAS: u64 = 32;
/// The highest memory of this module during a trace, in pages of 64 KiB: 512 MiB.
const TRACE_PAGES: usize = 1 << 13;

/// The reason of an interruption.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The host ended it by its clock.
    Interrupted,
    /// The record of a trace became too large.
    TooLarge,
}

struct State {
    polling: bool,
    steps: u32,
    stop: Option<Stop>,
}

static STATE: Single<State> = Single::new(State { polling: false, steps: 0, stop: None });

/// Runs with polling. Answers the result, and the reason when the run was stopped.
pub fn polled<R>(run: impl FnOnce() -> R) -> (R, Option<Stop>) {
    STATE.with(|state| *state = State { polling: true, steps: 0, stop: None });
    let result = run();
    (result, STATE.with(|state| {
        state.polling = false;
        state.stop.take()
    }))
}

/// True once the execution must end. It stays true, so that no caller of a stopped frame goes on.
pub fn is_stopped() -> bool {
    STATE.with(|state| state.stop.is_some())
}

/// Counts a precompile by its gas.
pub fn precompile(gas: u64) {
    steps(gas.saturating_mul(STEPS_PER_PRECOMPILE_GAS).min(u32::MAX as u64 / 2) as u32);
}

/// Stops the execution because the record of its trace is too large.
pub fn stop_too_large() {
    STATE.with(|state| state.stop = Some(Stop::TooLarge));
}

/// Counts steps of the interpreter, and polls the host when it is time.
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
