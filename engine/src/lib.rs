//! revm behind a flat, synchronous WebAssembly interface. The host owns committed state. This crate owns the journal
//! of the running transaction and a read-through cache. `README.md` lists the modules; `src/core/evm/encoding.ts`
//! writes the inputs and `src/core/evm/decoding.ts` reads the outputs.

/// Boundary to the host: imports, shared memory and its layout, committed state, polling.
mod host {
    pub mod buffers;
    pub mod imports;
    pub mod interrupt;
    pub mod single;
    pub mod state;
    pub mod wire;
}

/// The EVM: its types, block rules, transaction handler and frames.
mod vm {
    pub mod block_rules;
    pub mod context;
    pub mod execute;
    pub mod frame;
    pub mod handler;
    pub mod machine;
    pub mod prices;
    pub mod touched;
}

/// The interpreter loop, and instructions that replace revm's.
mod instructions {
    pub mod blob_base_fee;
    pub mod clz;
    pub mod dispatch;
    pub mod keccak;
    pub mod multiply;
    pub mod table;
}

/// Cryptography of Ethereum's precompiles; stateful precompiles and the journal that they share with the EVM.
mod precompiles {
    pub mod bn254;
    pub mod crypto;
    pub mod journal;
    pub mod moves;
    pub mod nested_call;
    pub mod provider;
}

/// Faults that halted a frame, with geth's error messages.
mod halts {
    pub mod dynamic_gas;
    pub mod fault;
    pub mod find_fault;
    pub mod opcode_name;
    pub mod messages;
}

/// Tracers and their JSON output.
mod trace {
    pub mod accesses;
    pub mod erc7562;
    pub mod faults;
    pub mod json;
    pub mod log_index;
    pub mod observer;
    pub mod preimages;
    pub mod prestate;
    pub mod struct_log;
    pub mod tracer;
}

/// Behaviour of the Go node (cosmos/evm) that goes beyond Ethereum's rules.
mod peer {
    pub mod bls12_381_errors;
    pub mod bn254_errors;
    pub mod metered_instructions;
    pub mod module_call;
    pub mod permissions;
    pub mod precompile_errors;
    pub mod state_reads;
    pub mod unchanged_writes;
}

/// Exports that execute transactions, calls and traces; their inputs and outputs.
mod exports {
    pub mod block;
    pub mod cache;
    pub mod call;
    pub mod diff;
    pub mod outcome;
    pub mod overrides;
    pub mod refusal;
    pub mod result;
    pub mod trace;
    pub mod transact;
    pub mod transaction;
}

/// Always fails: the EVM must be deterministic.
fn no_randomness(_: &mut [u8]) -> Result<(), getrandom::Error> {
    Err(getrandom::Error::UNSUPPORTED)
}
getrandom::register_custom_getrandom!(no_randomness);
