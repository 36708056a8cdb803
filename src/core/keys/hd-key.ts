import { concat, utf8 } from '../bytes/bytes.js';
import { invariant } from '../errors.js';
import type { KeyCrypto } from '../ports/key-crypto.js';
import { compressed } from '../sdk/signing/account-key.js';
import { bigintOfBytes, wordOf } from '../bytes/big-endian.js';

/** Order of secp256k1 (SEC 2, 2.4.1); private keys are added modulo this number. */
const ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;
const HARDENED = 0x8000_0000;
/** Parent path of account keys: coin type 60, first account, external chain (BIP-44). */
const ACCOUNTS_PATH = [HARDENED + 44, HARDENED + 60, HARDENED, 0] as const;
/** PBKDF2 rounds from mnemonic to seed (BIP-39). */
export const SEED_ROUNDS = 2048;

/** A private key with chain code, from which children are derived (BIP-32). */
interface ExtendedKey {
  readonly privateKey: Uint8Array;
  readonly chainCode: Uint8Array;
}

/**
 * Derives the 32-byte private keys m/44'/60'/0'/0/i for i below `count` from a mnemonic without passphrase (BIP-39).
 * Does not validate the mnemonic.
 */
export function derivePrivateKeys(crypto: KeyCrypto, mnemonic: string, count: number): readonly Uint8Array[] {
  const seed = crypto.pbkdf2Sha512(utf8(mnemonic.normalize('NFKD')), utf8('mnemonic'), SEED_ROUNDS);
  const parent = deriveAlong(crypto, seed, ACCOUNTS_PATH);
  const point = crypto.publicPoint(parent.privateKey);
  return Array.from({ length: count }, (_, index) => child(crypto, parent, index, point).privateKey);
}

/** Derives the key at a path from a seed of 16 to 64 bytes (BIP-32); indices from 2^31 are hardened. */
export function deriveAlong(crypto: KeyCrypto, seed: Uint8Array, path: readonly number[]): ExtendedKey {
  const master = crypto.hmacSha512(utf8('Bitcoin seed'), seed);
  const root = { privateKey: master.slice(0, 32), chainCode: master.slice(32) };
  return path.reduce<ExtendedKey>((parent, index) => child(crypto, parent, index), root);
}

/** One step of BIP-32's CKDpriv. Pass `point`, the parent's public key, to reuse it for many children. */
function child(crypto: KeyCrypto, parent: ExtendedKey, index: number, point?: Uint8Array): ExtendedKey {
  const number = Uint8Array.of(index >>> 24, index >>> 16, index >>> 8, index);
  const data =
    index >= HARDENED
      ? concat(Uint8Array.of(0), parent.privateKey, number)
      : concat(compressed(point ?? crypto.publicPoint(parent.privateKey)), number);
  const mac = crypto.hmacSha512(parent.chainCode, data);
  const tweak = bigintOfBytes(mac.subarray(0, 32));
  const key = (tweak + bigintOfBytes(parent.privateKey)) % ORDER;
  // BIP-32 skips such an index, whose probability is below 2^-127.
  invariant(tweak < ORDER && key !== 0n, 'a child key exists at every index');
  return { privateKey: wordOf(key), chainCode: mac.slice(32) };
}
