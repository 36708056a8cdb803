//! A call by a module of the chain: the host hears of each frame inside before it runs, because the module pays for them,
//! and gas is given back without the limit of EIP-3529 (cosmos/evm v0.6 `x/vm/keeper/state_transition.go`).

use crate::{
    database::HostStopped,
    dirty,
    looks::{self, Question},
    permission,
    single::Single,
    vm::{Ctx, Vm},
};
use revm::{
    context::{ContextTr, JournalTr},
    context_interface::context::ContextError,
    handler::{EvmTr, FrameResult, ItemOrResult, PrecompileProvider},
    interpreter::{CallInputs, CallScheme, CreateInputs, FrameInput, InstructionResult, interpreter_action::FrameInit},
    primitives::{Address, constants::CALL_STACK_LIMIT, hardfork::SpecId},
};

static RUNNING: Single<bool> = Single::new(false);

/// Runs as a call by a module, where `wanted`.
pub fn run<R>(wanted: bool, execution: impl FnOnce() -> R) -> R {
    looks::forget();
    RUNNING.with(|running| *running = wanted);
    let result = execution();
    RUNNING.with(|running| *running = false);
    result
}

pub fn is_running() -> bool {
    RUNNING.with(|running| *running)
}

/// A contract of the chain moves money of the account, which makes one that is not there.
pub fn use_account(ctx: &mut Ctx, address: Address) -> Result<(), HostStopped> {
    if is_running() && looks::look_to_make(ctx, Question::Account, &address)? {
        looks::note_made(ctx, address);
    }
    Ok(())
}

/// Makes the frame of a call or a creation inside; its result, when it ended at once. The host hears of a call that cannot
/// be made, too, and of a creation from the look at its address on (go-ethereum v1.16 `core/vm/evm.go`).
pub fn enter(vm: &mut Vm, inner: FrameInit) -> Result<Option<FrameResult>, ContextError<HostStopped>> {
    if let Some(refused) = permission::refused(&vm.ctx, &inner.frame_input) {
        return Ok(Some(refused));
    }
    let watched = if is_running() { before(vm, &inner)? } else { Watched::Nothing };
    let asked = dirty::asked(&inner.frame_input);
    let own = dirty::moved_to_itself(&inner.frame_input);
    let ended = match vm.frame_init(inner)? {
        ItemOrResult::Item(_) => None,
        ItemOrResult::Result(result) => Some(result),
    };
    if let Some(address) = asked {
        dirty::note_asked(vm, address, ended.as_ref());
    }
    let result = ended.as_ref().map(FrameResult::instruction_result);
    if let Some(own) = own.filter(|_| result.is_none_or(|result| result.is_ok())) {
        dirty::note_moved_to_itself(&mut vm.ctx, own);
    }
    after(&mut vm.ctx, watched, result)?;
    Ok(ended)
}

/// What is to be done once the frame is made.
enum Watched {
    Nothing,
    /// A call makes the account, unless it fails at once.
    Callee(Address),
    /// The address of a contract that is to be made.
    Creation(Address),
}

fn before(vm: &mut Vm, inner: &FrameInit) -> Result<Watched, ContextError<HostStopped>> {
    match &inner.frame_input {
        FrameInput::Call(call) => {
            looks::ask(Question::Contract, call.bytecode_address.as_slice(), 1)?;
            if inner.depth > CALL_STACK_LIMIT as usize || !can_pay(&mut vm.ctx, call)? {
                return Ok(Watched::Nothing);
            }
            let makes = look_at_callee(vm, call)?;
            Ok(if makes { Watched::Callee(call.target_address) } else { Watched::Nothing })
        }
        FrameInput::Create(creation) => address_of(&mut vm.ctx, creation).map(Watched::Creation),
        FrameInput::Empty => Ok(Watched::Nothing),
    }
}

fn address_of(ctx: &mut Ctx, creation: &CreateInputs) -> Result<Address, ContextError<HostStopped>> {
    let nonce = ctx.journal_mut().load_account(creation.caller())?.data.info.nonce;
    Ok(creation.created_address(nonce))
}

fn can_pay(ctx: &mut Ctx, call: &CallInputs) -> Result<bool, ContextError<HostStopped>> {
    match call.transfer_value() {
        Some(value) if !value.is_zero() => Ok(ctx.journal_mut().load_account(call.caller)?.data.info.balance >= value),
        _ => Ok(true),
    }
}

/// Looks at the account that is called and at the one that it delegates to; whether the call makes the former.
fn look_at_callee(vm: &mut Vm, call: &CallInputs) -> Result<bool, ContextError<HostStopped>> {
    let address = call.bytecode_address;
    let is_precompile = vm.precompiles.contains(&address);
    let is_prague = vm.ctx.cfg().spec().is_enabled_in(SpecId::PRAGUE);
    let question = if is_precompile { Question::Account } else { Question::Code };
    let ctx = &mut vm.ctx;
    let makes = match call.scheme {
        CallScheme::Call if is_precompile || call.transfer_value().is_some_and(|value| !value.is_zero()) => {
            looks::look_to_make(ctx, question, &address)?
        }
        CallScheme::Call => {
            looks::look(ctx, question, &address, 1)?;
            false
        }
        CallScheme::StaticCall => looks::look_to_make(ctx, question, &address)?,
        CallScheme::CallCode | CallScheme::DelegateCall => {
            if !is_precompile {
                // for the hash of the code, with a look at a delegation, and for the code
                looks::look(ctx, question, &address, if is_prague { 3 } else { 2 })?;
            }
            false
        }
    };
    if is_prague && !is_precompile {
        if let Some(target) = delegate_of(ctx, address)? {
            looks::look(ctx, Question::Code, &target, if call.scheme == CallScheme::Call { 1 } else { 2 })?;
        }
    }
    Ok(makes)
}

fn delegate_of(ctx: &mut Ctx, address: Address) -> Result<Option<Address>, ContextError<HostStopped>> {
    let account = ctx.journal_mut().load_account_with_code(address)?;
    Ok(account.data.info.code.as_ref().and_then(|code| code.eip7702_address()))
}

fn after(ctx: &mut Ctx, watched: Watched, ended: Option<InstructionResult>) -> Result<(), HostStopped> {
    match watched {
        Watched::Callee(address) if ended.is_none_or(|result| result.is_ok()) => looks::note_made(ctx, address),
        Watched::Creation(address) if ended.is_none_or(|result| result == InstructionResult::CreateCollision) => {
            if look_at_creation(ctx, &address)? && ended.is_none() {
                looks::note_made(ctx, address);
            }
        }
        _ => {}
    }
    Ok(())
}

/// Looks for code, storage and nonce at the address, then whether there is an account; whether the creation makes it.
fn look_at_creation(ctx: &Ctx, address: &Address) -> Result<bool, HostStopped> {
    let is_there = looks::look(ctx, Question::Account, address, 1)?;
    looks::ask(Question::Storage, address.as_slice(), 1)?;
    if !is_there {
        // the nonce, the account, and the one that is made
        looks::ask(Question::Account, address.as_slice(), 3)?;
    }
    Ok(!is_there)
}
