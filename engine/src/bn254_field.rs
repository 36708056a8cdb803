//! Multiplication modulo the prime of BN254 for a machine whose widest product has 64 bits. WebAssembly has no 64 x 64 -> 128,
//! and a call for each of those is most of what a multiplication over 64-bit limbs costs. Nine limbs of 29 bits leave room in
//! 64 bits for the sums of all products of a column, so that nothing carries before the end.
//!
//! Elements stay as arkworks has them: four limbs of 64 bits in Montgomery form with R = 2^256. Eight steps of the reduction
//! remove 29 bits each, the ninth 24.

use ark_ff::{BigInt, Fp256, MontBackend, MontConfig};

pub type Fq = Fp256<MontBackend<FqConfig, 4>>;

const LIMBS: usize = 9;
const BITS: u32 = 29;
const MASK: u64 = (1 << BITS) - 1;
/// What the last step removes: 256 = 8 * 29 + 24.
const LAST_BITS: u32 = 24;
const LAST_MASK: u64 = (1 << LAST_BITS) - 1;

const MODULUS: BigInt<4> = <ark_bn254::FqConfig as MontConfig<4>>::MODULUS;
const P: [u64; LIMBS] = split(&MODULUS.0);
/// -1 / p modulo 2^29.
const INVERSE: u64 = <ark_bn254::FqConfig as MontConfig<4>>::INV & MASK;

/// A sum of products before its reduction, by columns of 29 bits. A column has at most 9 products of 58 bits for each product
/// of two elements, and 9 more of the reduction: three products of elements fit.
type Columns = [u64; 2 * LIMBS];
const PRODUCTS: usize = 3;

pub struct FqConfig;

impl MontConfig<4> for FqConfig {
    const MODULUS: BigInt<4> = MODULUS;
    const GENERATOR: Fq = Fq::new_unchecked(<ark_bn254::FqConfig as MontConfig<4>>::GENERATOR.0);
    const TWO_ADIC_ROOT_OF_UNITY: Fq = Fq::new_unchecked(<ark_bn254::FqConfig as MontConfig<4>>::TWO_ADIC_ROOT_OF_UNITY.0);

    #[inline(always)]
    fn mul_assign(a: &mut Fq, b: &Fq) {
        a.0 = BigInt(multiply(&a.0.0, &b.0.0));
    }

    #[inline(always)]
    fn square_in_place(a: &mut Fq) {
        a.0 = BigInt(square(&a.0.0));
    }

    fn sum_of_products<const M: usize>(a: &[Fq; M], b: &[Fq; M]) -> Fq {
        let mut chunks = a.chunks(PRODUCTS).zip(b.chunks(PRODUCTS)).map(|(a, b)| {
            let mut columns = [0; 2 * LIMBS];
            for (a, b) in a.iter().zip(b) {
                accumulate(&mut columns, &split(&a.0.0), &split(&b.0.0));
            }
            Fq::new_unchecked(BigInt(reduce(columns)))
        });
        let first = chunks.next().unwrap_or(Fq::new_unchecked(BigInt([0; 4])));
        chunks.fold(first, |sum, next| sum + next)
    }
}

#[inline(never)]
fn multiply(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut columns = [0; 2 * LIMBS];
    accumulate(&mut columns, &split(a), &split(b));
    reduce(columns)
}

/// Each product of two different limbs once, with one of them doubled.
#[inline(never)]
fn square(a: &[u64; 4]) -> [u64; 4] {
    let a = split(a);
    let mut columns = [0; 2 * LIMBS];
    for i in 0..LIMBS {
        columns[2 * i] += a[i] * a[i];
        let twice = 2 * a[i];
        for j in i + 1..LIMBS {
            columns[i + j] += twice * a[j];
        }
    }
    reduce(columns)
}

#[inline(always)]
fn accumulate(columns: &mut Columns, a: &[u64; LIMBS], b: &[u64; LIMBS]) {
    for i in 0..LIMBS {
        for j in 0..LIMBS {
            columns[i + j] += a[i] * b[j];
        }
    }
}

/// Montgomery's reduction: adds multiples of p until the lowest 256 bits are zero, and drops those. The sum of `PRODUCTS`
/// products of elements below p comes out below 2p.
#[inline(always)]
fn reduce(mut columns: Columns) -> [u64; 4] {
    for i in 0..LIMBS {
        let mask = if i == LIMBS - 1 { LAST_MASK } else { MASK };
        let factor = columns[i].wrapping_mul(INVERSE) & mask;
        for j in 0..LIMBS {
            columns[i + j] += factor * P[j];
        }
        if i < LIMBS - 1 {
            columns[i + 1] += columns[i] >> BITS;
        }
    }
    let limbs = &mut columns[LIMBS - 1..];
    for i in 0..LIMBS {
        limbs[i + 1] += limbs[i] >> BITS;
        limbs[i] &= MASK;
    }
    subtract_modulus(join(limbs))
}

/// 256 bits as limbs of 29 bits, the last of 24.
#[inline(always)]
const fn split(a: &[u64; 4]) -> [u64; LIMBS] {
    [
        a[0] & MASK,
        (a[0] >> 29) & MASK,
        (a[0] >> 58 | a[1] << 6) & MASK,
        (a[1] >> 23) & MASK,
        (a[1] >> 52 | a[2] << 12) & MASK,
        (a[2] >> 17) & MASK,
        (a[2] >> 46 | a[3] << 18) & MASK,
        (a[3] >> 11) & MASK,
        a[3] >> 40,
    ]
}

/// The 256 bits above the lowest 24 of ten limbs of 29 bits.
#[inline(always)]
fn join(t: &[u64]) -> [u64; 4] {
    [
        t[0] >> 24 | t[1] << 5 | t[2] << 34 | t[3] << 63,
        t[3] >> 1 | t[4] << 28 | t[5] << 57,
        t[5] >> 7 | t[6] << 22 | t[7] << 51,
        t[7] >> 13 | t[8] << 16 | t[9] << 45,
    ]
}

/// Of a value below 2p.
#[inline(always)]
fn subtract_modulus(a: [u64; 4]) -> [u64; 4] {
    let mut difference = [0; 4];
    let mut borrow = 0;
    for i in 0..4 {
        let (partial, first) = a[i].overflowing_sub(MODULUS.0[i]);
        let (limb, second) = partial.overflowing_sub(borrow);
        difference[i] = limb;
        borrow = (first | second) as u64;
    }
    if borrow == 0 { difference } else { a }
}
