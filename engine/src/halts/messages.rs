//! geth's error messages for halted frames.

use crate::halts::fault;
use revm::{
    context_interface::result::{HaltReason, OutOfGasError},
    interpreter::{InstructionResult, SuccessOrHalt},
};
use std::borrow::Cow;

/// Message of a contract creation whose gas does not cover the storage of its code.
pub const CODE_STORAGE: &str = "contract creation code storage out of gas";

/// geth's error message of a frame that ended. `None` if it did not halt.
pub fn end_message(end: InstructionResult) -> Option<Cow<'static, str>> {
    match SuccessOrHalt::<HaltReason>::from(end) {
        SuccessOrHalt::Halt(reason) => Some(halt_message(&reason)),
        _ => None,
    }
}

/// geth's error message (`core/vm/errors.go`) for the halt of the frame that ended last.
pub fn halt_message(reason: &HaltReason) -> Cow<'static, str> {
    match fault::last() {
        Some(fault) => fault.to_string().into(),
        None => reason_message(reason).into(),
    }
}

fn reason_message(reason: &HaltReason) -> &'static str {
    match reason {
        HaltReason::OutOfGas(OutOfGasError::InvalidOperand) => "gas uint64 overflow",
        HaltReason::OutOfGas(OutOfGasError::ReentrancySentry) => "out of gas: not enough gas for reentrancy sentry",
        HaltReason::OutOfGas(_) => "out of gas",
        HaltReason::OpcodeNotFound | HaltReason::NotActivated => "invalid opcode",
        HaltReason::InvalidFEOpcode => "invalid opcode: INVALID",
        HaltReason::InvalidJump => "invalid jump destination",
        HaltReason::StackUnderflow => "stack underflow",
        HaltReason::StackOverflow => "stack limit reached 1024",
        HaltReason::OutOfOffset => "return data out of bounds",
        HaltReason::CreateCollision => "contract address collision",
        HaltReason::PrecompileError | HaltReason::PrecompileErrorWithContext(_) => "precompile failed",
        HaltReason::NonceOverflow => "nonce uint64 overflow",
        HaltReason::CreateContractSizeLimit => "max code size exceeded",
        HaltReason::CreateContractStartingWithEF => "invalid code: must not begin with 0xef",
        HaltReason::CreateInitCodeSizeLimit => "max initcode size exceeded",
        HaltReason::StateChangeDuringStaticCall | HaltReason::CallNotAllowedInsideStatic => "write protection",
        HaltReason::OverflowPayment | HaltReason::OutOfFunds => "insufficient balance for transfer",
        HaltReason::CallTooDeep => "max call depth exceeded",
    }
}
