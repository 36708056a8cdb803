//! Runs one transaction on the machine.

use crate::{
    database::{HostStopped, UNDO_MARK},
    dirty, fault,
    fees::{FeeHandler, Fees},
    interrupt::{self, Stop},
    observer,
    precompiles,
    vm::Vm,
};
use revm::{
    context::{ContextTr, JournalTr, TxEnv},
    context_interface::result::{EVMError, ResultAndState},
    handler::Handler,
    inspector::InspectorHandler,
    primitives::{Bytes, U256},
    state::EvmState,
};

/// The result, the valid length of the host's undo log, and the reason that a polled run was stopped.
pub struct Executed {
    pub outcome: ResultAndState,
    pub undo_mark: u32,
    pub stop: Option<Stop>,
    /// The code of a creation that breaks a rule of code: geth returns it with the error.
    pub refused_code: Bytes,
}

/// `observed` polls the host, instruction by instruction when there is a tracer; blocks do neither.
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

/// An execution that the host stopped leaves its error and its nesting behind.
fn forget_last(vm: &mut Vm) {
    precompiles::forget_nesting();
    fault::forget();
    dirty::forget();
    *vm.ctx.error() = Ok(());
}

/// The mark's slot stays inside; the account itself is like any other once somebody sends it money.
fn take_undo_mark(state: &mut EvmState) -> u32 {
    let Some(account) = state.get_mut(&UNDO_MARK) else { return 0 };
    let mark = account.storage.get(&U256::ZERO).map_or(0, |slot| slot.present_value.saturating_to());
    account.storage.clear();
    if !account.is_touched() {
        state.remove(&UNDO_MARK);
    }
    mark
}

/// Changes of a call to the block, which it restores.
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

/// Limits of transactions in blocks do not hold for calls; a call that names no price sees a base fee of zero (geth's
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
