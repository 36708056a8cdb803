//! Cryptography that the host does faster than WebAssembly; the rest is pure Rust. P-256 too: Node hashes whatever it verifies,
//! and the precompile has a digest.

use crate::{buffers, host};
use revm::precompile::{Crypto, DefaultCrypto, PrecompileHalt};

/// From this many bytes of modulus on, the host's big integers win.
const HOST_MODEXP_BYTES: usize = 128;

#[derive(Debug)]
pub struct HostCrypto;

impl Crypto for HostCrypto {
    fn secp256k1_ecrecover(&self, signature: &[u8; 64], parity: u8, digest: &[u8; 32]) -> Result<[u8; 32], PrecompileHalt> {
        let mut out = [0u8; 32];
        match unsafe { host::ecrecover(digest.as_ptr(), signature.as_ptr(), parity as u32, out.as_mut_ptr()) } {
            0 => Ok(out),
            _ => Err(PrecompileHalt::Secp256k1RecoverFailed),
        }
    }

    fn modexp(&self, base: &[u8], exponent: &[u8], modulus: &[u8]) -> Result<Vec<u8>, PrecompileHalt> {
        if modulus.len() <= HOST_MODEXP_BYTES {
            return DefaultCrypto.modexp(base, exponent, modulus);
        }
        unsafe {
            host::modexp(base.as_ptr(), base.len(), exponent.as_ptr(), exponent.len(), modulus.as_ptr(), modulus.len());
        }
        Ok(buffers::with_scratch(core::mem::take))
    }
}
