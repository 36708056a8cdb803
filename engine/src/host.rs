//! The imports: everything that this module asks of its host. All are synchronous; a negative answer means that the host
//! remembers why and that the execution has to stop.

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// `out`: balance 32 big-endian, nonce u64, code hash 32. 0 absent, 1 present, -1 stop.
    pub fn account(address: *const u8, out: *mut u8) -> i32;
    /// Writes into `scratch(length)`; the length, or -1 for stop.
    pub fn code(hash: *const u8) -> i32;
    /// `out` is 32 zero bytes already. -1 stop.
    pub fn storage(address: *const u8, slot: *const u8, out: *mut u8) -> i32;
    pub fn block_hash(low: u32, high: u32, out: *mut u8) -> i32;
    /// Runs a stateful precompile. 0 success, 1 revert, 2 halt, 3 the engine's own check of P-256, -1 stop. Scratch: gas u64, mark u32, output.
    pub fn precompile(
        address: *const u8,
        caller: *const u8,
        target: *const u8,
        value: *const u8,
        input: *const u8,
        length: usize,
        flags: u32,
        gas_low: u32,
        gas_high: u32,
        mark: u32,
    ) -> i32;
    /// BLOBBASEFEE in a block that has none. -1 stop, always.
    pub fn no_blob_base_fee() -> i32;
    /// What a call by a module asks the state for, and how often (`looks::Question`): of 20 bytes, a slot of 52. 0 an account
    /// that is not there, 1 else, -1 stop.
    pub fn question(question: u32, subject: *const u8, times: u32) -> i32;
    /// A piece of the JSON of a trace. 0 the host took it; 1 it wants the whole text at the end.
    pub fn trace_piece(text: *const u8, length: usize) -> i32;
    /// Not zero: end the execution.
    pub fn tick() -> i32;
    /// 0 with the 32-byte left-padded address in `out`; -1 no such key.
    pub fn ecrecover(digest: *const u8, signature: *const u8, parity: u32, out: *mut u8) -> i32;
    /// base ** exponent mod modulus into `scratch(modulus_length)`.
    pub fn modexp(
        base: *const u8,
        base_length: usize,
        exponent: *const u8,
        exponent_length: usize,
        modulus: *const u8,
        modulus_length: usize,
    );
    /// 1: the signature verifies.
    pub fn p256(digest: *const u8, signature: *const u8, key: *const u8) -> i32;
    /// The text of a panic, before the trap.
    pub fn panic_message(text: *const u8, length: usize);
}
