//! Cryptography of Ethereum's precompiles: the host's implementation where it is faster than WebAssembly, otherwise
//! revm's or arkworks'.

use crate::{
    host::{buffers, imports},
    precompiles::bn254,
};
use revm::precompile::{Crypto, DefaultCrypto, PrecompileHalt};

/// True if the host computes a modular exponentiation faster: always above 1,024 bits. From 512 bits on the host can
/// use OpenSSL for an odd modulus, which pays off if the exponent is long enough to amortize the creation of a key.
fn is_faster_in_host(exponent: &[u8], modulus: &[u8]) -> bool {
    let is_odd = modulus.last().is_some_and(|byte| byte & 1 == 1);
    modulus.len() > 128 || (modulus.len() >= 64 && exponent.len() > 8 && is_odd)
}

/// revm's `Crypto` with replacements.
#[derive(Debug)]
pub struct HostCrypto;

impl Crypto for HostCrypto {
    fn secp256k1_ecrecover(&self, signature: &[u8; 64], parity: u8, digest: &[u8; 32]) -> Result<[u8; 32], PrecompileHalt> {
        let mut out = [0u8; 32];
        match unsafe { imports::ecrecover(digest.as_ptr(), signature.as_ptr(), parity as u32, out.as_mut_ptr()) } {
            0 => Ok(out),
            _ => Err(PrecompileHalt::Secp256k1RecoverFailed),
        }
    }

    fn modexp(&self, base: &[u8], exponent: &[u8], modulus: &[u8]) -> Result<Vec<u8>, PrecompileHalt> {
        if !is_faster_in_host(exponent, modulus) {
            return DefaultCrypto.modexp(base, exponent, modulus);
        }
        unsafe {
            imports::modexp(base.as_ptr(), base.len(), exponent.as_ptr(), exponent.len(), modulus.as_ptr(), modulus.len());
        }
        Ok(buffers::with_scratch(core::mem::take))
    }

    fn secp256r1_verify_signature(&self, digest: &[u8; 32], signature: &[u8; 64], key: &[u8; 64]) -> bool {
        unsafe { imports::p256(digest.as_ptr(), signature.as_ptr(), key.as_ptr()) == 1 }
    }

    fn bn254_g1_mul(&self, point: &[u8], scalar: &[u8]) -> Result<[u8; 64], PrecompileHalt> {
        bn254::multiply(point, scalar)
    }
}
