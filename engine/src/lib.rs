//! revm behind a flat, synchronous WebAssembly interface. The host owns committed state. This crate owns the journal of
//! the running transaction and a read-through cache. `README.md` describes the rooms; `src/core/evm/encoding.ts` is the
//! other side of the layout.

/// The boundary: imports, shared memory and its layout, committed state, the host's clock.
mod host {
    pub mod buffers;
    pub mod imports;
    pub mod interrupt;
    pub mod single;
    pub mod state;
    pub mod wire;
}

/// The machine: its types, the rules of its block, the handler of transactions and the frames inside them.
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

/// The interpreter's loop, and the instructions that are not revm's own.
mod instructions {
    pub mod blob_base_fee;
    pub mod clz;
    pub mod dispatch;
    pub mod keccak;
    pub mod multiply;
    pub mod table;
}

/// Cryptography of precompiles; stateful precompiles, and the journal that they share with the EVM.
mod precompiles {
    pub mod bn254;
    pub mod crypto;
    pub mod journal;
    pub mod moves;
    pub mod nested_call;
    pub mod provider;
}

/// Reasons why a frame halted, in geth's words.
mod halts {
    pub mod dynamic_gas;
    pub mod fault;
    pub mod find_fault;
    pub mod opcode_name;
    pub mod words;
}

/// Tracers, and the JSON that they write.
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

/// Habits of the Go node (cosmos/evm) beyond Ethereum's rules.
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

/// The exports that execute, their inputs and their answers.
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

/// Refuses randomness: an EVM must not use it.
fn no_randomness(_: &mut [u8]) -> Result<(), getrandom::Error> {
    Err(getrandom::Error::UNSUPPORTED)
}
getrandom::register_custom_getrandom!(no_randomness);
