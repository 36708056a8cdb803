//! Starts frames, with the additional rules of the Go node.

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

/// Starts the first frame of an execution. Returns its result if it ended immediately.
pub fn start_first(vm: &mut Vm, frame: FrameInit) -> Result<Option<FrameResult>, ContextError<HostStopped>> {
    if let Some(denied) = permissions::denied(&vm.ctx, &frame.frame_input) {
        return Ok(Some(denied));
    }
    let self_transfer = unchanged_writes::self_transfer(&frame.frame_input);
    let ended = result_of(vm.frame_init(frame)?);
    if let Some(transfer) = self_transfer {
        unchanged_writes::record_self_transfer(&mut vm.ctx, transfer);
    }
    Ok(ended)
}

/// Starts the frame of an inner call or contract creation. Returns its result if it ended immediately.
pub fn start_inner(vm: &mut Vm, frame: FrameInit) -> Result<Option<FrameResult>, ContextError<HostStopped>> {
    if let Some(denied) = permissions::denied(&vm.ctx, &frame.frame_input) {
        return Ok(Some(denied));
    }
    let pending = module_call::before_frame(&mut vm.ctx, &frame, |address| vm.precompiles.contains(address))?;
    let callee = unchanged_writes::static_callee(&frame.frame_input);
    let self_transfer = unchanged_writes::self_transfer(&frame.frame_input);
    let creates = matches!(frame.frame_input, FrameInput::Create(_));
    touched::record_call(&frame.frame_input);
    let ended = result_of(vm.frame_init(frame)?);
    if creates && ended.is_none() {
        touched::record(vm.frame_stack.get().interpreter.input.target_address);
    }
    if let Some(address) = callee {
        unchanged_writes::record_static_callee(&mut vm.ctx, address, ended.as_ref());
    }
    let result = ended.as_ref().map(FrameResult::instruction_result);
    if let Some(transfer) = self_transfer.filter(|_| result.is_none_or(|result| result.is_ok())) {
        unchanged_writes::record_self_transfer(&mut vm.ctx, transfer);
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
