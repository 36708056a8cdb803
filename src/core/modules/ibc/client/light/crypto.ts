import type { Crypto } from '../../../../ports/crypto.js';

/** The part of the crypto port that headers, commits and validator sets need. */
export type Signatures = Pick<Crypto, 'sha256' | 'ripemd160' | 'verifyEd25519' | 'verifySecp256k1'>;
