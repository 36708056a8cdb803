//! The EVM of this WebAssembly instance.

use crate::{
    host::{imports, single::Single, state::HostState},
    instructions::table::instructions,
    precompiles::{crypto::HostCrypto, provider::HostPrecompiles},
    trace::observer::Observer,
    vm::context::{Ctx, new_context},
};
use revm::{
    context::{Evm, FrameStack},
    database::CacheDB,
    handler::{EthFrame, instructions::EthInstructions},
    interpreter::interpreter::EthInterpreter,
    primitives::hardfork::SpecId,
};

/// revm's `Evm` with our parts.
pub type Vm = Evm<Ctx, Observer, EthInstructions<EthInterpreter, Ctx>, HostPrecompiles, EthFrame<EthInterpreter>>;

/// Number of preallocated frames.
const FRAMES: usize = 8;

static VM: Single<Option<Box<Vm>>> = Single::new(None);

/// Runs a closure on the EVM. Must not be used while an import runs: a transaction borrows the EVM at that time.
pub fn with_vm<R>(use_it: impl FnOnce(&mut Vm) -> R) -> R {
    VM.with(|vm| use_it(vm.as_mut().expect("init comes first")))
}

/// Creates an EVM around a context. The instance has one; each nested call creates another.
pub fn new_machine(ctx: Ctx, spec: SpecId) -> Vm {
    Evm {
        ctx,
        inspector: Observer,
        instruction: instructions(spec),
        precompiles: HostPrecompiles::new(spec),
        frame_stack: FrameStack::new_prealloc(FRAMES),
    }
}

/// Creates the EVM. The host calls this once, after registering its precompiles.
#[unsafe(no_mangle)]
pub extern "C" fn init() {
    revm::install_crypto(HostCrypto);
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        unsafe { imports::panic_message(text.as_ptr(), text.len()) }
    }));
    let spec = SpecId::OSAKA;
    VM.with(|vm| *vm = Some(Box::new(new_machine(new_context(CacheDB::new(HostState), spec), spec))));
}
