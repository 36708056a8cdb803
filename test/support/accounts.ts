/** Accounts of dev chains, derived in pure JavaScript. */
import {
  type DevAccount,
  type DevAccountOptions,
  deriveAccount,
  deriveDevAccounts,
  type KeyAccount,
} from '../../src/core/keys/accounts.js';
import { derivePrivateKeys } from '../../src/core/keys/hd-key.js';
import { PURE_KEY_CRYPTO } from './pure-key-crypto.js';

export function accountOf(name: string, privateKey: Uint8Array, bech32Prefix: string): KeyAccount {
  return deriveAccount(PURE_KEY_CRYPTO, name, privateKey, bech32Prefix);
}

export function devAccounts(options: DevAccountOptions): readonly DevAccount[] {
  return deriveDevAccounts(PURE_KEY_CRYPTO, options);
}

export function privateKeysOf(mnemonic: string, count: number): readonly Uint8Array[] {
  return derivePrivateKeys(PURE_KEY_CRYPTO, mnemonic, count);
}
