//! Precompiles: Ethereum's, and the host's stateful ones behind one import.

use crate::{
    halts::fault::{self, Fault},
    host::{buffers, imports, interrupt, single::Single, state::{HostStopped, UNDO_MARK}, wire::Reader},
    peer::precompile_errors::RefusedInput,
    precompiles::{journal, moves},
    trace::observer,
    vm::context::Ctx,
};
use revm::{
    context::{ContextTr, JournalTr},
    context_interface::context::ContextError,
    handler::{EthPrecompiles, PrecompileProvider},
    interpreter::{CallInputs, CallScheme, Gas, InstructionResult, InterpreterResult},
    precompile::secp256r1::p256_verify,
    primitives::{Address, AddressSet, Bytes, U256, hardfork::SpecId},
};

/// Maximum depth of stateful precompiles in nested calls of precompiles. Each level uses the host's stack.
const NESTING: u32 = 16;
/// Text of `HostStopped`, where revm passes errors as text.
pub const STOPPED: &str = "the host stopped the execution";
/// Results of the import `precompile`.
const SUCCEEDED: i32 = 0;
const REVERTED: i32 = 1;
const VERIFY_P256: i32 = 3;

/// Addresses of the host's precompiles, for every EVM of this instance.
static ADDRESSES: Single<Vec<Address>> = Single::new(Vec::new());
static NESTED: Single<u32> = Single::new(0);

/// Registers a precompile of the host. Must precede `init`. Args: address.
#[unsafe(no_mangle)]
pub extern "C" fn add_precompile() {
    let address = buffers::with_args(|args| Reader(args).address());
    ADDRESSES.with(|addresses| addresses.push(address));
}

/// Resets the nesting depth. An execution that the host stopped does not restore it.
pub fn reset_nesting() {
    NESTED.with(|nested| *nested = 0);
}

/// Precompiles of one EVM. The host's start cold (EIP-2929), like other contracts.
pub struct HostPrecompiles {
    ethereum: EthPrecompiles,
    stateful: AddressSet,
    changed: bool,
}

impl HostPrecompiles {
    /// Creates the precompiles of a fork and of the host.
    pub fn new(spec: SpecId) -> Self {
        let ethereum = EthPrecompiles::new(spec);
        let stateful: AddressSet = ADDRESSES.with(|addresses| addresses.iter().copied().collect());
        Self { ethereum, stateful, changed: true }
    }
}

impl PrecompileProvider<Ctx> for HostPrecompiles {
    type Output = InterpreterResult;

    /// An EVM has one fork, so only its first transaction needs to set the warm addresses.
    fn set_spec(&mut self, _: SpecId) -> bool {
        core::mem::take(&mut self.changed)
    }

    fn run(&mut self, ctx: &mut Ctx, call: &CallInputs) -> Result<Option<InterpreterResult>, String> {
        let Some(source) = moves::original_address(call.bytecode_address) else { return Ok(None) };
        if source != call.bytecode_address {
            return self.run_resolved(ctx, &CallInputs { bytecode_address: source, ..call.clone() });
        }
        self.run_resolved(ctx, call)
    }

    fn warm_addresses(&self) -> &AddressSet {
        self.ethereum.warm_addresses()
    }

    fn contains(&self, address: &Address) -> bool {
        self.ethereum.contains(address) || self.stateful.contains(address)
    }
}

impl HostPrecompiles {
    fn run_resolved(&mut self, ctx: &mut Ctx, call: &CallInputs) -> Result<Option<InterpreterResult>, String> {
        if self.stateful.contains(&call.bytecode_address) {
            return run_stateful(ctx, call).map(Some).map_err(|HostStopped| {
                *ctx.error() = Err(ContextError::Db(HostStopped));
                STOPPED.into()
            });
        }
        let result = self.ethereum.run(ctx, call)?;
        if let Some(result) = &result {
            interrupt::count_precompile(result.gas.total_gas_spent());
            // Only the fault of the outermost frame is reported, and in a trace that of each frame.
            let is_named = ctx.journal().depth() <= 1 || observer::is_tracing();
            if is_named && result.result == InstructionResult::PrecompileError {
                let (address, input) = (call.bytecode_address, call.input.bytes(ctx));
                fault::set(Fault::Input(RefusedInput { address, input, gas: call.gas_limit }));
            }
        }
        Ok(result)
    }
}

