import { type DevAccount, type DevAccountOptions, deriveAccount, deriveDevAccounts, type KeyAccount } from './accounts.js';
import { derivePrivateKeys } from './hd-key.js';
import { PURE_KEY_CRYPTO } from './pure-key-crypto.js';

/** `deriveAccount` in pure JavaScript. */
export function accountOf(name: string, privateKey: Uint8Array, bech32Prefix: string): KeyAccount {
  return deriveAccount(PURE_KEY_CRYPTO, name, privateKey, bech32Prefix);
}

/** `deriveDevAccounts` in pure JavaScript. */
export function devAccounts(options: DevAccountOptions): readonly DevAccount[] {
  return deriveDevAccounts(PURE_KEY_CRYPTO, options);
}

/** `derivePrivateKeys` in pure JavaScript. */
export function privateKeysOf(mnemonic: string, count: number): readonly Uint8Array[] {
  return derivePrivateKeys(PURE_KEY_CRYPTO, mnemonic, count);
}
