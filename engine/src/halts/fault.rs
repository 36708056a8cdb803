//! The fault that halted a frame, where geth's error message has more detail than revm's halt reason (go-ethereum
//! v1.16 `core/vm/errors.go`).

use crate::{halts::opcode_name::OpcodeName, host::single::Single, peer::precompile_errors::RefusedInput};
use revm::primitives::Address;

/// A fault. Displays as geth's error message.
#[derive(Clone)]
pub enum Fault {
    Opcode(u8),
    Underflow { length: usize, required: usize },
    Overflow { length: usize, limit: usize },
    InitCode { length: u64 },
    Message(&'static str),
    /// The permissions of the chain do not allow the frame to its caller.
    Denied { caller: Address, creates: bool },
    /// A precompile of Ethereum refused its input.
    Input(RefusedInput),
}

/// State before an instruction.
pub struct Before {
    pub opcode: u8,
    /// Stack length.
    pub stack: usize,
    /// Gas left after the constant price. `None` if the gas does not cover that price.
    pub gas: Option<u64>,
}

/// Fault of the frame that ended last. The next frame clears it when it runs.
static FAULT: Single<Option<Fault>> = Single::new(None);

/// Clears the fault.
pub fn clear() {
    FAULT.with(|stored| *stored = None);
}

/// Records a fault. `None` clears it.
pub fn set(fault: impl Into<Option<Fault>>) {
    FAULT.with(|stored| *stored = fault.into());
}

/// Fault of the last frame. `None` if revm's halt reason is precise enough.
pub fn last() -> Option<Fault> {
    FAULT.with(|stored| stored.clone())
}

impl core::fmt::Display for Fault {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Opcode(opcode) => write!(out, "invalid opcode: {}", OpcodeName(*opcode)),
            Self::Underflow { length, required } => write!(out, "stack underflow ({length} <=> {required})"),
            Self::Overflow { length, limit } => write!(out, "stack limit reached {length} ({limit})"),
            Self::InitCode { length } => write!(out, "out of gas: max initcode size exceeded: size {length}"),
            Self::Message(text) => out.write_str(text),
            Self::Denied { caller, creates: false } => write!(out, "caller address {caller} does not have permission to perform a call"),
            Self::Denied { caller, creates: true } => write!(out, "caller address {caller} does not have permission to deploy contracts"),
            Self::Input(refused) => refused.fmt(out),
        }
    }
}
