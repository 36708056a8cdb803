//! Accesses of a frame by the rules of ERC-7562: slots, code of other accounts, and instructions (go-ethereum v1.17
//! `eth/tracers/native/erc7562.go`).

use crate::vm::context::Ctx;
use revm::{
    DatabaseRef,
    bytecode::opcode::*,
    interpreter::{
        Interpreter,
        interpreter_types::{InputsTr, Jumps},
    },
    primitives::{Address, B256, U256},
};
use std::collections::BTreeMap;

/// The accesses of one frame.
#[derive(Default)]
pub struct Accesses {
    /// Read slots, with their values before the first access in the frame.
    pub reads: BTreeMap<B256, B256>,
    /// Written slots, with their number of writes.
    pub writes: BTreeMap<B256, u64>,
    pub transient_reads: BTreeMap<B256, u64>,
    pub transient_writes: BTreeMap<B256, u64>,
    /// Accounts whose code the frame inspects (EXTCODESIZE followed by ISZERO does not count).
    pub inspected: Vec<Address>,
    pub opcodes: BTreeMap<u8, u64>,
    /// Inspected and called accounts, with their code size and the opcode of the first access.
    pub sizes: BTreeMap<Address, (usize, u8)>,
}

/// Opcode of the previous instruction, in any frame, and the top of its stack.
type Last = Option<(u8, Option<U256>)>;

/// Records an instruction before it runs and stores it in `last`.
pub fn record(accesses: &mut Accesses, last: &mut Last, ignored: &[bool; 256], interpreter: &Interpreter, ctx: &Ctx) {
    let opcode = interpreter.bytecode.opcode();
    let word = |depth: usize| interpreter.stack.data().iter().nth_back(depth).copied();
    if matches!(opcode, REVERT | RETURN) {
        *last = None;
    }
    match *last {
        Some((EXTCODESIZE, _)) if opcode == ISZERO => {}
        Some((previous, Some(top))) if inspects_code(previous) => accesses.inspected.push(address_of(top)),
        // ERC-7562 allows GAS directly before a call, to forward all gas.
        Some((GAS, _)) if !is_call(opcode) => count(&mut accesses.opcodes, GAS),
        _ => {}
    }
    if inspects_code(opcode) || is_call(opcode) {
        if let Some(address) = word(usize::from(is_call(opcode))).map(address_of) {
            accesses.sizes.entry(address).or_insert_with(|| (code_size(ctx, address), opcode));
        }
    }
    if opcode != GAS && !ignored[opcode as usize] {
        count(&mut accesses.opcodes, opcode);
    }
    if let Some(slot) = word(0).map(B256::from) {
        record_slot(accesses, opcode, slot, interpreter.input.target_address(), ctx);
    }
    *last = Some((opcode, word(0)));
}

fn record_slot(accesses: &mut Accesses, opcode: u8, slot: B256, contract: Address, ctx: &Ctx) {
    match opcode {
        SLOAD if !accesses.writes.contains_key(&slot) => {
            accesses.reads.entry(slot).or_insert_with(|| storage(ctx, contract, slot.into()).into());
        }
        SSTORE => count(&mut accesses.writes, slot),
        TLOAD => count(&mut accesses.transient_reads, slot),
        TSTORE => count(&mut accesses.transient_writes, slot),
        _ => {}
    }
}

fn count<Key: Ord>(counts: &mut BTreeMap<Key, u64>, key: Key) {
    *counts.entry(key).or_default() += 1;
}

fn inspects_code(opcode: u8) -> bool {
    matches!(opcode, EXTCODESIZE | EXTCODECOPY | EXTCODEHASH)
}

fn is_call(opcode: u8) -> bool {
    matches!(opcode, CALL | CALLCODE | DELEGATECALL | STATICCALL)
}

fn address_of(word: U256) -> Address {
    Address::from_word(word.into())
}

/// Code size of an account. Does not load it into the journal, which would warm the account. An error of the host is
/// ignored here: the host rethrows it after the export.
fn code_size(ctx: &Ctx, address: Address) -> usize {
    let database = &ctx.journaled_state.database;
    let info = match ctx.journaled_state.inner.state.get(&address) {
        Some(account) => Some(account.info.clone()),
        None => database.basic_ref(address).unwrap_or_default(),
    };
    let Some(info) = info else { return 0 };
    match info.code {
        Some(code) => code.len(),
        None => database.code_by_hash_ref(info.code_hash).map_or(0, |code| code.len()),
    }
}

fn storage(ctx: &Ctx, address: Address, slot: U256) -> U256 {
    let account = ctx.journaled_state.inner.state.get(&address);
    match account.and_then(|account| account.storage.get(&slot)) {
        Some(slot) => slot.present_value,
        None if account.is_some_and(|account| account.is_created()) => U256::ZERO,
        None => ctx.journaled_state.database.storage_ref(address, slot).unwrap_or_default(),
    }
}
