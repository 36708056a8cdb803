//! Why the instruction that ended a frame failed, where geth names it otherwise than by revm's reason: geth looks at the
//! opcode and the stack before any gas is charged, and names both (go-ethereum v1.16 `core/vm/interpreter.go`, `errors.go`).

use crate::{dynamic_gas::dynamic_fault, opcode_name::OpcodeName, prices, refused::RefusedInput, single::Single, vm::Ctx};
use revm::{
    bytecode::opcode::*,
    interpreter::{InstructionResult, Interpreter, interpreter_types::RuntimeFlag},
    primitives::{Address, STACK_LIMIT, hardfork::SpecId},
};

#[derive(Clone)]
pub enum Fault {
    Opcode(u8),
    Underflow { length: usize, required: usize },
    Overflow { length: usize, limit: usize },
    InitCode { length: u64 },
    Words(&'static str),
    /// The chain does not let the caller do this.
    Refused { caller: Address, creates: bool },
    /// A contract of Ethereum does not take its input.
    Input(RefusedInput),
}

/// An instruction and what it found.
pub struct Before {
    pub opcode: u8,
    pub stack: usize,
    /// After its constant price; none where that was more than there was.
    pub gas: Option<u64>,
}

/// Of the frame that ended last, unless another has run since.
static FAULT: Single<Option<Fault>> = Single::new(None);

pub fn forget() {
    FAULT.with(|held| *held = None);
}

pub fn set(fault: Fault) {
    FAULT.with(|held| *held = Some(fault));
}

/// Why the last frame failed, when revm's reason does not say it all.
pub fn last() -> Option<Fault> {
    FAULT.with(|held| held.clone())
}

/// An instruction did not succeed: it halted the frame, ended it or left it.
pub fn note(interpreter: &Interpreter, ctx: &mut Ctx, before: Before, reason: InstructionResult) {
    let fault = if reason.is_halt() { find(interpreter, ctx, &before, reason) } else { None };
    FAULT.with(|held| *held = fault);
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

/// The opcodes of a fork, of those that revm knows (go-ethereum v1.16 `core/vm/jump_table.go`).
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

impl core::fmt::Display for Fault {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Opcode(opcode) => write!(out, "invalid opcode: {}", OpcodeName(*opcode)),
            Self::Underflow { length, required } => write!(out, "stack underflow ({length} <=> {required})"),
            Self::Overflow { length, limit } => write!(out, "stack limit reached {length} ({limit})"),
            Self::InitCode { length } => write!(out, "out of gas: max initcode size exceeded: size {length}"),
            Self::Words(words) => out.write_str(words),
            Self::Refused { caller, creates: false } => write!(out, "caller address {caller} does not have permission to perform a call"),
            Self::Refused { caller, creates: true } => write!(out, "caller address {caller} does not have permission to deploy contracts"),
            Self::Input(refused) => refused.fmt(out),
        }
    }
}
