//! The interpreter loop. Most instructions are revm's. The frequent ones are inlined into one function, because in
//! WebAssembly an indirect call costs more than most instructions.

use crate::{
    halts::{
        fault::{self, Before},
        find_fault,
    },
    host::{interrupt, state::HostStopped},
    instructions::multiply,
    peer::metered_instructions,
    vm::{context::Ctx, machine::Vm},
};
use revm::{
    bytecode::opcode::*,
    context_interface::context::ContextError,
    handler::{EthFrame, FrameInitOrResult},
    interpreter::{
        GasTable, InstructionContext, InstructionExecResult, InstructionResult, InstructionTable, Interpreter, InterpreterAction,
        instructions::{arithmetic, bitwise, control, memory, stack},
        interpreter::EthInterpreter,
        interpreter_types::{Jumps, LoopControl},
    },
};

/// Instructions between two checks for an interruption. V8 switches to the optimized version of `burst` only on a new
/// call, so a long execution must return and call it again.
const BURST: u32 = 4096;

type Instructions = InstructionTable<EthInterpreter, Ctx>;

/// Executes the innermost frame until it ends or starts another.
pub fn run_frame(vm: &mut Vm) -> Result<FrameInitOrResult<EthFrame<EthInterpreter>>, ContextError<HostStopped>> {
    let frame = vm.frame_stack.get();
    let action = run(&mut frame.interpreter, vm.instruction.instruction_table(), vm.instruction.gas_table(), &mut vm.ctx);
    let next = frame.process_next_action::<_, ContextError<HostStopped>>(&mut vm.ctx, action)?;
    if next.is_result() {
        frame.set_finished(true);
    }
    Ok(next)
}

fn run(interpreter: &mut Interpreter, instructions: &Instructions, costs: &GasTable, ctx: &mut Ctx) -> InterpreterAction {
    fault::clear();
    loop {
        if interrupt::is_stopped() {
            interpreter.halt(InstructionResult::MemoryLimitOOG);
            break;
        }
        let mut left = BURST;
        let result = burst(interpreter, instructions, costs, ctx, &mut left);
        interrupt::count_steps(BURST - left);
        if let Err(reason) = result {
            if interpreter.bytecode.action().is_none() {
                interpreter.halt(reason);
            }
            break;
        }
    }
    interpreter.take_next_action()
}

/// Expands to a `match` that calls the frequent instructions directly.
macro_rules! execute {
    ($opcode:expr, $context:expr, $otherwise:expr, $($name:ident => $instruction:expr),+ $(,)?) => {
        match $opcode {
            $($name => $instruction($context),)+
            _ => $otherwise,
        }
    };
}

/// Executes instructions until `left` is 0 or one of them ends the frame.
#[inline(never)]
fn burst(interpreter: &mut Interpreter, instructions: &Instructions, costs: &GasTable, ctx: &mut Ctx, left: &mut u32) -> InstructionExecResult {
    while *left > 0 {
        *left -= 1;
        let opcode = interpreter.bytecode.opcode();
        interpreter.bytecode.relative_jump(1);
        if interpreter.gas.record_cost_unsafe(costs[opcode as usize] as u64) {
            return Err(record_unpaid(interpreter, ctx, opcode));
        }
        let context = InstructionContext { interpreter: &mut *interpreter, host: &mut *ctx };
        let result = execute!(opcode, context, match opcode {
                CREATE | CREATE2 | CALL | CALLCODE | DELEGATECALL | STATICCALL | LOG0..=LOG4 => {
                    execute_in_steps(interpreter, instructions, ctx, opcode)?;
                    continue;
                }
                _ => instructions[opcode as usize].execute(context),
            },
            ADD => arithmetic::add, MUL => multiply::instruction, SUB => arithmetic::sub,
            LT => bitwise::lt, GT => bitwise::gt, EQ => bitwise::eq, ISZERO => bitwise::iszero,
            AND => bitwise::bitand, OR => bitwise::bitor, XOR => bitwise::bitxor, NOT => bitwise::not,
            SHL => bitwise::shl, SHR => bitwise::shr,
            POP => stack::pop, MLOAD => memory::mload, MSTORE => memory::mstore,
            JUMP => control::jump, JUMPI => control::jumpi, JUMPDEST => control::jumpdest,
            PUSH0 => stack::push0, PUSH1 => stack::push::<1, _, _>, PUSH2 => stack::push::<2, _, _>,
            PUSH4 => stack::push::<4, _, _>, PUSH8 => stack::push::<8, _, _>, PUSH20 => stack::push::<20, _, _>,
            PUSH32 => stack::push::<32, _, _>,
            DUP1 => stack::dup::<1, _, _>, DUP2 => stack::dup::<2, _, _>, DUP3 => stack::dup::<3, _, _>,
            DUP4 => stack::dup::<4, _, _>, DUP5 => stack::dup::<5, _, _>, DUP6 => stack::dup::<6, _, _>,
            SWAP1 => stack::swap::<1, _, _>, SWAP2 => stack::swap::<2, _, _>, SWAP3 => stack::swap::<3, _, _>,
            SWAP4 => stack::swap::<4, _, _>,
        );
        if let Err(reason) = result {
            record_after(interpreter, ctx, opcode, reason);
            return Err(reason);
        }
    }
    Ok(())
}

/// Executes an instruction that pops operands or charges gas in several steps. Records stack and gas before it runs,
/// because they are unknown afterwards.
#[inline(never)]
fn execute_in_steps(interpreter: &mut Interpreter, instructions: &Instructions, ctx: &mut Ctx, opcode: u8) -> InstructionExecResult {
    metered_instructions::price_call(interpreter, ctx, opcode)?;
    let before = Before { opcode, stack: interpreter.stack.len(), gas: Some(interpreter.gas.remaining()) };
    let result = instructions[opcode as usize].execute(InstructionContext { interpreter: &mut *interpreter, host: &mut *ctx });
    if let Err(reason) = result {
        find_fault::record(interpreter, ctx, before, reason);
    }
    result
}

/// Records the fault of any other instruction. These pop all their operands at once or none.
#[cold]
#[inline(never)]
fn record_after(interpreter: &Interpreter, ctx: &mut Ctx, opcode: u8, reason: InstructionResult) {
    use InstructionResult::{StackUnderflow, StateChangeDuringStaticCall};
    let taken = match (reason, opcode) {
        (StackUnderflow | StateChangeDuringStaticCall, _) => 0,
        (_, JUMP | SELFDESTRUCT | KECCAK256 | EXP) => 1,
        (_, JUMPI | MSTORE | MSTORE8 | SSTORE | TSTORE | RETURN | REVERT) => 2,
        (_, CALLDATACOPY | CODECOPY | RETURNDATACOPY | MCOPY) => 3,
        (_, EXTCODECOPY) => 4,
        _ => 0,
    };
    let before = Before { opcode, stack: interpreter.stack.len() + taken, gas: Some(interpreter.gas.remaining()) };
    find_fault::record(interpreter, ctx, before, reason);
}

/// Records that the gas does not cover the constant price.
#[cold]
#[inline(never)]
fn record_unpaid(interpreter: &Interpreter, ctx: &mut Ctx, opcode: u8) -> InstructionResult {
    let before = Before { opcode, stack: interpreter.stack.len(), gas: None };
    find_fault::record(interpreter, ctx, before, InstructionResult::OutOfGas);
    InstructionResult::OutOfGas
}
