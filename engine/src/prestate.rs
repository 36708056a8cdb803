//! The accounts that were empty before a transaction, in the prestate tracer: absent from what was before, also in diff mode,
//! unless `includeEmpty` asks for them (go-ethereum v1.17 `eth/tracers/native/prestate.go`).

use crate::vm::Vm;
use alloy_rpc_types_trace::geth::{AccountState, DiffMode, GethTrace, PreStateFrame};
use revm::{
    DatabaseRef,
    primitives::{Address, B256, U256},
    state::EvmState,
};

/// Adds them to a trace, the coinbase among them, which geth looks at first. The error is in words for the client.
pub fn add_empty(trace: &mut GethTrace, state: &EvmState, vm: &Vm, with_storage: bool) -> Result<(), String> {
    let GethTrace::PreStateTracer(PreStateFrame::Default(accounts)) = trace else { return Ok(()) };
    let coinbase = vm.ctx.block.beneficiary;
    for address in state.keys().copied().chain([coinbase]) {
        if !accounts.0.contains_key(&address) && is_empty(vm, address)? {
            let mut account = AccountState { balance: Some(U256::ZERO), ..AccountState::default() };
            if let (true, Some(now)) = (with_storage, state.get(&address)) {
                account.storage.extend(now.storage.iter().map(|(slot, value)| (B256::from(*slot), B256::from(value.original_value))));
            }
            accounts.0.insert(address, account);
        }
    }
    Ok(())
}

/// Takes them out of the earlier state of a difference, where revm keeps those that are not contracts. The error is in words
/// for the client.
pub fn drop_empty(difference: &mut DiffMode, vm: &Vm) -> Result<(), String> {
    for (address, account) in core::mem::take(&mut difference.pre) {
        if !is_empty(vm, address)? {
            difference.pre.insert(address, account);
        }
    }
    Ok(())
}

/// The coinbase of a call is nowhere in the state of the execution.
fn is_empty(vm: &Vm, address: Address) -> Result<bool, String> {
    let info = vm.ctx.journaled_state.database.basic_ref(address).map_err(|error| error.to_string())?;
    Ok(info.is_none_or(|info| info.is_empty()))
}
