//! State reads at the start of each inner frame in a call by a module (cosmos/evm v0.6
//! `x/vm/keeper/state_transition.go`). They are charged even if the call fails immediately, and for a contract
//! creation from the collision check on (go-ethereum v1.16 `core/vm/evm.go`).

use crate::{
    host::state::HostStopped,
    peer::state_reads::{StateRead, is_metered, record_created, read, read_account, read_or_create},
    vm::context::Ctx,
};
use revm::{
    context::{ContextTr, JournalTr},
    context_interface::context::ContextError,
    interpreter::{CallInputs, CallScheme, CreateInputs, FrameInput, InstructionResult, interpreter_action::FrameInit},
    primitives::{Address, constants::CALL_STACK_LIMIT, hardfork::SpecId},
};

/// An account that is created if the frame starts.
pub enum Pending {
    Nothing,
    /// A call creates the account, unless it fails immediately.
    Callee(Address),
    /// A contract is created at the address.
    Creation(Address),
}

/// Performs the reads before a frame starts. `is_precompile` covers Ethereum's and stateful precompiles.
pub fn before_frame(
    ctx: &mut Ctx,
    frame: &FrameInit,
    is_precompile: impl FnOnce(&Address) -> bool,
) -> Result<Pending, ContextError<HostStopped>> {
    if !is_metered() {
        return Ok(Pending::Nothing);
    }
    match &frame.frame_input {
        FrameInput::Call(call) => {
            read(StateRead::Contract, call.bytecode_address.as_slice(), 1)?;
            if frame.depth > CALL_STACK_LIMIT as usize || !can_pay(ctx, call)? {
                return Ok(Pending::Nothing);
            }
            let creates = read_callee(ctx, call, is_precompile(&call.bytecode_address))?;
            Ok(if creates { Pending::Callee(call.target_address) } else { Pending::Nothing })
        }
        FrameInput::Create(creation) => created_address(ctx, creation).map(Pending::Creation),
        FrameInput::Empty => Ok(Pending::Nothing),
    }
}

/// Performs the reads after a frame started. `ended` is its result if it ended immediately.
pub fn after_frame(ctx: &mut Ctx, pending: Pending, ended: Option<InstructionResult>) -> Result<(), HostStopped> {
    match pending {
        Pending::Callee(address) if ended.is_none_or(|result| result.is_ok()) => record_created(ctx, address),
        Pending::Creation(address) if ended.is_none_or(|result| result == InstructionResult::CreateCollision) => {
            if read_new_contract(ctx, &address)? && ended.is_none() {
                record_created(ctx, address);
            }
        }
        _ => {}
    }
    Ok(())
}

fn created_address(ctx: &mut Ctx, creation: &CreateInputs) -> Result<Address, ContextError<HostStopped>> {
    let nonce = ctx.journal_mut().load_account(creation.caller())?.data.info.nonce;
    Ok(creation.created_address(nonce))
}

fn can_pay(ctx: &mut Ctx, call: &CallInputs) -> Result<bool, ContextError<HostStopped>> {
    match call.transfer_value() {
        Some(value) if !value.is_zero() => Ok(ctx.journal_mut().load_account(call.caller)?.data.info.balance >= value),
        _ => Ok(true),
    }
}

/// Reads the callee and its delegate (EIP-7702). Returns true if the call creates the callee.
fn read_callee(ctx: &mut Ctx, call: &CallInputs, is_precompile: bool) -> Result<bool, ContextError<HostStopped>> {
    let address = call.bytecode_address;
    let is_prague = ctx.cfg().spec().is_enabled_in(SpecId::PRAGUE);
    let kind = if is_precompile { StateRead::Account } else { StateRead::Code };
    let creates = match call.scheme {
        CallScheme::Call if is_precompile || call.transfer_value().is_some_and(|value| !value.is_zero()) => {
            read_or_create(ctx, kind, &address)?
        }
        CallScheme::Call => {
            read_account(ctx, kind, &address, 1)?;
            false
        }
        CallScheme::StaticCall => read_or_create(ctx, kind, &address)?,
        CallScheme::CallCode | CallScheme::DelegateCall => {
            if !is_precompile {
                // geth reads the code hash (from Prague on it also resolves the delegation), then the code.
                read_account(ctx, kind, &address, if is_prague { 3 } else { 2 })?;
            }
            false
        }
    };
    if is_prague && !is_precompile {
        if let Some(target) = delegate_of(ctx, address)? {
            read_account(ctx, StateRead::Code, &target, if call.scheme == CallScheme::Call { 1 } else { 2 })?;
        }
    }
    Ok(creates)
}

fn delegate_of(ctx: &mut Ctx, address: Address) -> Result<Option<Address>, ContextError<HostStopped>> {
    let account = ctx.journal_mut().load_account_with_code(address)?;
    Ok(account.data.info.code.as_ref().and_then(|code| code.eip7702_address()))
}

/// Reads what geth reads at the address of a new contract. Returns true if the account does not exist.
fn read_new_contract(ctx: &Ctx, address: &Address) -> Result<bool, HostStopped> {
    let exists = read_account(ctx, StateRead::Account, address, 1)?;
    read(StateRead::Storage, address.as_slice(), 1)?;
    if !exists {
        // geth reads the nonce, the account, and the account again to create it.
        read(StateRead::Account, address.as_slice(), 3)?;
    }
    Ok(!exists)
}
