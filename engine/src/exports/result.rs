//! Encodes the result of an execution.

use crate::{
    halts::messages::{CODE_STORAGE, halt_message},
    host::{interrupt::Stop, wire::Write},
};
use revm::{
    context_interface::result::{ExecutionResult, HaltReason, Output},
    primitives::{Bytes, Log},
};
use std::borrow::Cow;

const REVERT: u8 = 0;
const SUCCESS: u8 = 1;
const HALT: u8 = 2;

/// Writes status u8, gas used u64, gas refunded u64, created contract (flag and address), message of a halt, output,
/// logs. `refused` is the code of a refused contract creation.
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
    let message: Cow<'_, str> = match (stop, result) {
        (Some(Stop::Interrupted), _) => "Interrupted".into(),
        (Some(Stop::TooLarge), _) => "TooLarge".into(),
        (None, ExecutionResult::Halt { reason: HaltReason::OutOfGas(_), .. }) if !refused.is_empty() => CODE_STORAGE.into(),
        (None, ExecutionResult::Halt { reason, .. }) => halt_message(reason),
        (None, _) => "".into(),
    };
    out.put_bytes(message.as_bytes());
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
