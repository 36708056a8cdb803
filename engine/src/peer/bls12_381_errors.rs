//! Error messages of the BLS12-381 precompiles (EIP-2537, EIP-4844), with geth's texts and order of checks
//! (go-ethereum v1.16 `core/vm/contracts.go`; go-eth-kzg v1.3 `verify.go`; gnark-crypto v0.18
//! `ecc/bls12-381/marshal.go`).

use crate::host::wire::big_endian;
use ark_bls12_381::{Fq, Fq2, Fr, G1Affine, g1, g2};
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::{Field, PrimeField, Zero};
use revm::precompile::kzg_point_evaluation::kzg_to_versioned_hash;

/// A valid value, or geth's error message.
pub type Checked<T> = Result<T, &'static str>;

const LENGTH: &str = "invalid input length";
const ENCODING: &str = "invalid fp.Element encoding";

/// Checks the input of a precompile at `0x0b` to `0x11`.
pub fn check(address: u64, input: &[u8]) -> Checked<()> {
    match address {
        0x0b => check_parts(input, 256, false, |part| g1(&part[..128]).and(g1(&part[128..])).map(drop)),
        0x0c => check_parts(input, 160, true, g1_in_group),
        0x0d => check_parts(input, 512, false, |part| g2(&part[..256]).and(g2(&part[256..])).map(drop)),
        0x0e => check_parts(input, 288, true, g2_in_group),
        0x0f => check_parts(input, 384, true, |part| {
            let (left, right) = (g1(&part[..128])?, g2(&part[128..])?);
            in_group(&left, "g1 point is not on correct subgroup")?;
            in_group(&right, "g2 point is not on correct subgroup")
        }),
        0x10 => check_parts(input, 64, false, |part| element(part).map(drop)),
        _ => check_parts(input, 128, false, |part| fq2(part).map(drop)),
    }
}

/// Checks each part of an input. The input is one part of `size` bytes, or a non-empty list of parts.
fn check_parts(input: &[u8], size: usize, is_list: bool, check: impl FnMut(&[u8]) -> Checked<()>) -> Checked<()> {
    let fits = if is_list { !input.is_empty() && input.len() % size == 0 } else { input.len() == size };
    if fits { input.chunks_exact(size).try_for_each(check) } else { Err(LENGTH) }
}

fn g1_in_group(part: &[u8]) -> Checked<()> {
    in_group(&g1(&part[..128])?, "g1 point is not on correct subgroup")
}

fn g2_in_group(part: &[u8]) -> Checked<()> {
    in_group(&g2(&part[..256])?, "g2 point is not on correct subgroup")
}

fn in_group<P: SWCurveConfig>(point: &Affine<P>, error: &'static str) -> Checked<()> {
    if point.is_in_correct_subgroup_assuming_on_curve() { Ok(()) } else { Err(error) }
}

fn g1(bytes: &[u8]) -> Checked<G1Affine> {
    on_curve::<g1::Config>(element(bytes)?, element(&bytes[64..])?)
}

fn g2(bytes: &[u8]) -> Checked<Affine<g2::Config>> {
    on_curve(fq2(bytes)?, fq2(&bytes[128..])?)
}

/// Makes a point and checks that it is on the curve. (0, 0) is the point at infinity.
fn on_curve<P: SWCurveConfig>(x: P::BaseField, y: P::BaseField) -> Checked<Affine<P>> {
    if x.is_zero() && y.is_zero() {
        return Ok(Affine::identity());
    }
    let point = Affine::new_unchecked(x, y);
    if point.is_on_curve() { Ok(point) } else { Err("invalid point: not on curve") }
}

fn fq2(bytes: &[u8]) -> Checked<Fq2> {
    Ok(Fq2::new(element(bytes)?, element(&bytes[64..])?))
}

/// Decodes a field element from the first 64 bytes.
fn element(bytes: &[u8]) -> Checked<Fq> {
    if bytes[..16].iter().any(|byte| *byte != 0) {
        return Err("invalid field element top bytes");
    }
    Fq::from_bigint(big_endian(&bytes[16..64])).ok_or(ENCODING)
}

/// Error message of a failed KZG point evaluation (`0x0a`). Input: versioned hash, point, claim, commitment, proof.
/// If all parts are well-formed, the proof is wrong.
pub fn point_evaluation_error(input: &[u8]) -> String {
    let Some(commitment) = input.get(96..144).filter(|_| input.len() == 192) else { return LENGTH.into() };
    if kzg_to_versioned_hash(commitment) != input[..32] {
        return "mismatched versioned hash".into();
    }
    let found = check_scalar(&input[64..96])
        .and_then(|()| check_scalar(&input[32..64]))
        .and_then(|()| check_compressed(commitment))
        .and_then(|()| check_compressed(&input[144..]));
    format!("error verifying kzg proof: {}", found.err().unwrap_or("can't verify opening proof"))
}

/// Checks that a scalar is below the group order.
fn check_scalar(bytes: &[u8]) -> Checked<()> {
    let canonical = Fr::from_bigint(big_endian(bytes)).is_some();
    if canonical { Ok(()) } else { Err("scalar is not canonical when interpreted as a big integer in big-endian") }
}

/// Checks a compressed G1 point of 48 bytes. Its three highest bits are flags of the encoding.
fn check_compressed(bytes: &[u8]) -> Checked<()> {
    let mut x = [0; 48];
    x.copy_from_slice(bytes);
    x[0] &= 0x1f;
    match bytes[0] >> 5 {
        0b001 | 0b011 | 0b111 => return Err("invalid point encoding"),
        0b000 | 0b010 => return Err("short buffer"),
        0b110 if x == [0; 48] => return Ok(()),
        0b110 => return Err("invalid infinity point encoding"),
        _ => {}
    }
    let x = Fq::from_bigint(big_endian(&x)).ok_or(ENCODING)?;
    let y = (x.square() * x + g1::Config::COEFF_B).sqrt();
    let point = G1Affine::new_unchecked(x, y.ok_or("invalid compressed coordinate: square root doesn't exist")?);
    in_group(&point, "invalid point: subgroup check failed")
}
