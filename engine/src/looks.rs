//! What a call by a module asks the state for, told to the host, because the module pays for it: cosmos/evm v0.6
//! (`x/vm/statedb/statedb.go`) keeps the accounts that it found, and looks again each time for one that is not there, until
//! the execution makes it. The places are go-ethereum's v1.16 (`core/vm/operations_acl.go`, `instructions.go`, `evm.go`).

use crate::{by_module, database::HostStopped, dirty, dynamic_gas, host, single::Single, vm::Ctx};
use revm::{
    bytecode::opcode::{CALL, CALLCODE, DELEGATECALL, STATICCALL},
    context::{ContextTr, JournalEntry},
    context_interface::context::ContextError,
    interpreter::{
        Host, InstructionContext, InstructionExecResult, InstructionResult, Interpreter, instructions,
        interpreter::EthInterpreter, interpreter_types::RuntimeFlag,
    },
    primitives::{Address, U256, hardfork::SpecId},
};
use std::collections::{BTreeMap, BTreeSet};

type Context<'a> = InstructionContext<'a, Ctx, EthInterpreter>;

/// The question, by its number for the host.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Whether it is a contract of the chain.
    Contract = 0,
    Account = 1,
    /// The account and its code.
    Code = 2,
    /// Whether it has storage.
    Storage = 3,
    BlockHash = 4,
    /// A slot of an account; its address comes before it.
    Slot = 5,
}

/// Where the journal notes the accounts that the execution made.
static MADE: Single<BTreeMap<Address, usize>> = Single::new(BTreeMap::new());

/// The slots that were asked for; an account that is made anew is asked again.
static SLOTS: Single<BTreeMap<Address, BTreeSet<U256>>> = Single::new(BTreeMap::new());

/// An execution begins.
pub fn forget() {
    MADE.with(BTreeMap::clear);
    SLOTS.with(BTreeMap::clear);
}

/// Asks once, or several times for an account. False for one that is not there.
pub fn ask(question: Question, subject: &[u8], times: u32) -> Result<bool, HostStopped> {
    match unsafe { host::question(question as u32, subject.as_ptr(), times) } {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(HostStopped),
    }
}

/// Looks for an account, which costs nothing once the execution has made it. False for one that is not there.
pub fn look(ctx: &Ctx, question: Question, address: &Address, times: u32) -> Result<bool, HostStopped> {
    if is_made(ctx, address) { Ok(true) } else { ask(question, address.as_slice(), times) }
}

/// Looks for an account that is about to be used; whether it has to be made, which looks once more.
pub fn look_to_make(ctx: &Ctx, question: Question, address: &Address) -> Result<bool, HostStopped> {
    if look(ctx, question, address, 1)? {
        return Ok(false);
    }
    ask(Question::Account, address.as_slice(), 1)?;
    Ok(true)
}

/// Notes in the journal that the account was made, so that a revert takes it back.
pub fn note_made(ctx: &mut Ctx, address: Address) {
    let journal = &mut ctx.journaled_state.inner.journal;
    MADE.with(|made| made.insert(address, journal.len()));
    SLOTS.with(|slots| slots.remove(&address));
    journal.push(JournalEntry::BalanceTransfer { from: address, to: address, balance: U256::ZERO });
}

fn is_made(ctx: &Ctx, address: &Address) -> bool {
    let Some(index) = MADE.with(|made| made.get(address).copied()) else { return false };
    match ctx.journaled_state.inner.journal.get(index) {
        Some(JournalEntry::BalanceTransfer { from, to, balance }) => from == address && to == address && balance.is_zero(),
        _ => false,
    }
}

/// The price of a call: after the price of a cold account, which a call without that gas does not look at.
pub fn price_call(interpreter: &Interpreter, ctx: &mut Ctx, opcode: u8) -> InstructionExecResult {
    let operands = match opcode {
        CALL | CALLCODE => 7,
        DELEGATECALL | STATICCALL => 6,
        _ => return Ok(()),
    };
    if !by_module::is_running() || interpreter.stack.len() < operands {
        return Ok(());
    }
    let operand = |index: usize| interpreter.stack.peek(index).unwrap_or_default();
    let address = address_of(operand(1));
    if dynamic_gas::memory_size(opcode, &operand).is_none()
        || dynamic_gas::cannot_load(ctx, interpreter.gas.remaining(), address)
    {
        return Ok(());
    }
    let is_prague = interpreter.runtime_flag.spec_id().is_enabled_in(SpecId::PRAGUE);
    let pays = opcode == CALL && !operand(2).is_zero();
    let asked = (|| {
        if is_prague {
            look(ctx, Question::Code, &address, 1)?;
        }
        if pays {
            look(ctx, Question::Account, &address, 1)?;
        }
        Ok(())
    })();
    asked.map_err(|stopped| stop(ctx, stopped))
}

