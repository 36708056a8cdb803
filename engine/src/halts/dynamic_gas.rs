//! geth's error when the dynamic gas of an instruction cannot be computed or paid (go-ethereum v1.16
//! `core/vm/gas_table.go`, `memory_table.go`, `operations_acl.go`). Errors of the computation have the prefix
//! "out of gas: ".

use crate::{halts::fault::{Before, Fault}, vm::context::Ctx};
use revm::{
    bytecode::opcode::*,
    context::JournalEntry,
    interpreter::{Host, InstructionResult, Interpreter, interpreter_types::{MemoryTr, RuntimeFlag}},
    context_interface::host::LoadError,
    primitives::{Address, U256, hardfork::SpecId},
};

/// Maximum memory size, in bytes, for which geth computes a gas price.
const PRICED_MEMORY: u64 = 0x1F_FFFF_FFE0;
const OUT_OF_GAS: Fault = Fault::Message("out of gas");

/// Fault of an instruction that ran out of gas or whose price overflowed. `None` if revm's reason is precise enough.
pub fn dynamic_fault(interpreter: &Interpreter, ctx: &mut Ctx, before: &Before, reason: InstructionResult) -> Option<Fault> {
    use InstructionResult::{CreateInitCodeSizeLimit, InvalidOperandOOG, MemoryOOG, OutOfGas, OutOfOffset};
    if !matches!(reason, OutOfGas | MemoryOOG | InvalidOperandOOG | CreateInitCodeSizeLimit | OutOfOffset) {
        return None;
    }
    let opcode = before.opcode;
    let gas = match before.gas {
        // In geth, LOG has no constant gas.
        None if matches!(opcode, LOG0..=LOG4) => 0,
        gas => gas?,
    };
    let operand = |index: usize| operand(interpreter, before.stack, index);
    let creates = matches!(opcode, CREATE | CREATE2);
    // In geth, this is constant gas, which is checked first.
    if creates && gas < ctx.gas_params().create_cost() {
        return Some(OUT_OF_GAS);
    }
    let Some(size) = memory_size(opcode, &operand) else {
        return Some(Fault::Message("gas uint64 overflow"));
    };
    if matches!(opcode, CALL | CALLCODE | DELEGATECALL | STATICCALL) {
        let address = Address::from_word(operand(1).into());
        if cannot_pay_cold_account(ctx, gas, address) || cannot_pay_delegate(ctx, gas, address) {
            return Some(Fault::Message("out of gas: out of gas"));
        }
    }
    if size > PRICED_MEMORY {
        return Some(Fault::Message("out of gas: gas uint64 overflow"));
    }
    if creates && interpreter.runtime_flag.spec_id().is_enabled_in(SpecId::SHANGHAI) {
        let length = operand(2).saturating_to();
        if length > ctx.max_initcode_size() as u64 {
            return Some(Fault::InitCode { length });
        }
    }
    match reason {
        InvalidOperandOOG => Some(OUT_OF_GAS),
        OutOfOffset if gas < copy_cost(interpreter.memory.size() as u64, size, operand(2).saturating_to()) => Some(OUT_OF_GAS),
        _ => None,
    }
}

/// Operand at `index` from the top of the stack, as it was before the instruction. `length` is the stack length then.
fn operand(interpreter: &Interpreter, length: usize, index: usize) -> U256 {
    let words = interpreter.stack.data();
    debug_assert!(index < length && length <= words.capacity());
    // SAFETY: `find_fault` checked that the stack had all operands, so these words were written. Popping only
    // shortens the stack, and an instruction that halts pushes nothing.
    unsafe { *words.as_ptr().add(length - 1 - index) }
}

/// True if the gas does not cover the access to a cold account, which geth charges first.
pub fn cannot_pay_cold_account(ctx: &mut Ctx, gas: u64, address: Address) -> bool {
    let cold = ctx.gas_params().cold_account_additional_cost();
    gas < cold && matches!(ctx.load_account_info_skip_cold_load(address, false, true), Err(LoadError::ColdLoadSkipped))
}

/// True if the gas does not cover the access to the callee's delegate (EIP-7702), which geth charges second. The
/// instruction may have warmed the callee already.
fn cannot_pay_delegate(ctx: &mut Ctx, gas: u64, address: Address) -> bool {
    let warmed = matches!(ctx.journaled_state.inner.journal.last(), Some(JournalEntry::AccountWarmed { address: last }) if *last == address);
    let Ok(account) = ctx.load_account_info_skip_cold_load(address, true, false) else { return false };
    let was_cold = warmed || account.is_cold;
    let Some(delegate) = account.code.as_ref().and_then(|code| code.eip7702_address()) else { return false };
    let (cold, warm) = (ctx.gas_params().cold_account_additional_cost(), ctx.gas_params().warm_storage_read_cost());
    let is_cold = matches!(ctx.load_account_info_skip_cold_load(delegate, false, true), Err(LoadError::ColdLoadSkipped));
    let rest = if was_cold { gas.saturating_sub(cold) } else { gas };
    rest < if is_cold { warm + cold } else { warm }
}

/// Memory size that an instruction needs, in bytes. `None` if it exceeds 64 bits.
pub fn memory_size(opcode: u8, operand: &impl Fn(usize) -> U256) -> Option<u64> {
    let range = |offset: U256, length: U256| -> Option<u64> {
        if length.is_zero() {
            return Some(0);
        }
        let end = u64::try_from(offset).ok()?.checked_add(u64::try_from(length).ok()?)?;
        end.checked_next_multiple_of(32)
    };
    let at = |offset: usize, length: usize| range(operand(offset), operand(length));
    match opcode {
        MLOAD | MSTORE => range(operand(0), U256::from(32)),
        MSTORE8 => range(operand(0), U256::from(1)),
        KECCAK256 | RETURN | REVERT | LOG0..=LOG4 => at(0, 1),
        CALLDATACOPY | CODECOPY | RETURNDATACOPY => at(0, 2),
        MCOPY => range(operand(0).max(operand(1)), operand(2)),
        EXTCODECOPY => at(1, 3),
        CREATE | CREATE2 => at(1, 2),
        CALL | CALLCODE => Some(at(5, 6)?.max(at(3, 4)?)),
        DELEGATECALL | STATICCALL => Some(at(4, 5)?.max(at(2, 3)?)),
        _ => Some(0),
    }
}

/// Gas of a copy: 3 for each word, plus memory expansion.
fn copy_cost(now: u64, then: u64, length: u64) -> u64 {
    let price = |bytes: u64| {
        let words = bytes.div_ceil(32);
        words * 3 + words * words / 512
    };
    length.div_ceil(32) * 3 + price(then.max(now)) - price(now)
}
