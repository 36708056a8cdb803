//! Why a precompile of BN254 refuses its input (EIP-196, EIP-197), in geth's words and order (go-ethereum v1.16
//! `crypto/bn256/cloudflare/bn256.go`).

use crate::refused_bls::{Refusal, number};
use ark_bn254::{Fq, Fq2, g1, g2};
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::{PrimeField, Zero};

const MALFORMED: &str = "bn256: malformed point";
const POINT: usize = 64;
const PAIR: usize = 192;

/// Names the first refusal among points of the curve.
pub fn refusal_of_points(input: &[u8]) -> &'static str {
    input.chunks_exact(POINT).find_map(|point| check_g1(point).err()).unwrap_or(MALFORMED)
}

/// Names the first refusal in a list of pairs.
pub fn refusal_of_pairs(input: &[u8]) -> &'static str {
    let refusal = |pair: &[u8]| check_g1(&pair[..POINT]).and_then(|()| check_g2(&pair[POINT..])).err();
    input.chunks_exact(PAIR).find_map(refusal).unwrap_or(MALFORMED)
}

fn check_g1(bytes: &[u8]) -> Refusal<()> {
    check_point::<g1::Config>(coordinate(&bytes[..32])?, coordinate(&bytes[32..])?)
}

/// The imaginary part of a coordinate comes first.
fn check_g2(bytes: &[u8]) -> Refusal<()> {
    let (x1, x0) = (coordinate(&bytes[..32])?, coordinate(&bytes[32..64])?);
    let (y1, y0) = (coordinate(&bytes[64..96])?, coordinate(&bytes[96..])?);
    check_point::<g2::Config>(Fq2::new(x0, x1), Fq2::new(y0, y1))
}

/// Checks that the point is on the curve and in the group. Two zeros are the point at infinity.
fn check_point<P: SWCurveConfig>(x: P::BaseField, y: P::BaseField) -> Refusal<()> {
    let point = Affine::<P>::new_unchecked(x, y);
    let is_valid = (x.is_zero() && y.is_zero())
        || (point.is_on_curve() && point.is_in_correct_subgroup_assuming_on_curve());
    if is_valid { Ok(()) } else { Err(MALFORMED) }
}

fn coordinate(bytes: &[u8]) -> Refusal<Fq> {
    let value = number(bytes);
    let words = if value == Fq::MODULUS { "bn256: coordinate equals modulus" } else { "bn256: coordinate exceeds modulus" };
    Fq::from_bigint(value).ok_or(words)
}
