//! The answer of an export: its code, and the contents of the output buffer.

use crate::{
    buffers,
    database::HostStopped,
    diff::write_diff,
    execute::Executed,
    precompiles::STOPPED,
    refusal::refusal_code,
    result::write_result,
    vm::Vm,
    wire::Write,
};
use revm::context_interface::result::EVMError;

pub const EXECUTED: i32 = 0;
/// Output: code u8, detail text.
pub const REFUSED: i32 = 1;
/// The host keeps the reason.
pub const STOPPED_BY_HOST: i32 = 2;
/// Output: text.
pub const FAILED: i32 = 3;

/// Output: undo mark u32, result, diff.
pub fn answer_executed(vm: &Vm, executed: &Executed) -> i32 {
    let mut out = buffers::empty_output();
    out.put_u32(executed.undo_mark as usize);
    write_result(&mut out, &executed.outcome.result, &executed.refused_code, executed.stop);
    write_diff(&mut out, executed.outcome.state.iter(), vm.ctx.cfg.spec);
    buffers::set_output(out);
    EXECUTED
}

pub fn answer_error(error: &EVMError<HostStopped>) -> i32 {
    match error {
        EVMError::Database(HostStopped) => STOPPED_BY_HOST,
        EVMError::Custom(text) if text == STOPPED => STOPPED_BY_HOST,
        EVMError::Transaction(reason) => {
            let mut out = buffers::empty_output();
            out.push(refusal_code(reason));
            out.extend_from_slice(reason.to_string().as_bytes());
            buffers::set_output(out);
            REFUSED
        }
        other => answer_failed(&other.to_string()),
    }
}

pub fn answer_failed(text: &str) -> i32 {
    let mut out = buffers::empty_output();
    out.extend_from_slice(text.as_bytes());
    buffers::set_output(out);
    FAILED
}
