//! Numbers modulo the prime of BN254 for long chains of products and sums: nine signed limbs of 29 bits in Montgomery form
//! with R = 2^261. The 7 bits above the prime and the sign let sums and differences be taken limb by limb, without carries
//! and without comparing with the prime.
//!
//! Two bounds keep that right, both of them for the formulas of `bn254_multiple`.
//!
//! Limbs. What a reduction or `carried` leaves has limbs from 0 to 2^29, up to some units, the last one short and with the
//! number's sign. A difference of two of these has such limbs of either sign. The products of one reduction add up to at most 3
//! times what two of these make. A column then has at most 3 * 8 * 2^58 of products beside 7 * 2^58 of the reduction, or one
//! product less and two of the reduction more: below 2^63, as everything on the way of Karatsuba's rule is.
//!
//! Values. p^2 / 2^261 is p / 169, and the reduction adds from 0 to 2p: products that add up to n p^2, n from a negative a to a
//! positive b, come out between a p / 169 and (2 + b / 169) p.

use crate::{
    bn254_columns::{BITS, Columns, LIMBS, Limbs, MASK, P, add_product, add_square, clear, clear_by_prime, split, subtract_prime},
    bn254_field::{Fq, FqConfig},
};
use ark_ff::{BigInt, MontConfig};
use core::ops::{Add, Mul, Neg, Sub};

#[derive(Clone, Copy)]
pub struct Number(pub Limbs);

/// From a 2^256 to a 2^261, and back: a product loses 2^261.
const FROM_ELEMENT: Number = Number(split(&Fq::new(BigInt([1 << 10, 0, 0, 0])).0.0));
const TO_ELEMENT: Number = Number(split(&FqConfig::R.0));

impl Number {
    /// 2^261.
    pub const ONE: Number = Number(split(&Fq::new(BigInt([1 << 5, 0, 0, 0])).0.0));

    pub fn from_element(element: Fq) -> Number {
        Number(split(&element.0.0)).times(&FROM_ELEMENT)
    }

    /// Of a number of up to 32 p in size.
    pub fn to_element(self) -> Fq {
        Fq::new_unchecked(BigInt(self.times(&TO_ELEMENT).canonical()))
    }

    /// The limbs' own value modulo p, when it is up to 32 p in size.
    pub fn residue(self) -> [u64; 4] {
        self.times(&Self::ONE).canonical()
    }

    #[inline(never)]
    pub fn times(&self, other: &Number) -> Number {
        let mut columns = [0; 2 * LIMBS];
        add_product(&mut columns, &self.0, &other.0);
        reduce(columns)
    }

    /// `FACTOR` times the square.
    #[inline(never)]
    pub fn square<const FACTOR: i64>(&self) -> Number {
        let mut columns = [0; 2 * LIMBS];
        add_square::<FACTOR>(&mut columns, &self.0);
        reduce(columns)
    }

    /// `self` * `other` + a * b, with one reduction.
    #[inline(never)]
    pub fn times_plus(&self, other: &Number, a: &Number, b: &Number) -> Number {
        let mut columns = [0; 2 * LIMBS];
        add_product(&mut columns, &self.0, &other.0);
        add_product(&mut columns, &a.0, &b.0);
        reduce(columns)
    }

    /// `self` * `other` + `FACTOR` * a^2, with one reduction.
    #[inline(never)]
    pub fn times_plus_square<const FACTOR: i64>(&self, other: &Number, a: &Number) -> Number {
        let mut columns = [0; 2 * LIMBS];
        add_product(&mut columns, &self.0, &other.0);
        add_square::<FACTOR>(&mut columns, &a.0);
        reduce(columns)
    }

    /// The same number with limbs as after a reduction: each gives what it has too much to the next, all at once. A limb keeps
    /// what it is given, even where that takes it out of its 29 bits.
    #[inline(always)]
    pub fn carried(self) -> Number {
        let mut limbs = self.0;
        for index in 0..LIMBS - 1 {
            let excess = self.0[index] >> BITS;
            limbs[index] -= excess << BITS;
            limbs[index + 1] += excess;
        }
        Number(limbs)
    }

    /// The number from 0 to p - 1, of one between -p and 3p.
    fn canonical(self) -> [u64; 4] {
        let mut limbs = [0; LIMBS];
        let mut carry = 0;
        for index in 0..LIMBS {
            carry += self.0[index] + P[index];
            limbs[index] = (carry & MASK) as u64;
            carry >>= BITS;
        }
        let [a, b, c, d, e, f, g, h, i] = limbs;
        let joined = [a | b << 29 | c << 58, c >> 6 | d << 23 | e << 52, e >> 12 | f << 17 | g << 46, g >> 18 | h << 11 | i << 40];
        subtract_prime(subtract_prime(subtract_prime(joined)))
    }
}

impl Add for Number {
    type Output = Number;
    #[inline(always)]
    fn add(self, other: Number) -> Number {
        Number(core::array::from_fn(|index| self.0[index] + other.0[index]))
    }
}

impl Sub for Number {
    type Output = Number;
    #[inline(always)]
    fn sub(self, other: Number) -> Number {
        Number(core::array::from_fn(|index| self.0[index] - other.0[index]))
    }
}

impl Neg for Number {
    type Output = Number;
    #[inline(always)]
    fn neg(self) -> Number {
        Number(self.0.map(|limb| -limb))
    }
}

impl Mul<i64> for Number {
    type Output = Number;
    #[inline(always)]
    fn mul(self, factor: i64) -> Number {
        Number(self.0.map(|limb| limb * factor))
    }
}

/// Adds multiples of p until the lowest 261 bits are zero, and drops those.
#[inline(always)]
fn reduce(mut columns: Columns) -> Number {
    clear(&mut columns, LIMBS - 1);
    clear_by_prime(&mut columns, LIMBS - 1, MASK);
    columns[LIMBS] += columns[LIMBS - 1] >> BITS;
    for i in LIMBS..2 * LIMBS - 1 {
        columns[i + 1] += columns[i] >> BITS;
        columns[i] &= MASK;
    }
    Number(core::array::from_fn(|i| columns[LIMBS + i]))
}
