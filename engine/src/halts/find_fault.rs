//! Finds the fault of an instruction. geth checks opcode and stack before it charges gas, and its errors name them
//! (go-ethereum v1.16 `core/vm/interpreter.go`).

use crate::{
    halts::{
        dynamic_gas::dynamic_fault,
        fault::{self, Before, Fault},
    },
    vm::{context::Ctx, prices},
};
use revm::{
    bytecode::opcode::*,
    interpreter::{InstructionResult, Interpreter, interpreter_types::RuntimeFlag},
    primitives::{STACK_LIMIT, hardfork::SpecId},
};

/// Records the fault of an instruction that returned a reason. Only halts have a fault: no return, revert or call.
pub fn record(interpreter: &Interpreter, ctx: &mut Ctx, before: Before, reason: InstructionResult) {
    fault::set(if reason.is_halt() { find(interpreter, ctx, &before, reason) } else { None });
}

fn find(interpreter: &Interpreter, ctx: &mut Ctx, before: &Before, reason: InstructionResult) -> Option<Fault> {
    let spec = interpreter.runtime_flag.spec_id();
    let Some(opcode) = OpCode::new(before.opcode).filter(|_| is_active(before.opcode, spec)) else {
        return Some(Fault::Opcode(before.opcode));
    };
    let (length, required) = (before.stack, opcode.inputs() as usize);
    if length < required {
        return Some(Fault::Underflow { length, required });
    }
    let limit = STACK_LIMIT + required - opcode.outputs() as usize;
    if length > limit {
        return Some(Fault::Overflow { length, limit });
    }
    dynamic_fault(interpreter, ctx, before, reason)
}

/// True if the fork has activated this opcode of revm (go-ethereum v1.16 `core/vm/jump_table.go`).
fn is_active(opcode: u8, spec: SpecId) -> bool {
    let since = match opcode {
        DELEGATECALL => SpecId::HOMESTEAD,
        RETURNDATASIZE | RETURNDATACOPY | STATICCALL | REVERT => SpecId::BYZANTIUM,
        SHL | SHR | SAR | EXTCODEHASH | CREATE2 => SpecId::PETERSBURG,
        CHAINID | SELFBALANCE => SpecId::ISTANBUL,
        BASEFEE => SpecId::LONDON,
        PUSH0 => SpecId::SHANGHAI,
        BLOBHASH | BLOBBASEFEE | TLOAD | TSTORE | MCOPY => SpecId::CANCUN,
        CLZ if prices::enables_clz() => return true,
        CLZ => SpecId::OSAKA,
        SLOTNUM | DUPN | SWAPN | EXCHANGE | INVALID => return false,
        _ => return true,
    };
    spec.is_enabled_in(since)
}
