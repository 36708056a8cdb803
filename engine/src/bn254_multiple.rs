//! A multiple of a point of BN254's G1. The curve's endomorphism (x, y) -> (beta x, y) multiplies by lambda, so a scalar is split
//! into k1 + lambda k2 of half the length (Gallant, Lambert and Vanstone), which share their doublings.

use crate::{
    bn254_curve::{G1, G1Affine, fq},
    bn254_number::Number,
};
use ark_bn254::g1::Config as Parameters;
use ark_ec::{AffineRepr, scalar_mul::glv::GLVConfig};
use ark_ff::{AdditiveGroup, PrimeField};
use revm::primitives::{U256, ruint::aliases::U512};

/// Bits of a digit: odd, or zero and then with zeros after it.
const WINDOW: u32 = 5;
/// Odd multiples that digits name.
const TABLE: usize = 1 << (WINDOW - 2);
/// Places of a number of 126 bits, and of a carry.
const PLACES: usize = 128;

/// The shortest vectors of the lattice of all (i, j) with i + j lambda = 0 modulo the order: (-A, B) and (-B, -C).
const A: u128 = coefficient(0);
const B: u128 = coefficient(1);
const C: u128 = coefficient(3);

/// On the curve, or on the isomorphic one where coordinates are these times u^2 and u^3: neither formula below knows the curve's
/// constant.
#[derive(Clone, Copy)]
struct Point {
    x: Number,
    y: Number,
}

/// (x / z^2, y / z^3), never infinity. After a doubling x is between -9p and 3p, and so it is after an addition.
struct Jacobian {
    x: Number,
    y: Number,
    z: Number,
}

/// No sum below is of a point and itself or its negative, which the formula could not tell. In a table, odd multiples meet twice
/// the point. Later the sum is i + j lambda times the point, where i or j is even and meets an odd digit: were the two points
/// the same or opposite, (i, j) and the digit would differ by a vector of the lattice. It would not be zero, but shorter than
/// the shortest, which is as long as A, where i and j are at most half as large.
pub fn multiple(point: &G1Affine, scalar: U256) -> G1 {
    let parts = split(scalar);
    let Some((x, y)) = point.xy() else { return G1::ZERO };
    let (table, z) = odd_multiples(Point { x: Number::from_element(x), y: Number::from_element(y) });
    let beta = Number::from_element(fq(Parameters::ENDO_COEFFS[0]));
    let images = table.map(|entry| Point { x: entry.x.times(&beta), ..entry });
    let digits = parts.map(digits);
    let mut sum: Option<Jacobian> = None;
    for place in (0..PLACES).rev() {
        if let Some(sum) = &mut sum {
            sum.double();
        }
        for (digits, table) in digits.iter().zip([&table, &images]) {
            let digit = digits[place];
            if digit == 0 {
                continue;
            }
            let Point { x, y } = &table[digit.unsigned_abs() as usize / 2];
            let y = if digit < 0 { -*y } else { *y };
            match &mut sum {
                Some(sum) => drop(sum.add(x, &y)),
                None => sum = Some(Jacobian { x: *x, y, z: Number::ONE }),
            }
        }
    }
    sum.map_or(G1::ZERO, |sum| G1 { x: sum.x.to_element(), y: sum.y.to_element(), z: sum.z.times(&z).to_element() })
}

impl Jacobian {
    fn double(&mut self) {
        let slope = self.x.square::<3>();
        let twice_y2 = self.y.square::<2>();
        let half_d = self.x.times(&twice_y2);
        self.z = self.z.times(&(self.y + self.y));
        self.x = (slope.square::<1>() - half_d * 4).carried();
        self.y = slope.times_plus_square::<-2>(&(half_d * 2 - self.x), &twice_y2);
    }

    /// Adds a point with the z 1; what z was multiplied by.
    fn add(&mut self, x: &Number, y: &Number) -> Number {
        let z2 = self.z.square::<1>();
        let h = x.times(&z2) - self.x;
        let slope = y.times(&self.z.times(&z2)) - self.y;
        let h2 = h.square::<1>();
        let h3 = h.times(&h2);
        let v = self.x.times(&h2);
        self.z = self.z.times(&h);
        self.x = (slope.square::<1>() - h3 - v * 2).carried();
        self.y = slope.times_plus(&(v - self.x), &-self.y, &h3);
        h
    }
}

/// 1, 3, 5 ... times the point on an isomorphic curve where each has the z 1, and that curve's u. First the curve on which twice
/// the point has the z 1, then the one on which the last multiple has it.
fn odd_multiples(point: Point) -> ([Point; TABLE], Number) {
    let mut twice = Jacobian { x: point.x, y: point.y, z: Number::ONE };
    twice.double();
    let first = scaled(&point, &twice.z);
    let mut last = Jacobian { x: first.x, y: first.y, z: Number::ONE };
    let mut table = [first; TABLE];
    let mut factors = [Number::ONE; TABLE];
    for index in 1..TABLE {
        factors[index] = last.add(&twice.x, &twice.y);
        table[index] = Point { x: last.x, y: last.y };
    }
    let mut factor = Number::ONE;
    for index in (1..TABLE).rev() {
        factor = factor.times(&factors[index]);
        table[index - 1] = scaled(&table[index - 1], &factor);
    }
    (table, last.z.times(&twice.z))
}

/// The point on the isomorphic curve with u.
fn scaled(point: &Point, u: &Number) -> Point {
    let u2 = u.square::<1>();
    Point { x: point.x.times(&u2), y: point.y.times(&u.times(&u2)) }
}

/// k1 and k2 of at most 126 bits and a sign: the scalar less the vector of the lattice that is nearest to (scalar, 0). What is
/// so short can be calculated modulo 2^128.
fn split(scalar: U256) -> [i128; 2] {
    let order = U512::from(U256::from_limbs(ark_bn254::Fr::MODULUS.0));
    let [first, second] = [C, B].map(|coefficient| {
        let quotient: U512 = (scalar.widening_mul(U256::from(coefficient)) + (order >> 1)) / order;
        quotient.wrapping_to::<u128>()
    });
    let scalar: u128 = scalar.wrapping_to();
    let left = scalar.wrapping_sub(first.wrapping_mul(A)).wrapping_sub(second.wrapping_mul(B));
    [left as i128, first.wrapping_mul(B).wrapping_sub(second.wrapping_mul(C)) as i128]
}

/// Digits of a number, the lowest first: zero, or odd and less than 2^(WINDOW - 1) in size; WINDOW - 1 zeros follow one.
fn digits(number: i128) -> [i8; PLACES] {
    let mut all = [0; PLACES];
    let mut left = number;
    let mut place = 0;
    while left != 0 {
        let zeros = left.trailing_zeros();
        left >>= zeros;
        place += zeros as usize;
        let digit = (left as i8) << (8 - WINDOW) >> (8 - WINDOW);
        all[place] = digit;
        left -= digit as i128;
    }
    all
}

const fn coefficient(index: usize) -> u128 {
    let [low, high, ..] = Parameters::SCALAR_DECOMP_COEFFS[index].1.0;
    low as u128 | (high as u128) << 64
}
