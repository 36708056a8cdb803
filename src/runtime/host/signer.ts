import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { ConsensusSigner } from '../../core/ports/crypto.js';
import { fromHex } from '../../core/bytes/hex.js';

/** DER prefix of an ed25519 PKCS#8 private key that holds a 32-byte seed (RFC 8410). */
const ED25519_PKCS8 = fromHex('302e020100300506032b657004220420');

/** Creates a signer with the ed25519 key of a 32-byte seed. */
export function createEd25519Signer(seed: Uint8Array): ConsensusSigner {
  const key = createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32));
  return { publicKey, sign: (message) => new Uint8Array(sign(null, message, key)) };
}
