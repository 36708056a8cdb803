//! A transaction of a block. Its changes stay in the cache.

use crate::{
    exports::{diff::is_dead, outcome::{answer_error, answer_executed}, transaction::read_transaction},
    host::{buffers, wire::Reader},
    vm::{execute::execute, handler::Fees, machine::{with_vm, Vm}},
};
use revm::{DatabaseCommit, database::DbAccount, state::EvmState};

/// Executes a transaction. Input: transaction. Answers as in `outcome`.
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

/// Writes the changes into the cache, which must equal the host's state: an account that EIP-161 ended is absent there.
fn commit(vm: &mut Vm, state: EvmState) {
    let spec = vm.ctx.cfg.spec;
    let dead: Vec<_> = state.iter().filter(|(_, account)| account.is_touched() && is_dead(account, spec)).map(|(address, _)| *address).collect();
    let database = &mut vm.ctx.journaled_state.database;
    database.commit(state);
    for address in dead {
        database.cache.accounts.insert(address, DbAccount::new_not_existing());
    }
}
