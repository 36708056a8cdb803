//! A transaction of a block: its changes stay in the cache.

use crate::{
    buffers,
    execute::execute,
    fees::Fees,
    outcome::{answer_error, answer_executed},
    transaction::read_transaction,
    vm::with_vm,
    wire::Reader,
};
use revm::DatabaseCommit;

/// Input: transaction. Answers as in `outcome`.
#[unsafe(no_mangle)]
pub extern "C" fn transact(fees: u32) -> i32 {
    let input = buffers::take_input();
    let answer = with_vm(|vm| {
        let transaction = read_transaction(&mut Reader(&input), vm.ctx.cfg.chain_id);
        match execute(vm, transaction, Fees::from_u32(fees), false) {
            Ok(executed) => {
                let answer = answer_executed(vm, &executed);
                vm.ctx.journaled_state.database.commit(executed.outcome.state);
                answer
            }
            Err(error) => answer_error(&error),
        }
    });
    buffers::give_input_back(input);
    answer
}
