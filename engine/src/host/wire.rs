//! The flat layout: little-endian integers, u256 big-endian, byte strings with a u32 length prefix.

use ark_ff::BigInt;
use revm::primitives::{Address, B256, U256};

/// Maximum size of a trace's JSON, in bytes.
pub const JSON_LIMIT: usize = 64 << 20;

/// Reads fields in sequence. Panics if the input is too short, because the host builds it: that is a bug.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// Takes the next bytes.
    pub fn take(&mut self, count: usize) -> &'a [u8] {
        let (head, tail) = self.0.split_at(count);
        self.0 = tail;
        head
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N));
        bytes
    }

    pub fn u8(&mut self) -> u8 {
        self.take(1)[0]
    }

    /// Reads a byte as a boolean: 0 is false.
    pub fn flag(&mut self) -> bool {
        self.u8() != 0
    }

    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    pub fn u128(&mut self) -> u128 {
        u128::from_le_bytes(self.array())
    }

    pub fn u256(&mut self) -> U256 {
        U256::from_be_bytes(self.array::<32>())
    }

    pub fn address(&mut self) -> Address {
        Address::new(self.array())
    }

    pub fn b256(&mut self) -> B256 {
        B256::new(self.array())
    }

    /// Reads a byte string with a length prefix.
    pub fn bytes(&mut self) -> &'a [u8] {
        let length = self.u32() as usize;
        self.take(length)
    }
}

/// Writes fields in sequence.
pub trait Write {
    fn put_u32(&mut self, value: usize);
    fn put_u64(&mut self, value: u64);
    fn put_u256(&mut self, value: U256);
    fn put_bytes(&mut self, bytes: &[u8]);
}

impl Write for Vec<u8> {
    fn put_u32(&mut self, value: usize) {
        self.extend_from_slice(&(value as u32).to_le_bytes());
    }

    fn put_u64(&mut self, value: u64) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn put_u256(&mut self, value: U256) {
        self.extend_from_slice(&value.to_be_bytes::<32>());
    }

    fn put_bytes(&mut self, bytes: &[u8]) {
        self.put_u32(bytes.len());
        self.extend_from_slice(bytes);
    }
}

/// Reads a big-endian number of `8 * N` bytes.
pub fn big_endian<const N: usize>(bytes: &[u8]) -> BigInt<N> {
    let mut limbs = [0; N];
    for (limb, chunk) in limbs.iter_mut().rev().zip(bytes.chunks_exact(8)) {
        *limb = u64::from_be_bytes(chunk.try_into().expect("8 bytes"));
    }
    BigInt(limbs)
}
