//! Executes one transaction or call.

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
    /// Valid length of the host's undo log.
    pub undo_mark: u32,
    /// Reason if the execution was stopped; only with polling.
    pub stop: Option<Stop>,
    /// Code of a contract creation that halted only at its end: the code is too large, begins with 0xef, or costs
    /// more gas than is left. geth returns it with the error.
    pub refused_code: Bytes,
}

/// Executes a transaction. With `polls` it polls the host and can be interrupted, which blocks must not be.
pub fn execute(vm: &mut Vm, transaction: TxEnv, fees: Fees, polls: bool) -> Result<Executed, EVMError<HostStopped>> {
    reset_execution(vm);
    let restore = set_rules(vm, fees, transaction.gas_price == 0);
    vm.ctx.tx = transaction;
    let mut handler = FeeHandler::new(fees);
    let mut run = || if observer::is_tracing() { handler.inspect_run(vm) } else { handler.run(vm) };
    let (result, stop) = if polls { interrupt::run_polled(run) } else { (run(), None) };
    restore.into_vm(vm);
    let mut state = vm.ctx.journal_mut().finalize();
    let undo_mark = take_undo_mark(&mut state);
    Ok(Executed { outcome: ResultAndState::new(result?, state), undo_mark, stop, refused_code: handler.refused_code })
}

/// Resets per-execution state. An execution that the host stopped leaves its error and its nesting depth.
fn reset_execution(vm: &mut Vm) {
    provider::reset_nesting();
    fault::clear();
    unchanged_writes::clear();
    touched::clear();
    *vm.ctx.error() = Ok(());
}

/// Removes the undo mark from the changes and returns it. The account stays if a transaction sent it a balance.
fn take_undo_mark(state: &mut EvmState) -> u32 {
    let Some(account) = state.get_mut(&UNDO_MARK) else { return 0 };
    let mark = account.storage.get(&U256::ZERO).map_or(0, |slot| slot.present_value.saturating_to());
    account.storage.clear();
    if !account.is_touched() {
        state.remove(&UNDO_MARK);
    }
    mark
}

/// Block settings that a call changes, to be restored after it.
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

/// Disables the checks of block transactions for a call. A call without a gas price sees a base fee of zero (geth's
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
