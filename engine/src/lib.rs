//! revm behind a flat, synchronous WebAssembly interface. The host owns committed state; this crate owns the journal of
//! the running transaction and a read-through cache. See README.md for the interface, `src/core/evm/encoding.ts` for the
//! other side of the layout.

mod accesses;
mod blob_base_fee;
mod block;
mod buffers;
mod by_module;
mod cache;
mod call;
mod crypto;
mod database;
mod diff;
mod dirty;
mod dispatch;
mod dynamic_gas;
mod erc7562;
mod execute;
mod fault;
mod fees;
mod host;
mod interrupt;
mod journal;
mod keccak;
mod log_index;
mod looks;
mod moves;
mod multiply;
mod nested;
mod observer;
mod opcode_name;
mod outcome;
mod overrides;
mod permission;
mod precompiles;
mod preimages;
mod prestate;
mod prices;
mod refusal;
mod refused;
mod refused_bls;
mod refused_bn254;
mod result;
mod single;
mod struct_log;
mod trace;
mod trace_json;
mod traced_fault;
mod tracer;
mod transact;
mod transaction;
mod vm;
mod wire;

/// An EVM must not use randomness: a request for it fails.
fn no_randomness(_: &mut [u8]) -> Result<(), getrandom::Error> {
    Err(getrandom::Error::UNSUPPORTED)
}
getrandom::register_custom_getrandom!(no_randomness);
