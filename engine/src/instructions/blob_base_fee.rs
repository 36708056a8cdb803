//! BLOBBASEFEE (EIP-7516). In a block without a blob base fee it stops the whole execution, not only its frame.

use crate::{host::{imports, state::HostStopped}, vm::{block_rules::block_rules, context::Ctx}};
use revm::{
    context::ContextTr,
    context_interface::context::ContextError,
    interpreter::{
        InstructionContext, InstructionExecResult, InstructionResult, instructions::block_info, interpreter::EthInterpreter,
    },
};

/// BLOBBASEFEE. revm's instruction runs first, because it checks the fork and the stack.
pub fn instruction(context: InstructionContext<'_, Ctx, EthInterpreter>) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    block_info::blob_basefee(InstructionContext { interpreter: &mut *interpreter, host: &mut *ctx })?;
    if block_rules().has_blob_base_fee || unsafe { imports::no_blob_base_fee() } >= 0 {
        return Ok(());
    }
    *ctx.error() = Err(ContextError::Db(HostStopped));
    Err(InstructionResult::FatalExternalError)
}
