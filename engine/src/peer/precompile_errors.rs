//! Error messages of Ethereum's precompiles for invalid input, with geth's texts and order of checks (go-ethereum
//! v1.16 `core/vm/contracts.go`). revm reports only that the precompile failed.

use crate::peer::{bls12_381_errors, bn254_errors};
use revm::{
    precompile::{
        bls12_381_const::{
            DISCOUNT_TABLE_G1_MSM, DISCOUNT_TABLE_G2_MSM, G1_MSM_BASE_GAS_FEE, G1_MSM_INPUT_LENGTH, G2_MSM_BASE_GAS_FEE,
            G2_MSM_INPUT_LENGTH, PAIRING_INPUT_LENGTH, PAIRING_MULTIPLIER_BASE, PAIRING_OFFSET_BASE,
        },
        bls12_381_utils::msm_required_gas,
    },
    primitives::{Address, Bytes, U256},
};

/// A precompile call that failed although its gas covers revm's price.
#[derive(Clone)]
pub struct RefusedInput {
    pub address: Address,
    pub input: Bytes,
    pub gas: u64,
}

impl core::fmt::Display for RefusedInput {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str(&self.message())
    }
}

impl RefusedInput {
    /// geth's error message.
    fn message(&self) -> String {
        let input = &self.input[..];
        let address = U256::from_be_slice(self.address.as_slice()).saturating_to();
        if self.gas < price(address, input) {
            return "out of gas".into();
        }
        let message = match address {
            0x05 => "one or more of base/exponent/modulus length exceeded 1024 bytes",
            0x06 => bn254_errors::points_error(&padded(input, 128)),
            0x07 => bn254_errors::points_error(&padded(input, 64)),
            0x08 if input.len() % 192 != 0 => "bad elliptic curve pairing size",
            0x08 => bn254_errors::pairs_error(input),
            0x09 if input.len() != 213 => "invalid input length",
            0x09 => "invalid final flag",
            0x0a => return bls12_381_errors::point_evaluation_error(input),
            0x0b..=0x11 => bls12_381_errors::check(address, input).err().unwrap_or(FAILED),
            _ => FAILED,
        };
        message.into()
    }
}

const FAILED: &str = "precompile failed";

/// Gas that geth charges before it checks the input length. revm checks the length first.
fn price(address: u64, input: &[u8]) -> u64 {
    let length = input.len();
    match address {
        0x05 => modexp_price(&padded(input, 128)),
        0x0c => msm_required_gas(length / G1_MSM_INPUT_LENGTH, &DISCOUNT_TABLE_G1_MSM, G1_MSM_BASE_GAS_FEE),
        0x0e => msm_required_gas(length / G2_MSM_INPUT_LENGTH, &DISCOUNT_TABLE_G2_MSM, G2_MSM_BASE_GAS_FEE),
        0x0f => (length / PAIRING_INPUT_LENGTH) as u64 * PAIRING_MULTIPLIER_BASE + PAIRING_OFFSET_BASE,
        _ => 0,
    }
}

/// Gas of a MODEXP whose lengths exceed the limit (EIP-7883). Forks without the limit fail only for unaffordable
/// lengths.
fn modexp_price(head: &[u8]) -> u64 {
    let field = |index: usize| U256::from_be_slice(&head[32 * index..32 * (index + 1)]).saturating_to::<u64>() as u128;
    let (base, exponent, modulus) = (field(0), field(1), field(2));
    let words = base.max(modulus).div_ceil(8);
    let complexity = if words <= 4 { 16 } else { words.saturating_mul(words).saturating_mul(2) };
    let iterations = exponent.saturating_sub(32).saturating_mul(16).max(1);
    complexity.saturating_mul(iterations).max(500).try_into().unwrap_or(u64::MAX)
}

/// Pads the input with zeros to `size`, or truncates it.
fn padded(input: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = input[..input.len().min(size)].to_vec();
    bytes.resize(size, 0);
    bytes
}
