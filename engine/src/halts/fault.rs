//! The fault that halted a frame, where geth's words say more than revm's reason (go-ethereum v1.16
//! `core/vm/errors.go`).

use crate::{halts::opcode_name::OpcodeName, host::single::Single, peer::precompile_errors::RefusedInput};
use revm::primitives::Address;

/// A fault. It displays as geth's text.
#[derive(Clone)]
pub enum Fault {
    Opcode(u8),
    Underflow { length: usize, required: usize },
    Overflow { length: usize, limit: usize },
    InitCode { length: u64 },
    Words(&'static str),
    /// The permissions of the chain deny the frame to its caller.
    Denied { caller: Address, creates: bool },
    /// A precompile of Ethereum refused its input.
    Input(RefusedInput),
}

/// An instruction, and the state that it began with.
pub struct Before {
    pub opcode: u8,
    /// Words on the stack.
    pub stack: usize,
    /// Gas after the constant price. `None` when the frame could not pay that price.
    pub gas: Option<u64>,
}

/// The fault of the frame that ended last. The next frame that runs clears it.
static FAULT: Single<Option<Fault>> = Single::new(None);

/// Clears the fault.
pub fn forget() {
    FAULT.with(|stored| *stored = None);
}

/// Records a fault. `None` clears it.
pub fn set(fault: impl Into<Option<Fault>>) {
    FAULT.with(|stored| *stored = fault.into());
}

/// The fault of the last frame. `None` when revm's reason says it all.
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
            Self::Words(words) => out.write_str(words),
            Self::Denied { caller, creates: false } => write!(out, "caller address {caller} does not have permission to perform a call"),
            Self::Denied { caller, creates: true } => write!(out, "caller address {caller} does not have permission to deploy contracts"),
            Self::Input(refused) => refused.fmt(out),
        }
    }
}
