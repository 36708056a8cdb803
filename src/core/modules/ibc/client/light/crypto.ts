import type { Crypto } from '../../../../ports/crypto.js';

/** The functions of the port that headers, commits and sets of validators need. */
export type Signatures = Pick<Crypto, 'sha256' | 'ripemd160' | 'verifyEd25519' | 'verifySecp256k1'>;
