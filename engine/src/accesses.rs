//! What each frame of an execution accesses, as bundlers of ERC-4337 judge it (ERC-7562): slots, code of other accounts and
//! instructions (go-ethereum v1.17 `eth/tracers/native/erc7562.go`).

use crate::vm::Ctx;
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

/// Of one frame.
#[derive(Default)]
pub struct Accesses {
    /// Slots with what was in them before the frame's first access.
    pub reads: BTreeMap<B256, B256>,
    pub writes: BTreeMap<B256, u64>,
    pub transient_reads: BTreeMap<B256, u64>,
    pub transient_writes: BTreeMap<B256, u64>,
    /// Accounts whose code was looked at otherwise than for its presence.
    pub looks: Vec<Address>,
    pub opcodes: BTreeMap<u8, u64>,
    /// Bytes of code of the accounts that were looked at or called, with the first instruction that did.
    pub sizes: BTreeMap<Address, (usize, u8)>,
}

/// The instruction before, in whatever frame, and the word on top of its stack.
type Last = Option<(u8, Option<U256>)>;

/// Notes an instruction before it runs. `last` is the one before it, which this one then is.
pub fn note(accesses: &mut Accesses, last: &mut Last, ignored: &[bool; 256], interpreter: &Interpreter, ctx: &Ctx) {
    let opcode = interpreter.bytecode.opcode();
    let word = |depth: usize| interpreter.stack.data().iter().nth_back(depth).copied();
    if matches!(opcode, REVERT | RETURN) {
        *last = None;
    }
    match *last {
        Some((EXTCODESIZE, _)) if opcode == ISZERO => {}
        Some((looked, Some(top))) if is_look(looked) => accesses.looks.push(address_of(top)),
        // a call passes on what is left, which does not depend on how much that is
        Some((GAS, _)) if !is_call(opcode) => count(&mut accesses.opcodes, GAS),
        _ => {}
    }
    if is_look(opcode) || is_call(opcode) {
        if let Some(address) = word(usize::from(is_call(opcode))).map(address_of) {
            accesses.sizes.entry(address).or_insert_with(|| (code_size(ctx, address), opcode));
        }
    }
    if opcode != GAS && !ignored[opcode as usize] {
        count(&mut accesses.opcodes, opcode);
    }
    if let Some(slot) = word(0).map(B256::from) {
        note_slot(accesses, opcode, slot, interpreter.input.target_address(), ctx);
    }
    *last = Some((opcode, word(0)));
}

fn note_slot(accesses: &mut Accesses, opcode: u8, slot: B256, contract: Address, ctx: &Ctx) {
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

fn is_look(opcode: u8) -> bool {
    matches!(opcode, EXTCODESIZE | EXTCODECOPY | EXTCODEHASH)
}

fn is_call(opcode: u8) -> bool {
    matches!(opcode, CALL | CALLCODE | DELEGATECALL | STATICCALL)
}

fn address_of(word: U256) -> Address {
    Address::from_word(word.into())
}

/// Read beside the journal, because a look makes an account warm. The host keeps an error of its own, and throws it later.
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
