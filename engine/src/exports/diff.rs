//! The diff of a transaction: its changes, in ascending order of address and slot.

use crate::{host::wire::Write, peer::unchanged_writes, vm::block_rules::block_rules};
use revm::{
    precompile::{PrecompileSpecId, Precompiles},
    primitives::{Address, KECCAK_EMPTY, U256, hardfork::SpecId},
    state::Account,
};

const DELETED: u8 = 1;
const CREATED: u8 = 2;
const HAS_CODE: u8 = 4;
const TOUCHED: u8 = 8;

/// Writes count u32, then for each account: address, flags u8 (1 deleted, 2 created, 4 code follows, 8 touched). If
/// it is not deleted, also nonce u64, balance, code hash, code, number of slots u32, (slot, value).
pub fn write_diff<'a>(out: &mut Vec<u8>, state: impl Iterator<Item = (&'a Address, &'a Account)>, spec: SpecId) {
    let mut changed: Vec<_> = state.filter(|(address, account)| is_changed(address, account, spec) || is_touch(address, account, spec)).collect();
    changed.sort_unstable_by_key(|(address, _)| **address);
    out.put_u32(changed.len());
    for (address, account) in changed {
        write_account(out, address, account, spec);
    }
}

/// True for an account that is deleted: by SELFDESTRUCT, or because it is touched and empty (EIP-161).
pub fn is_deleted(account: &Account, spec: SpecId) -> bool {
    account.is_selfdestructed() || (spec.is_enabled_in(SpecId::SPURIOUS_DRAGON) && account.is_empty())
}

/// True for a new, empty account in a block that shows touches: a called precompile of Ethereum, or an account that
/// received zero wei.
fn is_touch(address: &Address, account: &Account, spec: SpecId) -> bool {
    block_rules().shows_touches
        && account.is_touched()
        && account.is_empty()
        && !account.is_selfdestructed()
        && account.is_loaded_as_not_existing()
        && !unchanged_writes::is_changed(address)
        && (unchanged_writes::has_received_zero(address) || Precompiles::new(PrecompileSpecId::from_spec_id(spec)).contains(address))
}

/// True for an account that a block with touches shows because the journal changed it, perhaps back to its old value.
fn is_rewritten(address: &Address, account: &Account) -> bool {
    block_rules().shows_touches && unchanged_writes::is_changed(address) && !account.is_selfdestructed()
}

fn is_changed(address: &Address, account: &Account, spec: SpecId) -> bool {
    if !account.is_touched() {
        return false;
    }
    let was_absent = account.is_loaded_as_not_existing();
    if is_rewritten(address, account) {
        return true;
    }
    if is_deleted(account, spec) {
        // An account that the EVM considers empty may exist in the host's state.
        return !was_absent || (block_rules().shows_touches && account.is_selfdestructed());
    }
    account.is_created()
        || was_absent
        || account.info != account.original_info()
        || account.changed_storage_slots().next().is_some()
}

fn write_account(out: &mut Vec<u8>, address: &Address, account: &Account, spec: SpecId) {
    out.extend_from_slice(address.as_slice());
    let is_touch = is_touch(address, account, spec);
    if is_deleted(account, spec) && !is_touch && !is_rewritten(address, account) {
        out.push(DELETED);
        return;
    }
    let info = &account.info;
    let is_set = block_rules().shows_touches && unchanged_writes::is_code_set(address);
    let new_code = account.is_created() || is_set || info.code_hash != account.original_info().code_hash;
    let code = if new_code && info.code_hash != KECCAK_EMPTY { info.code.as_ref() } else { None };
    let created = if account.is_created() { CREATED } else { 0 };
    let touched = if is_touch { TOUCHED } else { 0 };
    out.push(created | touched | if code.is_some() { HAS_CODE } else { 0 });
    out.put_u64(info.nonce);
    out.put_u256(info.balance);
    out.extend_from_slice(info.code_hash.as_slice());
    if let Some(code) = code {
        out.put_bytes(code.original_byte_slice());
    }
    let mut slots: Vec<_> = account.changed_storage_slots().map(|(slot, _)| *slot).collect();
    if block_rules().shows_touches {
        slots.extend(unchanged_writes::slots(address));
    }
    slots.sort_unstable();
    slots.dedup();
    out.put_u32(slots.len());
    for slot in slots {
        out.put_u256(slot);
        out.put_u256(account.storage.get(&slot).map_or(U256::ZERO, |value| value.present_value));
    }
}
