//! Executes calls with state overrides. Their changes are not kept.

use crate::{
    exports::{outcome::{STOPPED_BY_HOST, answer_error, answer_executed}, overrides::Overrides, transaction::read_transaction},
    host::{buffers, wire::Reader},
    peer::state_reads,
    vm::{execute::execute, handler::Fees, machine::with_vm},
};

/// Executes a call. Input: overrides, transaction. Status and output as in `outcome`. With `by_module` its reads are
/// reported to the host (`peer::state_reads`).
#[unsafe(no_mangle)]
pub extern "C" fn call(fees: u32, polls: u32, by_module: u32) -> i32 {
    let input = buffers::take_input();
    let answer = with_vm(|vm| {
        let mut reader = Reader(&input);
        let (overrides, applied) = Overrides::apply(&mut vm.ctx.journaled_state.database, &mut reader);
        let answer = if applied.is_err() {
            STOPPED_BY_HOST
        } else {
            let transaction = read_transaction(&mut reader, vm.ctx.cfg.chain_id);
            match state_reads::metered(by_module != 0, || execute(vm, transaction, Fees::from_u32(fees), polls != 0)) {
                Ok(executed) => answer_executed(vm, &executed),
                Err(error) => answer_error(&error),
            }
        };
        overrides.undo(&mut vm.ctx.journaled_state.database);
        answer
    });
    buffers::return_input(input);
    answer
}
