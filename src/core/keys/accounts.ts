import { encodeAddress } from '../sdk/codec/address.js';
import type { KeyCrypto } from '../ports/key-crypto.js';
import { checksumAddress, ethAddressOf } from './address.js';
import { derivePrivateKeys } from './hd-key.js';
import { compressed } from '../sdk/signing/account-key.js';

/** A private key with both forms of its address. */
export interface KeyAccount {
  readonly name: string;
  /** EIP-55 checksummed 0x address. */
  readonly hex: string;
  /** Bech32 address with the chain's prefix. */
  readonly bech32: string;
  /** Private key, 32 bytes. */
  readonly privateKey: Uint8Array;
  /** Public key, 33 bytes, compressed. */
  readonly publicKey: Uint8Array;
}

export interface DevAccount extends KeyAccount {
  readonly index: number;
}

export interface DevAccountOptions {
  readonly mnemonic: string;
  readonly count: number;
  readonly bech32Prefix: string;
}

/** Derives the account of a private key. */
export function deriveAccount(
  crypto: KeyCrypto,
  name: string,
  privateKey: Uint8Array,
  bech32Prefix: string,
): KeyAccount {
  const point = crypto.publicPoint(privateKey);
  const address = ethAddressOf(crypto, point);
  return {
    name,
    hex: checksumAddress(crypto, address),
    bech32: encodeAddress(bech32Prefix, address),
    privateKey,
    publicKey: compressed(point),
  };
}

/** Derives the funded accounts of a dev chain, `dev0` onwards, ordered by key path. */
export function deriveDevAccounts(crypto: KeyCrypto, options: DevAccountOptions): readonly DevAccount[] {
  return derivePrivateKeys(crypto, options.mnemonic, options.count).map((privateKey, index) => ({
    index,
    ...deriveAccount(crypto, `dev${index}`, privateKey, options.bech32Prefix),
  }));
}
