/** Addresses of consensus keys, 20 bytes (CometBFT spec, core/data_structures, Address). */
import type { Crypto } from '../ports/crypto.js';
import type { PublicKey } from '../proto/tendermint/crypto/keys_pb.js';
import { invariant } from '../errors.js';
import type { Sha256 } from './merkle.js';

/** Address of an ed25519 key: the first 20 bytes of its sha256. */
export function ed25519Address(crypto: Sha256, publicKey: Uint8Array): Uint8Array {
  return crypto.sha256(publicKey).slice(0, 20);
}

/** Address of a consensus key. A secp256k1 key has 33 bytes and is hashed as in Bitcoin: ripemd160 of sha256. */
export function addressOf(crypto: Pick<Crypto, 'sha256' | 'ripemd160'>, publicKey: PublicKey): Uint8Array {
  const { sum } = publicKey;
  invariant(sum.case !== undefined, 'a consensus key has a type');
  return sum.case === 'ed25519' ? ed25519Address(crypto, sum.value) : crypto.ripemd160(crypto.sha256(sum.value));
}
