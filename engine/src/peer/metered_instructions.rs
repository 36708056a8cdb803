//! Instructions that read state. A call by a module pays for these reads (see `state_reads`). Reads and gas charges
//! have the order of go-ethereum v1.16 (`core/vm/operations_acl.go`, `instructions.go`, `evm.go`).

use crate::{
    halts::dynamic_gas,
    host::state::HostStopped,
    peer::{
        state_reads::{StateRead, is_metered, record_created, read, read_account, read_or_create, read_slot},
        unchanged_writes,
    },
    vm::context::Ctx,
};
use revm::{
    bytecode::opcode::{CALL, CALLCODE, DELEGATECALL, STATICCALL},
    context::ContextTr,
    context_interface::context::ContextError,
    interpreter::{
        Host, InstructionContext, InstructionExecResult, InstructionResult, Interpreter, instructions,
        interpreter::EthInterpreter, interpreter_types::RuntimeFlag,
    },
    primitives::{Address, U256, hardfork::SpecId},
};

type Context<'a> = InstructionContext<'a, Ctx, EthInterpreter>;

/// Number of recent blocks whose hash BLOCKHASH returns.
const BLOCK_HASHES: u64 = 256;

/// Performs the reads that geth needs to compute the gas of a call. They follow the charge for a cold account: a call
/// that cannot pay it reads nothing.
pub fn price_call(interpreter: &Interpreter, ctx: &mut Ctx, opcode: u8) -> InstructionExecResult {
    let operands = match opcode {
        CALL | CALLCODE => 7,
        DELEGATECALL | STATICCALL => 6,
        _ => return Ok(()),
    };
    if !is_metered() || interpreter.stack.len() < operands {
        return Ok(());
    }
    let operand = |index: usize| interpreter.stack.peek(index).unwrap_or_default();
    let address = address_of(operand(1));
    if dynamic_gas::memory_size(opcode, &operand).is_none()
        || dynamic_gas::cannot_pay_cold_account(ctx, interpreter.gas.remaining(), address)
    {
        return Ok(());
    }
    if interpreter.runtime_flag.spec_id().is_enabled_in(SpecId::PRAGUE) {
        read_account(ctx, StateRead::Code, &address, 1).map_err(|stopped| stop(ctx, stopped))?;
    }
    if opcode == CALL && !operand(2).is_zero() {
        read_account(ctx, StateRead::Account, &address, 1).map_err(|stopped| stop(ctx, stopped))?;
    }
    Ok(())
}

/// BALANCE reads the account.
pub fn balance(context: Context<'_>) -> InstructionExecResult {
    reading_account(context, StateRead::Account, instructions::host::balance)
}

/// EXTCODESIZE reads the account and its code.
pub fn extcodesize(context: Context<'_>) -> InstructionExecResult {
    reading_account(context, StateRead::Code, instructions::host::extcodesize)
}

/// EXTCODEHASH reads the account.
pub fn extcodehash(context: Context<'_>) -> InstructionExecResult {
    reading_account(context, StateRead::Account, instructions::host::extcodehash)
}

/// EXTCODECOPY reads the account and its code.
pub fn extcodecopy(context: Context<'_>) -> InstructionExecResult {
    reading_account(context, StateRead::Code, instructions::host::extcodecopy)
}

/// Runs an instruction that reads the account on top of the stack. The read is charged after the instruction's gas.
fn reading_account(context: Context<'_>, kind: StateRead, run: fn(Context<'_>) -> InstructionExecResult) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    let address = address_of(interpreter.stack.peek(0).unwrap_or_default());
    run(InstructionContext { interpreter: &mut *interpreter, host: &mut *ctx })?;
    if !is_metered() {
        return Ok(());
    }
    read_account(ctx, kind, &address, 1).map(drop).map_err(|stopped| stop(ctx, stopped))
}

/// SELFDESTRUCT reads the beneficiary to compute the gas, and again to transfer the balance.
pub fn selfdestruct(context: Context<'_>) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    let beneficiary = interpreter.stack.peek(0).ok().filter(|_| is_metered()).map(address_of);
    if let Some(address) = beneficiary {
        read_account(ctx, StateRead::Account, &address, 1).map_err(|stopped| stop(ctx, stopped))?;
    }
    let result = unchanged_writes::selfdestruct(InstructionContext { interpreter: &mut *interpreter, host: &mut *ctx });
    if let (Some(address), Err(InstructionResult::SelfDestruct)) = (beneficiary, &result) {
        if read_or_create(ctx, StateRead::Account, &address).map_err(|stopped| stop(ctx, stopped))? {
            record_created(ctx, address);
        }
    }
    result
}

/// SLOAD reads the slot after charging its gas.
pub fn sload(context: Context<'_>) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    let slot = interpreter.stack.peek(0).unwrap_or_default();
    instructions::host::sload(InstructionContext { interpreter: &mut *interpreter, host: &mut *ctx })?;
    read_own_slot(interpreter, ctx, slot)
}

/// SSTORE reads the slot to compute its gas. It fails before that if the gas is at most the call stipend (EIP-2200).
pub fn sstore(context: Context<'_>) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    if interpreter.stack.len() >= 2 && interpreter.gas.remaining() > ctx.gas_params().call_stipend() {
        let slot = interpreter.stack.peek(0).unwrap_or_default();
        read_own_slot(interpreter, ctx, slot)?;
    }
    unchanged_writes::sstore(InstructionContext { interpreter, host: ctx })
}

fn read_own_slot(interpreter: &Interpreter, ctx: &mut Ctx, slot: U256) -> InstructionExecResult {
    if !is_metered() {
        return Ok(());
    }
    read_slot(interpreter.input.target_address, slot).map_err(|stopped| stop(ctx, stopped))
}

/// BLOCKHASH reads the hash each time: there is no cache.
pub fn blockhash(context: Context<'_>) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    let number = interpreter.stack.peek(0).unwrap_or_default();
    let newest = ctx.block_number();
    instructions::host::blockhash(InstructionContext { interpreter: &mut *interpreter, host: &mut *ctx })?;
    let is_read = number < newest && newest - number <= U256::from(BLOCK_HASHES);
    if !is_read || !is_metered() {
        return Ok(());
    }
    let height = Address::left_padding_from(&number.saturating_to::<u64>().to_be_bytes());
    read(StateRead::BlockHash, height.as_slice(), 1).map(drop).map_err(|stopped| stop(ctx, stopped))
}

fn address_of(word: U256) -> Address {
    Address::from_word(word.into())
}

fn stop(ctx: &mut Ctx, stopped: HostStopped) -> InstructionResult {
    *ctx.error() = Err(ContextError::Db(stopped));
    InstructionResult::FatalExternalError
}
