//! State reads that a call by a module pays for. Each is reported to the host, which charges it. cosmos/evm v0.6
//! (`x/vm/statedb/statedb.go`) caches existing accounts. It reads a missing account again on each access, until the
//! execution creates it.

use crate::{
    host::{imports, single::Single, state::HostStopped},
    vm::context::Ctx,
};
use revm::{
    context::JournalEntry,
    primitives::{Address, U256},
};
use std::collections::{BTreeMap, BTreeSet};

/// Kind of a read. The host knows these numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum StateRead {
    /// Checks whether the address is a stateful precompile.
    Contract = 0,
    Account = 1,
    /// The account and its code.
    Code = 2,
    /// Checks whether the account has storage.
    Storage = 3,
    BlockHash = 4,
    /// A slot of an account. The subject is the address, then the slot.
    Slot = 5,
}

/// True while a call by a module runs.
static IS_METERED: Single<bool> = Single::new(false);

/// Accounts that the execution created, with the index of their journal entry.
static CREATED: Single<BTreeMap<Address, usize>> = Single::new(BTreeMap::new());

/// Slots read so far. The creation of an account removes its slots.
static SLOTS: Single<BTreeMap<Address, BTreeSet<U256>>> = Single::new(BTreeMap::new());

/// Runs an execution. With `by_module` its reads are reported to the host.
pub fn metered<R>(by_module: bool, execution: impl FnOnce() -> R) -> R {
    CREATED.with(BTreeMap::clear);
    SLOTS.with(BTreeMap::clear);
    IS_METERED.with(|is_metered| *is_metered = by_module);
    let result = execution();
    IS_METERED.with(|is_metered| *is_metered = false);
    result
}

/// True while a call by a module runs.
pub fn is_metered() -> bool {
    IS_METERED.with(|is_metered| *is_metered)
}

/// Reports a read to the host; it charges a missing account `times` times. Returns false if the account does not
/// exist.
pub fn read(kind: StateRead, subject: &[u8], times: u32) -> Result<bool, HostStopped> {
    match unsafe { imports::state_read(kind as u32, subject.as_ptr(), times) } {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(HostStopped),
    }
}

/// Reads an account; free if the execution created it. Returns false if it does not exist.
pub fn read_account(ctx: &Ctx, kind: StateRead, address: &Address, times: u32) -> Result<bool, HostStopped> {
    if is_created(ctx, address) { Ok(true) } else { read(kind, address.as_slice(), times) }
}

/// Reads an account before use, and reads a missing one again. Returns true if it must be created.
pub fn read_or_create(ctx: &Ctx, kind: StateRead, address: &Address) -> Result<bool, HostStopped> {
    if read_account(ctx, kind, address, 1)? {
        return Ok(false);
    }
    read(StateRead::Account, address.as_slice(), 1)?;
    Ok(true)
}

/// Reads a slot; charged once per execution.
pub fn read_slot(address: Address, slot: U256) -> Result<(), HostStopped> {
    if !SLOTS.with(|slots| slots.entry(address).or_default().insert(slot)) {
        return Ok(());
    }
    let mut subject = [0; 52];
    subject[..20].copy_from_slice(address.as_slice());
    subject[20..].copy_from_slice(&slot.to_be_bytes::<32>());
    read(StateRead::Slot, &subject, 1).map(drop)
}

/// Reads an account whose balance a stateful precompile uses, and creates it if it is missing.
pub fn use_account(ctx: &mut Ctx, address: Address) -> Result<(), HostStopped> {
    if is_metered() && read_or_create(ctx, StateRead::Account, &address)? {
        record_created(ctx, address);
    }
    Ok(())
}

/// Records the creation of an account. The journal entry disappears if its frame reverts.
pub fn record_created(ctx: &mut Ctx, address: Address) {
    let journal = &mut ctx.journaled_state.inner.journal;
    CREATED.with(|created| created.insert(address, journal.len()));
    SLOTS.with(|slots| slots.remove(&address));
    journal.push(JournalEntry::BalanceTransfer { from: address, to: address, balance: U256::ZERO });
}

fn is_created(ctx: &Ctx, address: &Address) -> bool {
    let Some(index) = CREATED.with(|created| created.get(address).copied()) else { return false };
    match ctx.journaled_state.inner.journal.get(index) {
        Some(JournalEntry::BalanceTransfer { from, to, balance }) => from == address && to == address && balance.is_zero(),
        _ => false,
    }
}
