//! The precompiles of BN254 (EIP-196, EIP-197) over `bn254_curve`: points as 32-byte big-endian coordinates, (0, 0) for infinity.

use crate::bn254_curve::{Bn254, Fq2, G1, G1Affine, G2Affine};
use crate::bn254_field::Fq;
use crate::bn254_multiple::multiple;
use ark_ec::{
    AffineRepr, CurveGroup,
    pairing::Pairing,
    short_weierstrass::{Affine, SWCurveConfig},
};
use ark_ff::{BigInt, Field, PrimeField, Zero};
use revm::{precompile::PrecompileHalt, primitives::U256};

pub fn add(a: &[u8], b: &[u8]) -> Result<[u8; 64], PrecompileHalt> {
    Ok(encode((G1::from(g1(a)?) + g1(b)?).into_affine()))
}

pub fn multiply(point: &[u8], scalar: &[u8]) -> Result<[u8; 64], PrecompileHalt> {
    Ok(encode(multiple(&g1(point)?, U256::from_be_slice(scalar)).into_affine()))
}

/// Whether the product of the pairings is one. A pair with infinity is one.
pub fn pairing_is_one(pairs: &[(&[u8], &[u8])]) -> Result<bool, PrecompileHalt> {
    let points = pairs.iter().map(|(a, b)| Ok((g1(a)?, g2(b)?))).collect::<Result<Vec<_>, _>>()?;
    let (left, right): (Vec<_>, Vec<_>) = points.into_iter().filter(|(a, b)| !a.is_zero() && !b.is_zero()).unzip();
    Ok(left.is_empty() || Bn254::multi_pairing(left, right).0 == Field::ONE)
}

/// Why points of the curve are refused, in geth's words.
pub fn refusal_of_points(input: &[u8]) -> &'static str {
    input.chunks_exact(64).find_map(|point| words(point, g1(point).err())).unwrap_or(MALFORMED)
}

/// Why a list of pairs is refused.
pub fn refusal_of_pairs(input: &[u8]) -> &'static str {
    let refusal = |pair: &[u8]| {
        let (left, right) = pair.split_at(64);
        words(left, g1(left).err()).or_else(|| words(right, g2(right).err()))
    };
    input.chunks_exact(192).find_map(refusal).unwrap_or(MALFORMED)
}

const MALFORMED: &str = "bn256: malformed point";

fn words(coordinates: &[u8], refused: Option<PrecompileHalt>) -> Option<&'static str> {
    refused?;
    let modulus: [u8; 32] = U256::from_limbs(Fq::MODULUS.0).to_be_bytes();
    let wrong = coordinates.chunks_exact(32).find(|coordinate| **coordinate >= modulus[..]);
    Some(match wrong {
        None => MALFORMED,
        Some(coordinate) if *coordinate == modulus[..] => "bn256: coordinate equals modulus",
        Some(_) => "bn256: coordinate exceeds modulus",
    })
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
