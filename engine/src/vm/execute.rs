//! Runs one transaction on the machine.

use crate::{
    halts::fault,
    host::{interrupt::{self, Stop}, state::{HostStopped, UNDO_MARK}},
    peer::unchanged_writes,
    precompiles::provider,
    trace::observer,
    vm::{handler::{FeeHandler, Fees}, machine::Vm, touched},
};
use revm::{
    context::{ContextTr, JournalTr, TxEnv},
    context_interface::result::{EVMError, ResultAndState},
    handler::Handler,
    inspector::InspectorHandler,
    primitives::{Bytes, U256},
    state::EvmState,
};

/// The outcome of an execution.
pub struct Executed {
    pub outcome: ResultAndState,
    /// The valid length of the host's undo log.
    pub undo_mark: u32,
    /// The reason when a polled run was stopped.
    pub stop: Option<Stop>,
    /// The code of a creation that breaks a rule of code. geth returns it with the error.
    pub refused_code: Bytes,
}

/// Executes a transaction. With `observed` the execution polls the host; blocks do not.
pub fn execute(vm: &mut Vm, transaction: TxEnv, fees: Fees, observed: bool) -> Result<Executed, EVMError<HostStopped>> {
    forget_last(vm);
    let restore = set_rules(vm, fees, transaction.gas_price == 0);
    vm.ctx.tx = transaction;
    let mut handler = FeeHandler::new(fees);
    let mut run = || if observer::is_tracing() { handler.inspect_run(vm) } else { handler.run(vm) };
    let (result, stop) = if observed { interrupt::polled(run) } else { (run(), None) };
    restore.into_vm(vm);
    let mut state = vm.ctx.journal_mut().finalize();
    let undo_mark = take_undo_mark(&mut state);
    Ok(Executed { outcome: ResultAndState::new(result?, state), undo_mark, stop, refused_code: handler.refused_code })
}

/// Clears the rest of the last execution: one that the host stopped leaves its error and its nesting.
fn forget_last(vm: &mut Vm) {
    provider::forget_nesting();
    fault::forget();
    unchanged_writes::forget();
    touched::forget();
    *vm.ctx.error() = Ok(());
}

/// Takes the length of the undo log out of the changes. The account of the mark stays when somebody sent it money.
fn take_undo_mark(state: &mut EvmState) -> u32 {
    let Some(account) = state.get_mut(&UNDO_MARK) else { return 0 };
    let mark = account.storage.get(&U256::ZERO).map_or(0, |slot| slot.present_value.saturating_to());
    account.storage.clear();
    if !account.is_touched() {
        state.remove(&UNDO_MARK);
    }
    mark
}

/// Settings of the block that a call changes, to be restored after it.
struct Restore {
    base_fee: u64,
    gas_cap: Option<u64>,
}

impl Restore {
    fn into_vm(self, vm: &mut Vm) {
        vm.ctx.block.basefee = self.base_fee;
        vm.ctx.cfg.tx_gas_limit_cap = self.gas_cap;
    }
}

/// Lifts the limits of transactions in blocks for a call. A call without a gas price sees a base fee of zero (geth's
/// `NoBaseFee`).
fn set_rules(vm: &mut Vm, fees: Fees, free: bool) -> Restore {
    let call = fees.is_call();
    let restore = Restore { base_fee: vm.ctx.block.basefee, gas_cap: vm.ctx.cfg.tx_gas_limit_cap };
    let cfg = &mut vm.ctx.cfg;
    cfg.disable_base_fee = call;
    cfg.disable_eip3607 = call;
    cfg.disable_block_gas_limit = call;
    if call {
        cfg.tx_gas_limit_cap = Some(u64::MAX);
        if free {
            vm.ctx.block.basefee = 0;
        }
    }
    restore
}
