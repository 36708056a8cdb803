import { utf8 } from '../bytes/bytes.js';
import type { KeyCrypto } from '../ports/key-crypto.js';
import { deriveAlong, SEED_ROUNDS } from './hd-key.js';
import { FIXED_LIMITS } from '../limits/limits.js';

const HARDENED = 0x8000_0000;

/** Parses a path `m/44'/60'/0'/0/0` to indices; undefined for other text. */
export function parsePath(text: string): readonly number[] | undefined {
  const [root, ...parts] = text.split('/');
  if (root !== 'm' || parts.length === 0 || parts.length > FIXED_LIMITS.keyPathParts) return undefined;
  const indices = parts.map((part) => {
    const [, digits, hardened] = /^([0-9]{1,10})('?)$/.exec(part) ?? [];
    const index = Number(digits);
    return digits === undefined || index >= HARDENED ? undefined : index + (hardened === '' ? 0 : HARDENED);
  });
  return indices.every((index) => index !== undefined) ? indices : undefined;
}

/** Derives a mnemonic's private key at a path (BIP-39, BIP-32). Does not validate the mnemonic. */
export function privateKeyAt(
  crypto: KeyCrypto,
  mnemonic: string,
  passphrase: string,
  path: readonly number[],
): Uint8Array {
  const seed = crypto.pbkdf2Sha512(
    utf8(mnemonic.normalize('NFKD')),
    utf8(`mnemonic${passphrase}`.normalize('NFKD')),
    SEED_ROUNDS,
  );
  return deriveAlong(crypto, seed, path).privateKey;
}
