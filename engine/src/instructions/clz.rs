//! CLZ (EIP-7939), for a chain that activates it on an older fork (`vm::prices`).

use crate::vm::context::Ctx;
use revm::{
    interpreter::{InstructionContext, InstructionExecResult, InstructionResult, interpreter::EthInterpreter},
    primitives::U256,
};

/// CLZ: replaces the top of the stack with its number of leading zero bits.
pub fn instruction(context: InstructionContext<'_, Ctx, EthInterpreter>) -> InstructionExecResult {
    let Some(([], top)) = context.interpreter.stack.popn_top::<0>() else { return Err(InstructionResult::StackUnderflow) };
    *top = U256::from(top.leading_zeros());
    Ok(())
}
