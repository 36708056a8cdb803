//! The one virtual machine of this instance, and the types that it is made of.

use crate::{
    blob_base_fee,
    crypto::HostCrypto,
    database::{Database, HostState},
    host, keccak, looks,
    observer::Observer,
    precompiles::HostPrecompiles,
    prices,
    single::Single,
};
use revm::{
    Context, Journal,
    bytecode::opcode::{
        BALANCE, BLOBBASEFEE, BLOCKHASH, CLZ, EXTCODECOPY, EXTCODEHASH, EXTCODESIZE, KECCAK256, SELFDESTRUCT, SLOAD, SSTORE,
    },
    context::{BlockEnv, CfgEnv, Evm, FrameStack, TxEnv},
    database::CacheDB,
    handler::{EthFrame, instructions::EthInstructions},
    interpreter::{
        Instruction, InstructionContext, InstructionExecResult, InstructionResult,
        instructions::instruction_table,
        interpreter::EthInterpreter,
    },
    primitives::{U256, hardfork::SpecId},
};

pub type Ctx = Context<BlockEnv, TxEnv, CfgEnv, Database, Journal<Database>, ()>;
pub type Vm = Evm<Ctx, Observer, EthInstructions<EthInterpreter, Ctx>, HostPrecompiles, EthFrame<EthInterpreter>>;

/// Frames whose memory is kept between transactions.
const FRAMES: usize = 8;

static VM: Single<Option<Box<Vm>>> = Single::new(None);

/// Lends the machine. Never from inside an import: a transaction holds it then.
pub fn with_vm<R>(use_it: impl FnOnce(&mut Vm) -> R) -> R {
    VM.with(|vm| use_it(vm.as_mut().expect("init comes first")))
}

/// A machine around a context: the first one, and one for each nested call.
pub fn machine(ctx: Ctx, spec: SpecId) -> Vm {
    Evm {
        ctx,
        inspector: Observer,
        instruction: instructions(spec),
        precompiles: HostPrecompiles::new(spec),
        frame_stack: FrameStack::new_prealloc(FRAMES),
    }
}

fn instructions(spec: SpecId) -> EthInstructions<EthInterpreter, Ctx> {
    let mut table = instruction_table();
    table[KECCAK256 as usize] = Instruction::new(keccak::instruction);
    table[BLOBBASEFEE as usize] = Instruction::new(blob_base_fee::instruction);
    table[SLOAD as usize] = Instruction::new(looks::sload);
    table[SSTORE as usize] = Instruction::new(looks::sstore);
    table[BALANCE as usize] = Instruction::new(looks::balance);
    table[EXTCODESIZE as usize] = Instruction::new(looks::extcodesize);
    table[EXTCODECOPY as usize] = Instruction::new(looks::extcodecopy);
    table[EXTCODEHASH as usize] = Instruction::new(looks::extcodehash);
    table[BLOCKHASH as usize] = Instruction::new(looks::blockhash);
    table[SELFDESTRUCT as usize] = Instruction::new(looks::selfdestruct);
    if prices::enables_clz() {
        table[CLZ as usize] = Instruction::new(clz);
    }
    EthInstructions::new(table, prices::gas_table(spec), spec)
}

/// CLZ (EIP-7939) over any fork.
fn clz(context: InstructionContext<'_, Ctx, EthInterpreter>) -> InstructionExecResult {
    let Some(([], top)) = context.interpreter.stack.popn_top::<0>() else { return Err(InstructionResult::StackUnderflow) };
    *top = U256::from(top.leading_zeros());
    Ok(())
}

pub fn context(database: Database, spec: SpecId) -> Ctx {
    let mut context = Context::new(database, spec);
    context.cfg.gas_params = prices::gas_params(spec);
    context
}

/// Called once, after the host has registered its precompiles.
#[unsafe(no_mangle)]
pub extern "C" fn init() {
    revm::install_crypto(HostCrypto);
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        unsafe { host::panic_message(text.as_ptr(), text.len()) }
    }));
    let spec = SpecId::OSAKA;
    VM.with(|vm| *vm = Some(Box::new(machine(context(CacheDB::new(HostState), spec), spec))));
}
