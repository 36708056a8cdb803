//! The precompiles of BN254 (EIP-196, EIP-197) over `bn254_curve`: points as 32-byte big-endian coordinates, (0, 0) for infinity.

use crate::bn254_curve::{Bn254, Fq2, G1, G1Affine, G2Affine, fq};
use crate::bn254_field::Fq;
use ark_bn254::{Fr, g1::Config as GlvParameters};
use ark_ec::{
    AffineRepr, CurveGroup,
    pairing::Pairing,
    scalar_mul::glv::GLVConfig,
    short_weierstrass::{Affine, SWCurveConfig},
};
use ark_ff::{AdditiveGroup, BigInt, BigInteger, Field, PrimeField, Zero};
use revm::precompile::PrecompileHalt;

/// Bits of a digit of a scalar: tables of 8 odd multiples.
const WINDOW: usize = 5;

pub fn add(a: &[u8], b: &[u8]) -> Result<[u8; 64], PrecompileHalt> {
    Ok(encode((G1::from(g1(a)?) + g1(b)?).into_affine()))
}

pub fn multiply(point: &[u8], scalar: &[u8]) -> Result<[u8; 64], PrecompileHalt> {
    Ok(encode(times(g1(point)?, Fr::from_be_bytes_mod_order(scalar)).into_affine()))
}

/// Whether the product of the pairings is one. A pair with infinity is one.
pub fn pairing_is_one(pairs: &[(&[u8], &[u8])]) -> Result<bool, PrecompileHalt> {
    let points = pairs.iter().map(|(a, b)| Ok((g1(a)?, g2(b)?))).collect::<Result<Vec<_>, _>>()?;
    let (left, right): (Vec<_>, Vec<_>) = points.into_iter().filter(|(a, b)| !a.is_zero() && !b.is_zero()).unzip();
    Ok(left.is_empty() || Bn254::multi_pairing(left, right).0 == Field::ONE)
}

/// Splits the scalar in two of half the length, one for the point and one for its image under the curve's endomorphism, which
/// share their doublings.
fn times(point: G1Affine, scalar: Fr) -> G1 {
    let ((is_first_positive, first), (is_second_positive, second)) = GlvParameters::scalar_decomposition(scalar);
    let multiples = odd_multiples(if is_first_positive { point } else { -point });
    let beta = fq(GlvParameters::ENDO_COEFFS[0]);
    let images = multiples.map(|multiple| {
        let image = G1 { x: multiple.x * beta, ..multiple };
        if is_first_positive == is_second_positive { image } else { -image }
    });
    let [first, second] = [first, second].map(|part| part.into_bigint().find_wnaf(WINDOW).unwrap_or_default());
    let mut sum = G1::zero();
    for index in (0..first.len().max(second.len())).rev() {
        sum.double_in_place();
        for (digits, table) in [(&first, &multiples), (&second, &images)] {
            match digits.get(index) {
                Some(&digit) if digit > 0 => sum += table[digit as usize / 2],
                Some(&digit) if digit < 0 => sum -= table[digit.unsigned_abs() as usize / 2],
                _ => {}
            }
        }
    }
    sum
}

/// 1, 3, 5 ... times the point.
fn odd_multiples(point: G1Affine) -> [G1; 1 << (WINDOW - 2)] {
    let point = G1::from(point);
    let twice = point.double();
    let mut all = [point; 1 << (WINDOW - 2)];
    for index in 1..all.len() {
        all[index] = all[index - 1] + twice;
    }
    all
}

fn g1(bytes: &[u8]) -> Result<G1Affine, PrecompileHalt> {
    let (x, y) = (element(&bytes[..32])?, element(&bytes[32..64])?);
    checked(x, y)
}

/// The imaginary part comes first.
fn g2(bytes: &[u8]) -> Result<G2Affine, PrecompileHalt> {
    let [x1, x0, y1, y0] = [0, 32, 64, 96].map(|at| element(&bytes[at..at + 32]));
    checked(Fq2::new(x0?, x1?), Fq2::new(y0?, y1?))
}

/// On the curve, and in the group.
fn checked<P: SWCurveConfig>(x: P::BaseField, y: P::BaseField) -> Result<Affine<P>, PrecompileHalt> {
    if x.is_zero() && y.is_zero() {
        return Ok(Affine::identity());
    }
    let point = Affine::new_unchecked(x, y);
    let is_valid = point.is_on_curve() && point.is_in_correct_subgroup_assuming_on_curve();
    if is_valid { Ok(point) } else { Err(PrecompileHalt::Bn254AffineGFailedToCreate) }
}

fn element(bytes: &[u8]) -> Result<Fq, PrecompileHalt> {
    let mut limbs = [0; 4];
    for (limb, chunk) in limbs.iter_mut().rev().zip(bytes.chunks_exact(8)) {
        *limb = u64::from_be_bytes(chunk.try_into().expect("8 bytes"));
    }
    Fq::from_bigint(BigInt(limbs)).ok_or(PrecompileHalt::Bn254FieldPointNotAMember)
}

fn encode(point: G1Affine) -> [u8; 64] {
    let mut out = [0; 64];
    if let Some((x, y)) = point.xy() {
        let limbs = [y, x].into_iter().flat_map(|coordinate| coordinate.into_bigint().0);
        for (chunk, limb) in out.rchunks_exact_mut(8).zip(limbs) {
            chunk.copy_from_slice(&limb.to_be_bytes());
        }
    }
    out
}
