//! Functions that the host provides. All are synchronous. Except for `ecrecover`, -1 means that the host failed: the
//! execution must stop, and the host keeps the error.

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Reads an account into `out`: balance 32 big-endian, nonce u64, code hash 32. Returns 0 absent, 1 present, -1
    /// stop.
    pub fn account(address: *const u8, out: *mut u8) -> i32;
    /// Writes code into `scratch(length)`. Returns the length, or -1 for stop.
    pub fn code(hash: *const u8) -> i32;
    /// Reads a slot into `out`, which the caller fills with 32 zero bytes. Returns 0, or -1 for stop.
    pub fn storage(address: *const u8, slot: *const u8, out: *mut u8) -> i32;
    /// Reads a block hash. The block number is split into two halves. Returns 0, or -1 for stop.
    pub fn block_hash(low: u32, high: u32, out: *mut u8) -> i32;
    /// Runs a stateful precompile. Returns 0 success, 1 revert, 2 halt, 3 run the engine's P-256 precompile, -1 stop.
    /// Scratch: gas used u64, length of the undo log u32, output.
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
    /// Reports BLOBBASEFEE in a block without a blob base fee. Always returns -1 for stop.
    pub fn no_blob_base_fee() -> i32;
    /// Reports a state read in a call by a module (`peer::state_reads`). The subject has 20 bytes, for a slot 52.
    /// Returns 0 if the account does not exist, 1 otherwise, -1 stop.
    pub fn state_read(kind: u32, subject: *const u8, times: u32) -> i32;
    /// Offers a piece of the JSON of a trace. Returns 0 if the host took it, 1 if the host wants the whole text as
    /// result.
    pub fn trace_piece(text: *const u8, length: usize) -> i32;
    /// Polls the host. Returns nonzero to end the execution.
    pub fn tick() -> i32;
    /// Recovers a signer. Returns 0 with the address, left-padded to 32 bytes, in `out`; -1 if no key can be
    /// recovered.
    pub fn ecrecover(digest: *const u8, signature: *const u8, parity: u32, out: *mut u8) -> i32;
    /// Writes base ** exponent mod modulus into `scratch(modulus_length)`.
    pub fn modexp(
        base: *const u8,
        base_length: usize,
        exponent: *const u8,
        exponent_length: usize,
        modulus: *const u8,
        modulus_length: usize,
    );
    /// Verifies a P-256 signature. Returns 1 if it is valid.
    pub fn p256(digest: *const u8, signature: *const u8, key: *const u8) -> i32;
    /// Reports the message of a panic, before the trap.
    pub fn panic_message(text: *const u8, length: usize);
}
