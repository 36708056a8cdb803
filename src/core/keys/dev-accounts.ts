import { encodeAddress } from '../app/address.js';
import { checksumAddress, ethAddressOf, publicKeyOf } from './address.js';
import { privateKeysOf } from './hd-key.js';

/** A key with both spellings of its address. */
export interface KeyAccount {
  readonly name: string;
  /** Checksummed 0x address (EIP-55). */
  readonly hex: string;
  /** The same 20 bytes with the chain's prefix. */
  readonly bech32: string;
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  /** 33 bytes, compressed. */
  readonly publicKey: Uint8Array;
}

export interface DevAccount extends KeyAccount {
  readonly index: number;
}

/** Account of one private key. */
export function accountOf(name: string, privateKey: Uint8Array, bech32Prefix: string): KeyAccount {
  const publicKey = publicKeyOf(privateKey);
  const address = ethAddressOf(publicKey);
  return { name, hex: checksumAddress(address), bech32: encodeAddress(bech32Prefix, address), privateKey, publicKey };
}

/** The funded accounts of a dev chain, `dev0` on, in order of their key path (design section 9). */
export function devAccounts(options: { readonly mnemonic: string; readonly count: number; readonly bech32Prefix: string }): readonly DevAccount[] {
  return privateKeysOf(options.mnemonic, options.count).map((privateKey, index) => ({
    index,
    ...accountOf(`dev${index}`, privateKey, options.bech32Prefix),
  }));
}
