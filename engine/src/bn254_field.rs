//! The field of BN254 over the products of `bn254_columns`. Elements stay as arkworks has them: four limbs of 64 bits in
//! Montgomery form with R = 2^256. Eight steps of the reduction remove 29 bits each, the ninth 24.

use crate::{
    bn254_columns::{BITS, Columns, LIMBS, MASK, PRIME, add_product, add_square, clear, clear_by_prime, split, subtract_prime},
    bn254_inverse::inverse,
};
use ark_ff::{BigInt, Fp256, MontBackend, MontConfig};

pub type Fq = Fp256<MontBackend<FqConfig, 4>>;

/// What the last step removes: 256 = 8 * 29 + 24.
const LAST_MASK: i64 = (1 << 24) - 1;
/// Products of elements in one reduction, as many as arkworks asks for. A column has at most 9 products of 58 bits for each, and
/// 9 more of the reduction: below 2^63.
const PRODUCTS: usize = 2;

pub struct FqConfig;

impl MontConfig<4> for FqConfig {
    const MODULUS: BigInt<4> = PRIME;
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
                add_product(&mut columns, &split(&a.0.0), &split(&b.0.0));
            }
            Fq::new_unchecked(BigInt(reduce(columns)))
        });
        let first = chunks.next().unwrap_or(Fq::new_unchecked(BigInt([0; 4])));
        chunks.fold(first, |sum, next| sum + next)
    }

    /// Of a 2^256, 2^512 times the inverse is the inverse times 2^256.
    fn inverse(a: &Fq) -> Option<Fq> {
        (a.0.0 != [0; 4]).then(|| Fq::new_unchecked(BigInt(inverse(&a.0.0, &Self::R2.0))))
    }
}

#[inline(never)]
fn multiply(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut columns = [0; 2 * LIMBS];
    add_product(&mut columns, &split(a), &split(b));
    reduce(columns)
}

#[inline(never)]
fn square(a: &[u64; 4]) -> [u64; 4] {
    let mut columns = [0; 2 * LIMBS];
    add_square::<1>(&mut columns, &split(a));
    reduce(columns)
}

/// Adds multiples of p until the lowest 256 bits are zero, and drops those. The sum of `PRODUCTS` products of elements below p
/// comes out below 2p.
#[inline(always)]
fn reduce(mut columns: Columns) -> [u64; 4] {
    clear(&mut columns, LIMBS - 2);
    clear_by_prime(&mut columns, LIMBS - 2, MASK);
    columns[LIMBS - 1] += columns[LIMBS - 2] >> BITS;
    clear_by_prime(&mut columns, LIMBS - 1, LAST_MASK);
    let limbs = &mut columns[LIMBS - 1..];
    for i in 0..LIMBS {
        limbs[i + 1] += limbs[i] >> BITS;
        limbs[i] &= MASK;
    }
    subtract_prime(join(limbs))
}

/// The 256 bits above the lowest 24 of ten limbs of 29 bits.
#[inline(always)]
fn join(limbs: &[i64]) -> [u64; 4] {
    let t: [u64; LIMBS + 1] = core::array::from_fn(|i| limbs[i] as u64);
    [
        t[0] >> 24 | t[1] << 5 | t[2] << 34 | t[3] << 63,
        t[3] >> 1 | t[4] << 28 | t[5] << 57,
        t[5] >> 7 | t[6] << 22 | t[7] << 51,
        t[7] >> 13 | t[8] << 16 | t[9] << 45,
    ]
}
