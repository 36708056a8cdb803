//! The engine's arithmetic of BN254 (`../../src/bn254_*.rs`), compiled for this machine with overflow checks, against arkworks'
//! own: sums, multiples, products and inverses. `cargo run --release --locked -- INPUTS SEED` ends with 1 at the first difference.

// The engine uses more of these files than a comparison does.
#![allow(dead_code)]

#[path = "../../src/bn254_columns.rs"]
mod bn254_columns;
#[path = "../../src/bn254_curve.rs"]
mod bn254_curve;
#[path = "../../src/bn254_field.rs"]
mod bn254_field;
#[path = "../../src/bn254_inverse.rs"]
mod bn254_inverse;
#[path = "../../src/bn254_multiple.rs"]
mod bn254_multiple;
#[path = "../../src/bn254_number.rs"]
mod bn254_number;

use ark_bn254::{Fq, Fr, G1Affine, G1Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{Field, PrimeField, Zero};
use revm::primitives::U256;

/// Inputs of one walk: the next point costs arkworks one addition.
const WALK: usize = 500;

/// Xorshift (Marsaglia), so that a seed gives the same inputs everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn word(&mut self) -> U256 {
        U256::from_limbs([self.next(), self.next(), self.next(), self.next()])
    }

    /// Scalars near the ends of what the engine tells apart, and any others.
    fn scalar(&mut self) -> U256 {
        let any = self.word();
        let small = U256::from(self.next() % 1_000);
        let order = U256::from_limbs(Fr::MODULUS.0);
        match self.next() % 8 {
            0 => small,
            1 => U256::MAX - small,
            2 => order * U256::from(self.next() % 5) + small,
            3 => order * U256::from(1 + self.next() % 5) - small,
            4 => any >> 128,
            5 => U256::ONE << (self.next() % 256) as usize,
            _ => any,
        }
    }
}

fn reduced(scalar: U256) -> Fr {
    Fr::from_le_bytes_mod_order(&scalar.to_le_bytes::<32>())
}

fn ours(point: &G1Affine) -> bn254_curve::G1Affine {
    point.xy().map_or(bn254_curve::G1Affine::zero(), |(x, y)| {
        bn254_curve::G1Affine::new_unchecked(bn254_curve::fq(x), bn254_curve::fq(y))
    })
}

fn is_same(point: bn254_curve::G1Affine, expected: &G1Affine) -> bool {
    match (point.xy(), expected.xy()) {
        (None, None) => true,
        (Some((x, y)), Some((a, b))) => x.0 == a.0 && y.0 == b.0,
        _ => false,
    }
}

fn end(what: &str, seed: u64, inputs: &str) -> ! {
    println!("seed {seed}: {what} differs: {inputs}");
    std::process::exit(1);
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a number"));
    let inputs = arguments.next().unwrap_or(10_000_000);
    let seed = arguments.next().unwrap_or(1).max(1);
    let mut random = Random(seed);
    let mut done = 0;
    while done < inputs {
        let base = (G1Affine::generator() * reduced(random.scalar())).into_affine();
        let (first, step) = (random.scalar(), random.word() >> 16);
        let stride = (base * reduced(step)).into_affine();
        let mut points = Vec::with_capacity(WALK);
        let mut scalars = Vec::with_capacity(WALK);
        let mut scalar = Some(first);
        let mut point: G1Projective = base * reduced(first);
        while let Some(by) = scalar
            && points.len() < WALK
        {
            points.push(point);
            scalars.push(by);
            point += stride;
            scalar = by.checked_add(step);
        }
        let points = G1Projective::normalize_batch(&points);
        let [engine_base, engine_stride] = [base, stride].map(|point| ours(&point));
        for (index, (expected, by)) in points.iter().zip(&scalars).enumerate() {
            if !is_same(bn254_multiple::multiple(&engine_base, *by).into_affine(), expected) {
                end("a multiple", seed, &format!("{base} by {by}"));
            }
            if let Some(next) = points.get(index + 1)
                && !is_same((bn254_curve::G1::from(ours(expected)) + engine_stride).into_affine(), next)
            {
                end("a sum", seed, &format!("{expected} and {stride}"));
            }
            compare_elements(expected, seed);
            done += 1;
        }
    }
    println!("{done} inputs, none different (seed {seed})");
}

/// Product and inverse of the coordinates.
fn compare_elements(point: &G1Affine, seed: u64) {
    let Some((x, y)) = point.xy() else { return };
    let [a, b] = [x, y].map(bn254_curve::fq);
    if (a * b).0 != (x * y).0 {
        end("a product", seed, &format!("{x} and {y}"));
    }
    let inverse = if y.is_zero() { Fq::zero() } else { y.inverse().expect("not zero") };
    if b.inverse().map_or([0; 4], |value| value.0.0) != inverse.0.0 {
        end("an inverse", seed, &format!("{y}"));
    }
}