pub fn balance(context: Context<'_>) -> InstructionExecResult {
    looking(context, Question::Account, instructions::host::balance)
}

pub fn extcodesize(context: Context<'_>) -> InstructionExecResult {
    looking(context, Question::Code, instructions::host::extcodesize)
}

pub fn extcodehash(context: Context<'_>) -> InstructionExecResult {
    looking(context, Question::Account, instructions::host::extcodehash)
}

pub fn extcodecopy(context: Context<'_>) -> InstructionExecResult {
    looking(context, Question::Code, instructions::host::extcodecopy)
}

/// An instruction that looks at the account on top of the stack once it is paid for.
fn looking(context: Context<'_>, question: Question, run: fn(Context<'_>) -> InstructionExecResult) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    let address = address_of(interpreter.stack.peek(0).unwrap_or_default());
    run(InstructionContext { interpreter: &mut *interpreter, host: &mut *ctx })?;
    if !by_module::is_running() {
        return Ok(());
    }
    look(ctx, question, &address, 1).map(|_| ()).map_err(|stopped| stop(ctx, stopped))
}

/// Looks at the beneficiary for the price, and pays it.
pub fn selfdestruct(context: Context<'_>) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    let beneficiary = interpreter.stack.peek(0).map(address_of);
    let told = by_module::is_running();
    if let (true, Ok(address)) = (told, beneficiary) {
        look(ctx, Question::Account, &address, 1).map_err(|stopped| stop(ctx, stopped))?;
    }
    let result = dirty::selfdestruct(InstructionContext { interpreter: &mut *interpreter, host: &mut *ctx });
    if let (true, Ok(address), Err(InstructionResult::SelfDestruct)) = (told, beneficiary, &result) {
        if look_to_make(ctx, Question::Account, &address).map_err(|stopped| stop(ctx, stopped))? {
            note_made(ctx, address);
        }
    }
    result
}

/// Looks at the slot once it is paid for.
pub fn sload(context: Context<'_>) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    let slot = interpreter.stack.peek(0).unwrap_or_default();
    instructions::host::sload(InstructionContext { interpreter: &mut *interpreter, host: &mut *ctx })?;
    look_at_slot(interpreter, ctx, slot)
}

/// Looks at the slot for the price, which code with less than the stipend of a call does not ask for (EIP-2200).
pub fn sstore(context: Context<'_>) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    if interpreter.stack.len() >= 2 && interpreter.gas.remaining() > ctx.gas_params().call_stipend() {
        let slot = interpreter.stack.peek(0).unwrap_or_default();
        look_at_slot(interpreter, ctx, slot)?;
    }
    dirty::sstore(InstructionContext { interpreter, host: ctx })
}

fn look_at_slot(interpreter: &Interpreter, ctx: &mut Ctx, slot: U256) -> InstructionExecResult {
    if !by_module::is_running() {
        return Ok(());
    }
    let address = interpreter.input.target_address;
    if !SLOTS.with(|slots| slots.entry(address).or_default().insert(slot)) {
        return Ok(());
    }
    let mut subject = [0; 52];
    subject[..20].copy_from_slice(address.as_slice());
    subject[20..].copy_from_slice(&slot.to_be_bytes::<32>());
    ask(Question::Slot, &subject, 1).map(|_| ()).map_err(|stopped| stop(ctx, stopped))
}

/// The hash of a block is read anew each time.
pub fn blockhash(context: Context<'_>) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    let number = interpreter.stack.peek(0).unwrap_or_default();
    let newest = ctx.block_number();
    instructions::host::blockhash(InstructionContext { interpreter: &mut *interpreter, host: &mut *ctx })?;
    let is_read = number < newest && newest - number <= U256::from(BLOCK_HASHES);
    if !is_read || !by_module::is_running() {
        return Ok(());
    }
    let height = Address::left_padding_from(&number.saturating_to::<u64>().to_be_bytes());
    ask(Question::BlockHash, height.as_slice(), 1).map(|_| ()).map_err(|stopped| stop(ctx, stopped))
}

/// How many blocks back BLOCKHASH sees.
const BLOCK_HASHES: u64 = 256;

fn address_of(word: U256) -> Address {
    Address::from_word(word.into())
}

fn stop(ctx: &mut Ctx, stopped: HostStopped) -> InstructionResult {
    *ctx.error() = Err(ContextError::Db(stopped));
    InstructionResult::FatalExternalError
}
