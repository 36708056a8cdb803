//! Executes transactions of a block. Their changes stay in the cache.

use crate::{
    exports::{diff::is_deleted, outcome::{answer_error, answer_executed}, transaction::read_transaction},
    host::{buffers, wire::Reader},
    vm::{execute::execute, handler::Fees, machine::{with_vm, Vm}},
};
use revm::{DatabaseCommit, database::DbAccount, state::EvmState};

/// Executes a transaction. Input: transaction. Status and output as in `outcome`.
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
    buffers::return_input(input);
    answer
}

/// Commits the changes to the cache, which must equal the host's state: accounts deleted by EIP-161 are absent there.
fn commit(vm: &mut Vm, state: EvmState) {
    let spec = vm.ctx.cfg.spec;
    let deleted: Vec<_> = state.iter().filter(|(_, account)| account.is_touched() && is_deleted(account, spec)).map(|(address, _)| *address).collect();
    let database = &mut vm.ctx.journaled_state.database;
    database.commit(state);
    for address in deleted {
        database.cache.accounts.insert(address, DbAccount::new_not_existing());
    }
}
