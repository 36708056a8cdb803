//! Keccak-256 with the whole state in local variables. The generic implementation keeps the state in memory, which
//! takes twice as long in WebAssembly.

use revm::{
    interpreter::{
        Host, InstructionContext, InstructionExecResult, as_usize_or_fail, gas,
        interpreter::{EthInterpreter, resize_memory},
        popn_top,
    },
    primitives::U256,
};

const LANES: usize = 25;
const RATE: usize = 136;

/// KECCAK256, with the gas of revm's own instruction.
pub fn instruction<H: Host + ?Sized>(context: InstructionContext<'_, H, EthInterpreter>) -> InstructionExecResult {
    let InstructionContext { interpreter, host } = context;
    popn_top!([offset], top, interpreter);
    let length = as_usize_or_fail!(interpreter, top);
    gas!(interpreter, host.gas_params().keccak256_cost(length));
    let digest = if length == 0 {
        hash(&[])
    } else {
        let from = as_usize_or_fail!(interpreter, offset);
        resize_memory(&mut interpreter.gas, &mut interpreter.memory, host.gas_params(), from, length)?;
        hash(&interpreter.memory.slice_len(from, length))
    };
    *top = U256::from_be_bytes(digest);
    Ok(())
}

fn hash(input: &[u8]) -> [u8; 32] {
    let mut state = [0; LANES];
    let mut blocks = input.chunks_exact(RATE);
    for block in &mut blocks {
        absorb(&mut state, block);
    }
    let mut last = [0; RATE];
    last[..blocks.remainder().len()].copy_from_slice(blocks.remainder());
    last[blocks.remainder().len()] = 1;
    last[RATE - 1] |= 0x80;
    absorb(&mut state, &last);
    let mut output = [0; 32];
    for (chunk, lane) in output.chunks_exact_mut(8).zip(state) {
        chunk.copy_from_slice(&lane.to_le_bytes());
    }
    output
}

fn absorb(state: &mut [u64; LANES], block: &[u8]) {
    for (lane, chunk) in state.iter_mut().zip(block.chunks_exact(8)) {
        *lane ^= u64::from_le_bytes(chunk.try_into().expect("8 bytes"));
    }
    permute(state);
}

#[inline(never)]
fn permute(state: &mut [u64; LANES]) {
    let mut lanes = *state;
    for pair in CONSTANTS.chunks_exact(2) {
        lanes = round(round(lanes, pair[0]), pair[1]);
    }
    *state = lanes;
}

/// Applies theta, rho, pi, chi and iota of FIPS 202. Lane (x, y) is at x + 5 y.
#[inline(always)]
fn round(a: [u64; LANES], constant: u64) -> [u64; LANES] {
    let mut parity = [0; 5];
    for x in 0..5 {
        parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    }
    let mut moved = [0; LANES];
    for x in 0..5 {
        let spread = parity[(x + 4) % 5] ^ parity[(x + 1) % 5].rotate_left(1);
        for y in 0..5 {
            moved[y + 5 * ((2 * x + 3 * y) % 5)] = (a[x + 5 * y] ^ spread).rotate_left(ROTATIONS[x + 5 * y]);
        }
    }
    let mut out = [0; LANES];
    for y in 0..5 {
        for x in 0..5 {
            out[x + 5 * y] = moved[x + 5 * y] ^ (!moved[(x + 1) % 5 + 5 * y] & moved[(x + 2) % 5 + 5 * y]);
        }
    }
    out[0] ^= constant;
    out
}

/// Rotation offsets of rho. The lane of step t rotates by (t + 1)(t + 2) / 2 bits.
const ROTATIONS: [u32; LANES] = {
    let mut turns = [0; LANES];
    let (mut x, mut y, mut t) = (1, 0, 0);
    while t < 24 {
        turns[x + 5 * y] = ((t + 1) * (t + 2) / 2) % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    turns
};

/// Round constants of iota. An 8-bit linear feedback shift register yields the bits at positions 2^j - 1.
const CONSTANTS: [u64; 24] = {
    let mut all = [0; 24];
    let mut register = 1u8;
    let mut index = 0;
    while index < 24 {
        let mut j = 0;
        while j < 7 {
            all[index] |= ((register & 1) as u64) << ((1u32 << j) - 1);
            register = register << 1 ^ if register >> 7 == 1 { 0x71 } else { 0 };
            j += 1;
        }
        index += 1;
    }
    all
};
