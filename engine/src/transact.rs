//! A transaction of a block: its changes stay in the cache.

use crate::{
    buffers,
    diff::is_dead,
    execute::execute,
    fees::Fees,
    outcome::{answer_error, answer_executed},
    transaction::read_transaction,
    vm::{Vm, with_vm},
    wire::Reader,
};
use revm::{DatabaseCommit, database::DbAccount, state::EvmState};

/// Input: transaction. Answers as in `outcome`.
#[unsafe(no_mangle)]
pub extern "C" fn transact(fees: u32) -> i32 {
    let input = buffers::take_input();
    let answer = with_vm(|vm| {
        let transaction = read_transaction(&mut Reader(&input), vm.ctx.cfg.chain_id);
        match execute(vm, transaction, Fees::from_u32(fees), false) {
            Ok(executed) => {
                let answer = answer_executed(vm, &executed);
                commit(vm, executed.outcome.state);
                answer
            }
            Err(error) => answer_error(&error),
        }
    });
    buffers::give_input_back(input);
    answer
}

/// The cache must say what the host's state will: an account that EIP-161 ended is absent, not present and empty.
fn commit(vm: &mut Vm, state: EvmState) {
    let spec = vm.ctx.cfg.spec;
    let dead: Vec<_> = state.iter().filter(|(_, account)| account.is_touched() && is_dead(account, spec)).map(|(address, _)| *address).collect();
    let database = &mut vm.ctx.journaled_state.database;
    database.commit(state);
    for address in dead {
        database.cache.accounts.insert(address, DbAccount::new_not_existing());
    }
}
