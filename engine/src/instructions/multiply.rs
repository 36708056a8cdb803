//! MUL for WebAssembly, which has no 64 x 64 -> 128 multiplication. Products of 64-bit limbs are built from 32-bit
//! products inline, and zero limbs are skipped.

use revm::{
    interpreter::{InstructionContext, InstructionExecResult, InstructionResult, interpreter::EthInterpreter},
    primitives::U256,
};

/// MUL, with the gas of revm's own instruction.
pub fn instruction<H: ?Sized>(context: InstructionContext<'_, H, EthInterpreter>) -> InstructionExecResult {
    let Some(([a], b)) = context.interpreter.stack.popn_top() else { return Err(InstructionResult::StackUnderflow) };
    *b = U256::from_limbs(product(a.as_limbs(), b.as_limbs()));
    Ok(())
}

/// Multiplies modulo 2^256.
fn product(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut sum = [0u64; 4];
    for i in 0..4 {
        if b[i] == 0 {
            continue;
        }
        let mut carry = 0;
        for j in 0..3 - i {
            let (low, high) = widening_multiply(a[j], b[i]);
            let (partial, first) = sum[i + j].overflowing_add(low);
            let (limb, second) = partial.overflowing_add(carry);
            sum[i + j] = limb;
            // No overflow: the whole sum is below 2^128.
            carry = high + first as u64 + second as u64;
        }
        sum[3] = sum[3].wrapping_add(a[3 - i].wrapping_mul(b[i])).wrapping_add(carry);
    }
    sum
}

/// Multiplies two limbs. Returns the low and the high half of the product.
#[inline(always)]
fn widening_multiply(a: u64, b: u64) -> (u64, u64) {
    const HALF: u64 = u32::MAX as u64;
    let (a0, a1, b0, b1) = (a & HALF, a >> 32, b & HALF, b >> 32);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 32);
    let other = a0 * b1 + (middle & HALF);
    (other << 32 | low & HALF, a1 * b1 + (middle >> 32) + (other >> 32))
}
