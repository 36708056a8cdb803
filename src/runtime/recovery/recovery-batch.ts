/** Signatures of a batch and the keys recovered from them, as the bytes that travel to a thread and back. */
import type { RecoveryInput } from '../../core/ethereum/transaction-sender.js';
import type { Crypto } from '../../core/ports/crypto.js';

const DIGEST = 32;
const SIGNATURE = 64;
/** Digest, signature and parity. */
const INPUT = DIGEST + SIGNATURE + 1;
/** A byte that is 1 for a recovered key, and the key's coordinates. */
const KEY = 1 + 64;

/** Bytes of the inputs of a batch of recoveries, one after the other. */
export function encodeInputs(inputs: readonly RecoveryInput[]): Uint8Array {
  const bytes = new Uint8Array(inputs.length * INPUT);
  for (const [index, { digest, signature, yParity }] of inputs.entries()) {
    bytes.set(digest, index * INPUT);
    bytes.set(signature, index * INPUT + DIGEST);
    bytes[index * INPUT + DIGEST + SIGNATURE] = yParity;
  }
  return bytes;
}

/** Recovers the key of each input; the thread's whole work. */
export function recoverKeys(recover: Crypto['recoverSecp256k1'], inputs: Uint8Array): Uint8Array {
  const count = inputs.length / INPUT;
  const keys = new Uint8Array(count * KEY);
  for (let index = 0; index < count; index += 1) {
    const at = index * INPUT;
    const digest = inputs.subarray(at, at + DIGEST);
    const signature = inputs.subarray(at + DIGEST, at + DIGEST + SIGNATURE);
    const key = recover(digest, signature, inputs[at + DIGEST + SIGNATURE] === 1 ? 1 : 0);
    if (key === undefined) continue;
    keys[index * KEY] = 1;
    keys.set(key, index * KEY + 1);
  }
  return keys;
}

/** The keys in the order of the inputs; undefined where the signature has none. */
export function decodeKeys(keys: Uint8Array): readonly (Uint8Array | undefined)[] {
  return Array.from({ length: keys.length / KEY }, (_, index) =>
    keys[index * KEY] === 1 ? keys.subarray(index * KEY + 1, (index + 1) * KEY) : undefined,
  );
}
