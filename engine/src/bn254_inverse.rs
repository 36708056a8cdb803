//! The inverse modulo the prime of BN254, by the division steps of Bernstein and Yang (eprint 2019/266): the greatest common
//! divisor of p and a from their lowest bits, 29 steps at a time. These need the lowest limbs only and make a matrix, which is
//! then applied to the whole numbers.

use crate::{
    bn254_columns::{BITS, LIMBS, Limbs, MASK, P, PRIME, multiple, split},
    bn254_number::Number,
};

/// `factor` / a modulo p, for a from 1 to p - 1.
pub fn inverse(a: &[u64; 4], factor: &[u64; 4]) -> [u64; 4] {
    let (mut f, mut g) = (split(&PRIME.0), split(a));
    // f and g are these many times a / factor, modulo p. A matrix lets them grow by p, and there are at most 26 (section 11).
    let (mut d, mut e) = ([0; LIMBS], split(factor));
    let mut delta = 1;
    while g != [0; LIMBS] {
        let [u, v, q, r] = divide(&mut delta, f[0], g[0]);
        (f, g) = (combine(u, &f, v, &g), combine(q, &f, r, &g));
        (d, e) = (combine(u, &d, v, &e), combine(q, &d, r, &e));
    }
    // f is the divisor that a prime has in common with anything smaller, up to its sign.
    let is_negative = f[LIMBS - 1] < 0;
    let inverse = if is_negative { -Number(d) } else { Number(d) };
    inverse.residue()
}

/// 29 steps on numbers of which the lowest 29 bits matter, f odd: what they do to both, times 2^29.
fn divide(delta: &mut i64, mut f: i64, mut g: i64) -> [i64; 4] {
    let [mut u, mut v, mut q, mut r] = [1, 0, 0, 1];
    let mut left = BITS;
    loop {
        let zeros = (g | -1 << left).trailing_zeros();
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        *delta += i64::from(zeros);
        left -= zeros;
        if left == 0 {
            return [u, v, q, r];
        }
        if *delta > 0 {
            *delta = -*delta;
            (f, g) = (g, -f);
            (u, v, q, r) = (q, r, -u, -v);
        }
        g += f;
        q += u;
        r += v;
    }
}

/// (u a + v b) / 2^29 modulo p. Where the lowest 29 bits are zero already, as of f and g, nothing of p is added.
#[inline(always)]
fn combine(u: i64, a: &Limbs, v: i64, b: &Limbs) -> Limbs {
    let lowest = u * a[0] + v * b[0];
    let multiple = multiple(lowest);
    let mut carry = (lowest + multiple * P[0]) >> BITS;
    let mut all = [0; LIMBS];
    for index in 1..LIMBS {
        carry += u * a[index] + v * b[index] + multiple * P[index];
        all[index - 1] = carry & MASK;
        carry >>= BITS;
    }
    all[LIMBS - 1] = carry;
    all
}
