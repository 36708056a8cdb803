import { HDKey } from '@scure/bip32';
import { invariant } from '../errors.js';
import { seedOf } from './mnemonic.js';

/** Parent of the account keys: coin type 60, first account, external chain (BIP-44; application-modules.md 3.8). */
const ACCOUNTS_PATH = "m/44'/60'/0'/0";

/** Path of the key with the given address index. */
export function keyPath(index: number): string {
  return `${ACCOUNTS_PATH}/${index}`;
}

/** 32-byte private keys m/44'/60'/0'/0/i for i below `count`. */
export function privateKeysOf(mnemonic: string, count: number): readonly Uint8Array[] {
  const parent = HDKey.fromMasterSeed(seedOf(mnemonic)).derive(ACCOUNTS_PATH);
  return Array.from({ length: count }, (_, index) => {
    const { privateKey } = parent.deriveChild(index);
    invariant(privateKey !== null, 'a key derived from a seed is private');
    return privateKey;
  });
}
