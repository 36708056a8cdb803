//! The live journal. The host reads and changes it while it runs a stateful precompile. A negative result means that
//! the host stopped the execution.

use crate::{
    exports::diff::write_diff,
    host::{buffers, single::Single, state::UNDO_MARK, wire::Reader},
    peer::{state_reads, unchanged_writes},
    vm::{block_rules::block_rules, context::Ctx},
};
use revm::{
    context::{ContextTr, JournalTr},
    context_interface::journaled_state::account::JournaledAccountTr,
    primitives::{Address, Bytes, Log, LogData},
};

static LENT: Single<*mut Ctx> = Single::new(core::ptr::null_mut());

/// Lends the context to the exports of this file and of `nested_call` while `run` runs. Nothing else may use it then.
pub fn lend<R>(ctx: &mut Ctx, run: impl FnOnce() -> R) -> R {
    let outer = LENT.with(|lent| core::mem::replace(lent, ctx as *mut Ctx));
    let result = run();
    LENT.with(|lent| *lent = outer);
    result
}

/// Returns the lent context. Panics if no precompile is running.
pub fn lent() -> *mut Ctx {
    let ctx = LENT.with(|lent| *lent);
    assert!(!ctx.is_null(), "no precompile is running");
    ctx
}

fn with_lent<R>(use_it: impl FnOnce(&mut Ctx) -> R) -> R {
    // SAFETY: `lend` holds the exclusive reference while the pointer is set, and its owner waits for the host.
    use_it(unsafe { &mut *lent() })
}

/// Runs an account access of a stateful precompile. In a block that shows touches the account stays cold (EIP-2929),
/// because the precompiles of the Go node bypass its access list.
pub fn keeping_cold<R>(ctx: &mut Ctx, address: Address, run: impl FnOnce(&mut Ctx) -> R) -> R {
    let inner = &ctx.journaled_state.inner;
    let is_cold = block_rules().shows_touches
        && inner.warm_addresses.is_cold(&address)
        && inner.state.get(&address).is_none_or(|account| account.is_cold_transaction_id(inner.transaction_id));
    let result = run(ctx);
    if let (true, Some(account)) = (is_cold, ctx.journaled_state.inner.state.get_mut(&address)) {
        account.mark_cold();
    }
    result
}

/// Reads a slot. Args: address, slot. Result at offset 52: value.
#[unsafe(no_mangle)]
pub extern "C" fn journal_storage() -> i32 {
    let (address, slot) = buffers::with_args(|args| {
        let mut reader = Reader(args);
        (reader.address(), reader.u256())
    });
    let value = with_lent(|ctx| {
        keeping_cold(ctx, address, |ctx| {
            ctx.journal_mut().load_account(address).ok()?;
            ctx.journal_mut().sload(address, slot).ok().map(|loaded| loaded.data)
        })
    });
    match value {
        Some(value) => {
            buffers::with_args(|args| args[52..84].copy_from_slice(&value.to_be_bytes::<32>()));
            0
        }
        None => -1,
    }
}

/// Writes a slot. Args: address, slot, value.
#[unsafe(no_mangle)]
pub extern "C" fn journal_set_storage() -> i32 {
    let (address, slot, value) = buffers::with_args(|args| {
        let mut reader = Reader(args);
        (reader.address(), reader.u256(), reader.u256())
    });
    let stored = with_lent(|ctx| {
        keeping_cold(ctx, address, |ctx| {
            ctx.journal_mut().load_account(address).ok()?;
            ctx.journal_mut().touch_account(address);
            ctx.journal_mut().sstore(address, slot, value).ok()
        })
    });
    if stored.is_some() { 0 } else { -1 }
}

/// Reads a balance. Args: address. Result at offset 20: balance.
#[unsafe(no_mangle)]
pub extern "C" fn journal_balance() -> i32 {
    let address = buffers::with_args(|args| Reader(args).address());
    let balance = with_lent(|ctx| {
        let balance = keeping_cold(ctx, address, |ctx| Some(ctx.journal_mut().load_account(address).ok()?.data.info.balance))?;
        state_reads::use_account(ctx, address).ok().map(|()| balance)
    });
    match balance {
        Some(balance) => {
            buffers::with_args(|args| args[20..52].copy_from_slice(&balance.to_be_bytes::<32>()));
            0
        }
        None => -1,
    }
}

/// Writes a balance. Args: address, balance.
#[unsafe(no_mangle)]
pub extern "C" fn journal_set_balance() -> i32 {
    let (address, balance) = buffers::with_args(|args| {
        let mut reader = Reader(args);
        (reader.address(), reader.u256())
    });
    let set = with_lent(|ctx| {
        keeping_cold(ctx, address, |ctx| {
            ctx.journal_mut().load_account_mut(address).ok().map(|mut loaded| loaded.data.set_balance(balance))
        })
    });
    if set.is_some() { 0 } else { -1 }
}

/// Emits a log. Scratch: address, number of topics u8, topics, data.
#[unsafe(no_mangle)]
pub extern "C" fn journal_log() {
    let log = buffers::with_scratch(|scratch| {
        let mut reader = Reader(scratch);
        let address = reader.address();
        let topics = (0..reader.u8()).map(|_| reader.b256()).collect();
        Log { address, data: LogData::new_unchecked(topics, Bytes::copy_from_slice(reader.0)) }
    });
    with_lent(|ctx| ctx.journal_mut().log(log));
}

/// Writes the changes of the transaction so far into scratch, in the layout of `exports::diff`. Returns their length.
#[unsafe(no_mangle)]
pub extern "C" fn journal_changes() -> usize {
    with_lent(|ctx| {
        unchanged_writes::collect(ctx);
        let spec = ctx.cfg.spec;
        buffers::with_scratch(|scratch| {
            scratch.clear();
            let state = &ctx.journaled_state.inner.state;
            write_diff(scratch, state.iter().filter(|(address, _)| **address != UNDO_MARK), spec);
            scratch.len()
        })
    })
}
