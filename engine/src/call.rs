//! A call: executed over temporary edits, without lasting effects.

use crate::{
    buffers,
    by_module,
    execute::execute,
    fees::Fees,
    outcome::{STOPPED_BY_HOST, answer_error, answer_executed},
    overrides::Overrides,
    transaction::read_transaction,
    vm::with_vm,
    wire::Reader,
};

/// Input: overrides, transaction. Answers as in `outcome`. `by_module`: the host hears of the frames inside.
#[unsafe(no_mangle)]
pub extern "C" fn call(fees: u32, observed: u32, by_module: u32) -> i32 {
    let input = buffers::take_input();
    let answer = with_vm(|vm| {
        let mut reader = Reader(&input);
        let (overrides, applied) = Overrides::apply(&mut vm.ctx.journaled_state.database, &mut reader);
        let answer = if applied.is_err() {
            STOPPED_BY_HOST
        } else {
            let transaction = read_transaction(&mut reader, vm.ctx.cfg.chain_id);
            match by_module::run(by_module != 0, || execute(vm, transaction, Fees::from_u32(fees), observed != 0)) {
                Ok(executed) => answer_executed(vm, &executed),
                Err(error) => answer_error(&error),
            }
        };
        overrides.take_back(&mut vm.ctx.journaled_state.database);
        answer
    });
    buffers::give_input_back(input);
    answer
}
