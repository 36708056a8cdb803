//! BLOBBASEFEE (EIP-7516), which in a block without a blob base fee ends the whole execution: no caller survives it.

use crate::{block::has_blob_base_fee, database::HostStopped, host, vm::Ctx};
use revm::{
    context::ContextTr,
    context_interface::context::ContextError,
    interpreter::{
        InstructionContext, InstructionExecResult, InstructionResult, instructions::block_info, interpreter::EthInterpreter,
    },
};

/// The fork, the price and the room on the stack are looked at first.
pub fn instruction(context: InstructionContext<'_, Ctx, EthInterpreter>) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    block_info::blob_basefee(InstructionContext { interpreter: &mut *interpreter, host: &mut *ctx })?;
    if has_blob_base_fee() || unsafe { host::no_blob_base_fee() } >= 0 {
        return Ok(());
    }
    *ctx.error() = Err(ContextError::Db(HostStopped));
    Err(InstructionResult::FatalExternalError)
}
