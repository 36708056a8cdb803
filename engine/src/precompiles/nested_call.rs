//! Calls of stateful precompiles back into the EVM, on the same journal.

use crate::{
    halts::fault,
    host::{buffers, state::HostStopped, wire::{Reader, Write}},
    precompiles::journal,
    trace::observer,
    vm::{context::Ctx, handler::{FeeHandler, Fees}, machine::{Vm, new_machine}, touched},
};
use revm::{
    context::{ContextTr, JournalTr},
    bytecode::Bytecode,
    context_interface::{context::take_error, result::EVMError},
    handler::{FrameResult, Handler},
    inspector::InspectorHandler,
    interpreter::{CallInput, CallInputs, CallScheme, CallValue, FrameInput, SharedMemory, interpreter_action::FrameInit},
    primitives::{Address, B256, Bytes},
};

/// Executes a call. Scratch in: caller, to, value, gas u64, static u8, data. Scratch out: status u8 (0 revert, 1
/// success, 2 halt), gas used u64, output. Returns the length of scratch, or -1 if the host stopped the execution.
#[unsafe(no_mangle)]
pub extern "C" fn journal_call() -> i32 {
    let ctx = journal::lent();
    // SAFETY: the context is lent (see `journal`). It is moved into another EVM and back, and nothing uses the
    // original meanwhile. A panic aborts, so the moved-out value is never observed.
    let result = unsafe {
        let (result, back) = run(core::ptr::read(ctx));
        core::ptr::write(ctx, back);
        result
    };
    // The caller must not report the fault of the nested call.
    fault::clear();
    let Ok((result, gas_limit)) = result else { return -1 };
    let result = result.interpreter_result();
    buffers::with_scratch(|scratch| {
        scratch.clear();
        scratch.push(if result.result.is_ok() { 1 } else if result.result.is_revert() { 0 } else { 2 });
        scratch.put_u64(gas_limit - result.gas.remaining());
        scratch.extend_from_slice(&result.output);
        scratch.len() as i32
    })
}

fn run(mut ctx: Ctx) -> (Result<(FrameResult, u64), EVMError<HostStopped>>, Ctx) {
    let mut call = buffers::with_scratch(|scratch| read_call(&mut Reader(scratch)));
    match code_of(&mut ctx, call.target_address) {
        Ok(code) => call.known_bytecode = code,
        Err(stopped) => return (Err(stopped), ctx),
    }
    let gas_limit = call.gas_limit;
    // `local` holds the shared memory of the running frame. The nested EVM starts with empty memory.
    let local = core::mem::take(&mut ctx.local);
    let mut memory = SharedMemory::new_with_buffer(ctx.local.shared_memory_buffer.clone());
    memory.set_memory_limit(ctx.cfg.memory_limit);
    let frame = FrameInit { depth: ctx.journal().depth(), memory, frame_input: FrameInput::Call(Box::new(call)) };
    touched::record_call(&frame.frame_input);
    let spec = ctx.cfg.spec;
    let mut vm: Vm = new_machine(ctx, spec);
    let mut handler = FeeHandler::new(Fees::Free);
    let result = if observer::is_tracing() {
        handler.inspect_run_exec_loop(&mut vm, frame)
    } else {
        handler.run_exec_loop(&mut vm, frame)
    };
    let mut ctx = vm.ctx;
    ctx.local = local;
    // The loop does not check whether the host stopped the last frame.
    let result = result.and_then(|result| take_error::<EVMError<HostStopped>, _>(ctx.error()).map(|()| (result, gas_limit)));
    (result, ctx)
}

fn read_call(reader: &mut Reader<'_>) -> CallInputs {
    let caller = reader.address();
    let to = reader.address();
    let value = reader.u256();
    let gas_limit = reader.u64();
    let is_static = reader.flag();
    CallInputs {
        input: CallInput::Bytes(Bytes::copy_from_slice(reader.0)),
        return_memory_offset: 0..0,
        gas_limit,
        reservoir: 0,
        bytecode_address: to,
        known_bytecode: Default::default(),
        target_address: to,
        caller,
        value: CallValue::Transfer(value),
        scheme: if is_static { CallScheme::StaticCall } else { CallScheme::Call },
        is_static,
        charged_new_account_state_gas: false,
    }
}

/// Hash and code that run at an address: its own, or those of its delegate (EIP-7702).
fn code_of(ctx: &mut Ctx, address: Address) -> Result<(B256, Bytecode), EVMError<HostStopped>> {
    let own = load_code(ctx, address)?;
    match own.1.eip7702_address() {
        Some(delegate) => load_code(ctx, delegate),
        None => Ok(own),
    }
}

fn load_code(ctx: &mut Ctx, address: Address) -> Result<(B256, Bytecode), EVMError<HostStopped>> {
    journal::keeping_cold(ctx, address, |ctx| {
        let info = &ctx.journal_mut().load_account_with_code(address)?.data.info;
        Ok((info.code_hash, info.code.clone().unwrap_or_default()))
    })
}
