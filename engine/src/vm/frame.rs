//! The start of a frame, with the rules that the Go node adds.

use crate::{
    host::state::HostStopped,
    peer::{module_call, permissions, unchanged_writes},
    vm::{machine::Vm, touched},
};
use revm::{
    context_interface::context::ContextError,
    handler::{EvmTr, FrameResult, ItemOrResult, PrecompileProvider},
    interpreter::{FrameInput, interpreter_action::FrameInit},
};

/// Starts the first frame of an execution. Answers its result when it ended at once.
pub fn start_first(vm: &mut Vm, frame: FrameInit) -> Result<Option<FrameResult>, ContextError<HostStopped>> {
    if let Some(denied) = permissions::denied(&vm.ctx, &frame.frame_input) {
        return Ok(Some(denied));
    }
    let to_itself = unchanged_writes::transfer_to_itself(&frame.frame_input);
    let ended = result_of(vm.frame_init(frame)?);
    if let Some(transfer) = to_itself {
        unchanged_writes::note_transfer_to_itself(&mut vm.ctx, transfer);
    }
    Ok(ended)
}

/// Starts the frame of a call or a creation inside. Answers its result when it ended at once.
pub fn start_inner(vm: &mut Vm, frame: FrameInit) -> Result<Option<FrameResult>, ContextError<HostStopped>> {
    if let Some(denied) = permissions::denied(&vm.ctx, &frame.frame_input) {
        return Ok(Some(denied));
    }
    let pending = module_call::before_frame(&mut vm.ctx, &frame, |address| vm.precompiles.contains(address))?;
    let callee = unchanged_writes::static_callee(&frame.frame_input);
    let to_itself = unchanged_writes::transfer_to_itself(&frame.frame_input);
    let creates = matches!(frame.frame_input, FrameInput::Create(_));
    touched::note_call(&frame.frame_input);
    let ended = result_of(vm.frame_init(frame)?);
    if creates && ended.is_none() {
        touched::note(vm.frame_stack.get().interpreter.input.target_address);
    }
    if let Some(address) = callee {
        unchanged_writes::note_static_callee(&mut vm.ctx, address, ended.as_ref());
    }
    let result = ended.as_ref().map(FrameResult::instruction_result);
    if let Some(transfer) = to_itself.filter(|_| result.is_none_or(|result| result.is_ok())) {
        unchanged_writes::note_transfer_to_itself(&mut vm.ctx, transfer);
    }
    module_call::after_frame(&mut vm.ctx, pending, result)?;
    Ok(ended)
}

fn result_of<Frame>(started: ItemOrResult<Frame, FrameResult>) -> Option<FrameResult> {
    match started {
        ItemOrResult::Item(_) => None,
        ItemOrResult::Result(result) => Some(result),
    }
}
