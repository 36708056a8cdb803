import type { Crypto } from '../../core/ports/crypto.js';

/** 32 bytes that end with the address whose key signed `digest`; undefined when there is none (precompile 0x01). */
export function recoverAddress(crypto: Crypto, digest: Uint8Array, signature: Uint8Array, parity: number): Uint8Array | undefined {
  if (parity !== 0 && parity !== 1) return undefined;
  const key = crypto.recoverSecp256k1(digest, signature, parity);
  if (key === undefined) return undefined;
  const word = Uint8Array.from(crypto.keccak256(key));
  word.fill(0, 0, 12);
  return word;
}

/** base ** exponent mod modulus, as long as the modulus (EIP-198). V8's big integers beat WebAssembly from 1,024 bits on. */
export function modexp(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): Uint8Array {
  const m = toBigInt(modulus);
  const result = m === 0n ? 0n : power(toBigInt(base) % m, exponent, m);
  return Buffer.from(result.toString(16).padStart(modulus.length * 2, '0'), 'hex');
}

/** Left to right, four bits at a time. */
function power(base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  const table = [1n % modulus];
  for (let index = 1; index < 16; index += 1) table.push(((table[index - 1] ?? 0n) * base) % modulus);
  let result = 1n % modulus;
  let started = false;
  for (const byte of exponent) {
    for (const digit of [byte >> 4, byte & 15]) {
      if (started) for (let square = 0; square < 4; square += 1) result = (result * result) % modulus;
      if (digit === 0) continue;
      result = (result * (table[digit] ?? 0n)) % modulus;
      started = true;
    }
  }
  return result;
}

function toBigInt(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}
