//! Products modulo the prime of BN254 for a machine whose widest product has 64 bits: WebAssembly has no 64 x 64 -> 128, and a
//! call for each of those is most of what a multiplication over 64-bit limbs costs. Nine limbs of 29 bits leave room in 64 bits
//! for the sums of all products of a column, so that nothing carries before the end. The multiplier is what they wait for, so
//! additions are spent to have fewer products.

use ark_ff::{BigInt, MontConfig};

pub const LIMBS: usize = 9;
pub const BITS: u32 = 29;
pub const MASK: i64 = (1 << BITS) - 1;

/// The value is the sum of its limbs times 2^(29 i).
pub type Limbs = [i64; LIMBS];
/// A sum of products before its reduction, by columns of 29 bits.
pub type Columns = [i64; 2 * LIMBS];

pub const PRIME: BigInt<4> = <ark_bn254::FqConfig as MontConfig<4>>::MODULUS;
/// -1 / p modulo 2^29.
const INVERSE: i64 = <ark_bn254::FqConfig as MontConfig<4>>::INV as i64 & MASK;
pub const P: Limbs = split(&PRIME.0);
/// The multiple of p whose lowest 29 bits are ones, `INVERSE` times p, plus one and without those bits. What it adds to the
/// columns above is what remains of adding that multiple as often as the lowest 29 bits say, which clears them: cheaper than
/// p itself by the factor's product and the lowest column's. But it is nearly 2^29 times p, so the last bits are left to p.
const CLEARING: Limbs = {
    let mut limbs = [0; LIMBS];
    let mut carry = 1 + INVERSE * P[0];
    let mut index = 1;
    while index < LIMBS {
        carry = (carry >> BITS) + INVERSE * P[index];
        limbs[index - 1] = carry & MASK;
        index += 1;
    }
    limbs[LIMBS - 1] = carry >> BITS;
    limbs
};

/// By Karatsuba's rule over blocks of three limbs: a0 b1 + a1 b0 is a0 b0 + a1 b1 + (a0 - a1) (b1 - b0).
#[inline(always)]
pub fn add_product(columns: &mut Columns, a: &Limbs, b: &Limbs) {
    let (a, b) = (blocks(a), blocks(b));
    let pure = [block(a[0], b[0]), block(a[1], b[1]), block(a[2], b[2])];
    for i in 0..3 {
        add_block(columns, 2 * i, pure[i]);
    }
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let mixed = block(difference(a[i], a[j]), difference(b[j], b[i]));
        add_block(columns, i + j, core::array::from_fn(|k| pure[i][k] + pure[j][k] + mixed[k]));
    }
}

/// `FACTOR` times the square: each product of two different limbs once, doubled.
#[inline(always)]
pub fn add_square<const FACTOR: i64>(columns: &mut Columns, a: &Limbs) {
    for i in 0..LIMBS {
        let multiple = FACTOR * a[i];
        columns[2 * i] += multiple * a[i];
        for j in i + 1..LIMBS {
            columns[i + j] += 2 * multiple * a[j];
        }
    }
}

/// Removes 29 bits of one column after the other by Montgomery's reduction: `count` by the larger multiple of p.
#[inline(always)]
pub fn clear(columns: &mut Columns, count: usize) {
    for i in 0..count {
        let factor = columns[i] & MASK;
        columns[i + 1] += columns[i] >> BITS;
        for j in 0..LIMBS {
            columns[i + 1 + j] += factor * CLEARING[j];
        }
    }
}

/// One step of it by p: the bits of the mask in column `i`, which keeps what is above them.
#[inline(always)]
pub fn clear_by_prime(columns: &mut Columns, i: usize, mask: i64) {
    let factor = multiple(columns[i]) & mask;
    for j in 0..LIMBS {
        columns[i + j] += factor * P[j];
    }
}

/// How often p has to be added for the lowest 29 bits to become zero.
#[inline(always)]
pub const fn multiple(lowest: i64) -> i64 {
    lowest.wrapping_mul(INVERSE) & MASK
}

/// 256 bits as limbs of 29 bits, the last of 24.
#[inline(always)]
pub const fn split(a: &[u64; 4]) -> Limbs {
    const fn low(bits: u64) -> i64 {
        bits as i64 & MASK
    }
    [
        low(a[0]),
        low(a[0] >> 29),
        low(a[0] >> 58 | a[1] << 6),
        low(a[1] >> 23),
        low(a[1] >> 52 | a[2] << 12),
        low(a[2] >> 17),
        low(a[2] >> 46 | a[3] << 18),
        low(a[3] >> 11),
        (a[3] >> 40) as i64,
    ]
}

/// Of a value below 2p: the one below p.
#[inline(always)]
pub fn subtract_prime(a: [u64; 4]) -> [u64; 4] {
    let mut difference = [0; 4];
    let mut borrow = 0;
    for i in 0..4 {
        let (partial, first) = a[i].overflowing_sub(PRIME.0[i]);
        let (limb, second) = partial.overflowing_sub(borrow);
        difference[i] = limb;
        borrow = (first | second) as u64;
    }
    if borrow == 0 { difference } else { a }
}

const BLOCK: usize = 3;
type Block = [i64; BLOCK];
type BlockColumns = [i64; 2 * BLOCK - 1];

#[inline(always)]
fn blocks(a: &Limbs) -> [Block; 3] {
    [[a[0], a[1], a[2]], [a[3], a[4], a[5]], [a[6], a[7], a[8]]]
}

#[inline(always)]
fn block(a: Block, b: Block) -> BlockColumns {
    [
        a[0] * b[0],
        a[0] * b[1] + a[1] * b[0],
        a[0] * b[2] + a[1] * b[1] + a[2] * b[0],
        a[1] * b[2] + a[2] * b[1],
        a[2] * b[2],
    ]
}

#[inline(always)]
fn difference(a: Block, b: Block) -> Block {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn add_block(columns: &mut Columns, at: usize, block: BlockColumns) {
    for k in 0..block.len() {
        columns[BLOCK * at + k] += block[k];
    }
}
