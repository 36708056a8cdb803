//! A call by a module of the chain: the host hears of each frame inside before it runs, because the module pays for them,
//! and gas is given back without the limit of EIP-3529 (cosmos/evm v0.6 `x/vm/keeper/state_transition.go`).

use crate::{database::HostStopped, dirty, host, permission, single::Single, vm::Vm};
use revm::{
    context::{ContextTr, JournalTr},
    context_interface::context::ContextError,
    handler::{EvmTr, FrameResult, ItemOrResult},
    interpreter::{FrameInput, InstructionResult, interpreter_action::FrameInit},
    primitives::Address,
};

static RUNNING: Single<bool> = Single::new(false);

/// Runs as a call by a module, where `wanted`.
pub fn run<R>(wanted: bool, execution: impl FnOnce() -> R) -> R {
    RUNNING.with(|running| *running = wanted);
    let result = execution();
    RUNNING.with(|running| *running = false);
    result
}

pub fn is_running() -> bool {
    RUNNING.with(|running| *running)
}

/// Makes the frame of a call or a creation inside; its result, when it ended at once. The host hears of a call that cannot
/// be made, too, and of a creation from the look at its address on (go-ethereum v1.16 `core/vm/evm.go`).
pub fn enter(vm: &mut Vm, inner: FrameInit) -> Result<Option<FrameResult>, ContextError<HostStopped>> {
    if let Some(refused) = permission::refused(&vm.ctx, &inner.frame_input) {
        return Ok(Some(refused));
    }
    let creation = if is_running() { before(vm, &inner.frame_input)? } else { None };
    let asked = dirty::asked(&inner.frame_input);
    let ended = match vm.frame_init(inner)? {
        ItemOrResult::Item(_) => None,
        ItemOrResult::Result(result) => Some(result),
    };
    if let Some(address) = asked {
        dirty::note_asked(vm, address, ended.as_ref());
    }
    if let Some(address) = creation {
        if ended.as_ref().is_none_or(|result| result.instruction_result() == InstructionResult::CreateCollision) {
            tell(address, true)?;
        }
    }
    Ok(ended)
}

/// The address of a contract that is to be made.
fn before(vm: &mut Vm, inner: &FrameInput) -> Result<Option<Address>, ContextError<HostStopped>> {
    match inner {
        FrameInput::Call(call) => tell(call.bytecode_address, false).map(|()| None),
        FrameInput::Create(creation) => {
            let nonce = vm.ctx.journal_mut().load_account(creation.caller())?.data.info.nonce;
            Ok(Some(creation.created_address(nonce)))
        }
        FrameInput::Empty => Ok(None),
    }
}

fn tell(address: Address, creates: bool) -> Result<(), ContextError<HostStopped>> {
    if unsafe { host::frame(address.as_ptr(), creates as u32) } < 0 { Err(ContextError::Db(HostStopped)) } else { Ok(()) }
}