fn run_stateful(ctx: &mut Ctx, call: &CallInputs) -> Result<InterpreterResult, HostStopped> {
    let mut gas = Gas::new(call.gas_limit);
    if NESTED.with(|nested| *nested >= NESTING) {
        gas.spend_all();
        return Ok(InterpreterResult::new(InstructionResult::PrecompileError, Bytes::new(), gas));
    }
    let mark = undo_mark(ctx)?;
    NESTED.with(|nested| *nested += 1);
    let answer = call_host(ctx, call, mark);
    NESTED.with(|nested| *nested -= 1);
    let (gas_used, new_mark, output) = buffers::with_scratch(|scratch| {
        let mut reader = Reader(scratch);
        if answer < 0 {
            return (0, mark, Bytes::new());
        }
        (reader.u64(), reader.u32(), Bytes::copy_from_slice(reader.0))
    });
    if answer < 0 {
        return Err(HostStopped);
    }
    let affordable = gas.record_regular_cost(gas_used);
    if !affordable || !matches!(answer, SUCCEEDED | REVERTED | VERIFY_P256) {
        gas.spend_all();
        let halt = if affordable { InstructionResult::PrecompileError } else { InstructionResult::PrecompileOOG };
        return Ok(InterpreterResult::new(halt, Bytes::new(), gas));
    }
    if answer == REVERTED {
        return Ok(InterpreterResult::new(InstructionResult::Revert, output, gas));
    }
    if new_mark != mark {
        ctx.journal_mut().sstore(UNDO_MARK, U256::ZERO, U256::from(new_mark))?;
    }
    if answer == VERIFY_P256 {
        return Ok(verify_p256(ctx, call));
    }
    Ok(InterpreterResult::new(InstructionResult::Return, output, gas))
}

/// Runs the P-256 precompile of RIP-7212, for forks before Osaka.
fn verify_p256(ctx: &mut Ctx, call: &CallInputs) -> InterpreterResult {
    let mut gas = Gas::new(call.gas_limit);
    match p256_verify(&call.input.bytes(ctx), call.gas_limit) {
        Ok(output) if gas.record_regular_cost(output.gas_used) => {
            interrupt::count_precompile(output.gas_used);
            InterpreterResult::new(InstructionResult::Return, output.bytes, gas)
        }
        _ => {
            gas.spend_all();
            InterpreterResult::new(InstructionResult::PrecompileOOG, Bytes::new(), gas)
        }
    }
}

/// Reads the valid length of the host's undo log from the journal. Entries beyond it belong to reverted frames.
fn undo_mark(ctx: &mut Ctx) -> Result<u32, HostStopped> {
    ctx.journal_mut().load_account(UNDO_MARK)?;
    Ok(ctx.journal_mut().sload(UNDO_MARK, U256::ZERO)?.data.saturating_to())
}

fn call_host(ctx: &mut Ctx, call: &CallInputs, mark: u32) -> i32 {
    let input = call.input.bytes(ctx);
    let value = call.value.get().to_be_bytes::<32>();
    let is_delegate = call.target_address != call.bytecode_address;
    let is_static_call = call.scheme == CallScheme::StaticCall;
    let flags = call.is_static as u32 | (is_delegate as u32) << 1 | (is_static_call as u32) << 2;
    let gas = call.gas_limit;
    journal::lend(ctx, || unsafe {
        imports::precompile(
            call.bytecode_address.as_ptr(),
            call.caller.as_ptr(),
            call.target_address.as_ptr(),
            value.as_ptr(),
            input.as_ptr(),
            input.len(),
            flags,
            gas as u32,
            (gas >> 32) as u32,
            mark,
        )
    })
}
