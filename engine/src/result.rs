//! The result of an execution, and geth's words for a halt.

use crate::{fault, interrupt::Stop, wire::Write};
use revm::{
    context_interface::result::{ExecutionResult, HaltReason, OutOfGasError, Output},
    interpreter::{InstructionResult, SuccessOrHalt},
    primitives::{Bytes, Log},
};
use std::borrow::Cow;

const REVERT: u8 = 0;
const SUCCESS: u8 = 1;
const HALT: u8 = 2;
/// A creation whose gas does not pay for its code.
pub const CODE_STORAGE: &str = "contract creation code storage out of gas";

/// status u8, gas used u64, refunded u64, created (flag and address), the words of a halt, output, logs. `refused` is the
/// code that a creation returned and that was not taken.
pub fn write_result(out: &mut Vec<u8>, result: &ExecutionResult, refused: &Bytes, stop: Option<Stop>) {
    out.push(match (stop, result) {
        (Some(_), _) | (None, ExecutionResult::Halt { .. }) => HALT,
        (None, ExecutionResult::Success { .. }) => SUCCESS,
        (None, ExecutionResult::Revert { .. }) => REVERT,
    });
    out.put_u64(result.tx_gas_used());
    out.put_u64(result.gas().final_refunded());
    let created = result.created_address().unwrap_or_default();
    out.push(result.created_address().is_some() as u8);
    out.extend_from_slice(created.as_slice());
    let words: Cow<'_, str> = match (stop, result) {
        (Some(Stop::Interrupted), _) => "Interrupted".into(),
        (Some(Stop::TooLarge), _) => "TooLarge".into(),
        (None, ExecutionResult::Halt { reason: HaltReason::OutOfGas(_), .. }) if !refused.is_empty() => CODE_STORAGE.into(),
        (None, ExecutionResult::Halt { reason, .. }) => halt_words(reason),
        (None, _) => "".into(),
    };
    out.put_bytes(words.as_bytes());
    out.put_bytes(match (stop, result) {
        (Some(_), _) => &[],
        (None, ExecutionResult::Success { output: Output::Call(bytes) | Output::Create(bytes, _), .. }) => bytes,
        (None, ExecutionResult::Revert { output, .. }) => output,
        (None, ExecutionResult::Halt { .. }) => refused,
    });
    let logs: &[Log] = match (stop, result) {
        (None, ExecutionResult::Success { logs, .. }) => logs,
        _ => &[],
    };
    out.put_u32(logs.len());
    for log in logs {
        write_log(out, log);
    }
}

fn write_log(out: &mut Vec<u8>, log: &Log) {
    out.extend_from_slice(log.address.as_slice());
    out.push(log.data.topics().len() as u8);
    for topic in log.data.topics() {
        out.extend_from_slice(topic.as_slice());
    }
    out.put_bytes(&log.data.data);
}

/// geth's text for the end of a frame; none where it did not halt.
pub fn end_words(end: InstructionResult) -> Option<Cow<'static, str>> {
    match SuccessOrHalt::<HaltReason>::from(end) {
        SuccessOrHalt::Halt(reason) => Some(halt_words(&reason)),
        _ => None,
    }
}

/// geth's text (core/vm/errors.go) for the halt of the frame that ended last.
fn halt_words(reason: &HaltReason) -> Cow<'static, str> {
    match fault::last() {
        Some(fault) => fault.to_string().into(),
        None => reason_words(reason).into(),
    }
}

fn reason_words(reason: &HaltReason) -> &'static str {
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
