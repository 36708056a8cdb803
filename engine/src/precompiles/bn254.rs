//! ecMul (EIP-196) with arkworks' scalar multiplication, which uses the endomorphism of the curve. revm's version
//! doubles and adds over all bits of the scalar; ecMul would be the slowest precompile per gas by far.

use crate::host::wire::big_endian;
use ark_bn254::{Fq, Fr, G1Affine};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{BigInteger, PrimeField, Zero};
use revm::precompile::PrecompileHalt;

/// Multiplies a point of 64 bytes by a scalar of 32 bytes.
pub fn multiply(point: &[u8], scalar: &[u8]) -> Result<[u8; 64], PrecompileHalt> {
    let product = decode(point)?.into_group() * Fr::from_be_bytes_mod_order(scalar);
    Ok(encode(product.into_affine()))
}

/// Decodes a point. (0, 0) is the point at infinity.
fn decode(bytes: &[u8]) -> Result<G1Affine, PrecompileHalt> {
    let coordinate = |bytes| Fq::from_bigint(big_endian(bytes)).ok_or(PrecompileHalt::Bn254FieldPointNotAMember);
    let (x, y) = (coordinate(&bytes[..32])?, coordinate(&bytes[32..64])?);
    if x.is_zero() && y.is_zero() {
        return Ok(G1Affine::identity());
    }
    let point = G1Affine::new_unchecked(x, y);
    if point.is_on_curve() { Ok(point) } else { Err(PrecompileHalt::Bn254AffineGFailedToCreate) }
}

fn encode(point: G1Affine) -> [u8; 64] {
    let mut bytes = [0; 64];
    if let Some((x, y)) = point.xy() {
        bytes[..32].copy_from_slice(&x.into_bigint().to_bytes_be());
        bytes[32..].copy_from_slice(&y.into_bigint().to_bytes_be());
    }
    bytes
}
