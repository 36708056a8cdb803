//! Results of exports: a status code, and the contents of the output buffer.

use crate::{
    exports::{diff::write_diff, refusal::refusal_code, result::write_result},
    host::{buffers, state::HostStopped, wire::Write},
    precompiles::provider::STOPPED,
    vm::{execute::Executed, machine::Vm, touched},
};
use revm::context_interface::result::EVMError;

/// Output: see `answer_executed`, or the JSON of a trace.
pub const EXECUTED: i32 = 0;
/// Output: code u8, detail text.
pub const REFUSED: i32 = 1;
/// The host stopped the execution and keeps its error.
pub const STOPPED_BY_HOST: i32 = 2;
/// Output: error text.
pub const FAILED: i32 = 3;

/// Outputs an execution: length of the undo log u32, result, diff, touched addresses (count u32, addresses).
pub fn answer_executed(vm: &Vm, executed: &Executed) -> i32 {
    let mut out = buffers::reuse_output();
    out.put_u32(executed.undo_mark as usize);
    write_result(&mut out, &executed.outcome.result, &executed.refused_code, executed.stop);
    write_diff(&mut out, executed.outcome.state.iter(), vm.ctx.cfg.spec);
    touched::with_addresses(|addresses| {
        out.put_u32(addresses.len());
        addresses.iter().for_each(|address| out.extend_from_slice(address.as_slice()));
    });
    buffers::set_output(out);
    EXECUTED
}

/// Outputs an error: a refusal, a stop by the host, or a failure.
pub fn answer_error(error: &EVMError<HostStopped>) -> i32 {
    match error {
        EVMError::Database(HostStopped) => STOPPED_BY_HOST,
        EVMError::Custom(text) if text == STOPPED => STOPPED_BY_HOST,
        EVMError::Transaction(reason) => {
            let mut out = buffers::reuse_output();
            out.push(refusal_code(reason));
            out.extend_from_slice(reason.to_string().as_bytes());
            buffers::set_output(out);
            REFUSED
        }
        other => answer_failed(&other.to_string()),
    }
}

/// Outputs a failure with its text.
pub fn answer_failed(text: &str) -> i32 {
    let mut out = buffers::reuse_output();
    out.extend_from_slice(text.as_bytes());
    buffers::set_output(out);
    FAILED
}
