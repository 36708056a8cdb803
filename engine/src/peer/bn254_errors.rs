//! Error messages of the BN254 precompiles (EIP-196, EIP-197), with geth's texts and order of checks (go-ethereum
//! v1.16 `crypto/bn256/cloudflare/bn256.go`).

use crate::{host::wire::big_endian, peer::bls12_381_errors::Checked};
use ark_bn254::{Fq, Fq2, g1, g2};
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::{PrimeField, Zero};

const MALFORMED: &str = "bn256: malformed point";
const POINT: usize = 64;
const PAIR: usize = 192;

/// Error message for the first invalid point. Each point has 64 bytes.
pub fn points_error(input: &[u8]) -> &'static str {
    input.chunks_exact(POINT).find_map(|point| check_g1(point).err()).unwrap_or(MALFORMED)
}

/// Error message for the first invalid pair. A pair is a G1 point and a G2 point, 192 bytes.
pub fn pairs_error(input: &[u8]) -> &'static str {
    let error = |pair: &[u8]| check_g1(&pair[..POINT]).and_then(|()| check_g2(&pair[POINT..])).err();
    input.chunks_exact(PAIR).find_map(error).unwrap_or(MALFORMED)
}

fn check_g1(bytes: &[u8]) -> Checked<()> {
    check_point::<g1::Config>(coordinate(&bytes[..32])?, coordinate(&bytes[32..])?)
}

/// Checks a G2 point. The imaginary part of each coordinate comes first.
fn check_g2(bytes: &[u8]) -> Checked<()> {
    let (x1, x0) = (coordinate(&bytes[..32])?, coordinate(&bytes[32..64])?);
    let (y1, y0) = (coordinate(&bytes[64..96])?, coordinate(&bytes[96..])?);
    check_point::<g2::Config>(Fq2::new(x0, x1), Fq2::new(y0, y1))
}

/// Checks that the point is on the curve and in the subgroup. (0, 0) is the point at infinity.
fn check_point<P: SWCurveConfig>(x: P::BaseField, y: P::BaseField) -> Checked<()> {
    let point = Affine::<P>::new_unchecked(x, y);
    let is_valid = (x.is_zero() && y.is_zero())
        || (point.is_on_curve() && point.is_in_correct_subgroup_assuming_on_curve());
    if is_valid { Ok(()) } else { Err(MALFORMED) }
}

fn coordinate(bytes: &[u8]) -> Checked<Fq> {
    let value = big_endian(bytes);
    let message = if value == Fq::MODULUS { "bn256: coordinate equals modulus" } else { "bn256: coordinate exceeds modulus" };
    Fq::from_bigint(value).ok_or(message)
}
