//! Accounts of the prestate tracer that were empty before the transaction. The prestate lists them only with
//! `includeEmpty`, and never in diff mode (go-ethereum v1.17 `eth/tracers/native/prestate.go`).

use crate::vm::machine::Vm;
use alloy_rpc_types_trace::geth::{AccountState, DiffMode, GethTrace, PreStateFrame};
use revm::{
    DatabaseRef,
    primitives::{Address, B256, U256},
    state::EvmState,
};

/// Adds empty accounts to a trace, including the coinbase, which geth looks up first. The error is text for the
/// client.
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

/// Removes empty accounts from the `pre` part of a diff, where revm keeps those without code. The error is text for
/// the client.
pub fn drop_empty(difference: &mut DiffMode, vm: &Vm) -> Result<(), String> {
    for (address, account) in core::mem::take(&mut difference.pre) {
        if !is_empty(vm, address)? {
            difference.pre.insert(address, account);
        }
    }
    Ok(())
}

/// Reads committed state, because the coinbase of a call is not in the execution's state.
fn is_empty(vm: &Vm, address: Address) -> Result<bool, String> {
    let info = vm.ctx.journaled_state.database.basic_ref(address).map_err(|error| error.to_string())?;
    Ok(info.is_none_or(|info| info.is_empty()))
}
