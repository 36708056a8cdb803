//! The changes of a transaction, in ascending order of address and slot.

use crate::{block::shows_touches, dirty, wire::Write};
use revm::{
    precompile::{PrecompileSpecId, Precompiles},
    primitives::{Address, KECCAK_EMPTY, U256, hardfork::SpecId},
    state::Account,
};

const DELETED: u8 = 1;
const CREATED: u8 = 2;
const HAS_CODE: u8 = 4;
const TOUCHED: u8 = 8;

/// count u32, then per account: address, flags u8 (1 deleted, 2 created, 4 code follows, 8 touched); unless deleted: nonce u64, balance,
/// code hash, code, count u32 of slots, (slot, value).
pub fn write_diff<'a>(out: &mut Vec<u8>, state: impl Iterator<Item = (&'a Address, &'a Account)>, spec: SpecId) {
    let mut changed: Vec<_> = state.filter(|(address, account)| is_changed(address, account, spec) || is_touch(address, account, spec)).collect();
    changed.sort_unstable_by_key(|(address, _)| **address);
    out.put_u32(changed.len());
    for (address, account) in changed {
        write_account(out, address, account, spec);
    }
}

/// EIP-161: a touched account that is empty does not exist.
pub fn is_dead(account: &Account, spec: SpecId) -> bool {
    account.is_selfdestructed() || (spec.is_enabled_in(SpecId::SPURIOUS_DRAGON) && account.is_empty())
}

/// An empty account that is new to the state, where the block shows these: a precompiled contract of Ethereum that was
/// called, and the beneficiary of a contract without money that ended itself.
fn is_touch(address: &Address, account: &Account, spec: SpecId) -> bool {
    shows_touches()
        && account.is_touched()
        && account.is_empty()
        && !account.is_selfdestructed()
        && account.is_loaded_as_not_existing()
        && !dirty::is_changed(address)
        && (dirty::is_named(address) || Precompiles::new(PrecompileSpecId::from_spec_id(spec)).contains(address))
}

/// An account that the journal changed, be it back, where the block shows these: evmd writes it, also an empty one.
fn stays(address: &Address, account: &Account) -> bool {
    shows_touches() && dirty::is_changed(address) && !account.is_selfdestructed()
}

fn is_changed(address: &Address, account: &Account, spec: SpecId) -> bool {
    if !account.is_touched() {
        return false;
    }
    let was_absent = account.is_loaded_as_not_existing();
    if stays(address, account) {
        return true;
    }
    if is_dead(account, spec) {
        // An account that is empty to the EVM may be there to the host.
        return !was_absent || (shows_touches() && account.is_selfdestructed());
    }
    account.is_created()
        || was_absent
        || account.info != account.original_info()
        || account.changed_storage_slots().next().is_some()
}

fn write_account(out: &mut Vec<u8>, address: &Address, account: &Account, spec: SpecId) {
    out.extend_from_slice(address.as_slice());
    let is_touch = is_touch(address, account, spec);
    if is_dead(account, spec) && !is_touch && !stays(address, account) {
        out.push(DELETED);
        return;
    }
    let info = &account.info;
    let is_set = shows_touches() && dirty::is_coded(address);
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
    if shows_touches() {
        slots.extend(dirty::slots(address));
    }
    slots.sort_unstable();
    slots.dedup();
    out.put_u32(slots.len());
    for slot in slots {
        out.put_u256(slot);
        out.put_u256(account.storage.get(&slot).map_or(U256::ZERO, |value| value.present_value));
    }
}
