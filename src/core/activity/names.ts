import { type Contract } from '../abi/contract.js';
import type { Interfaces } from '../abi/interfaces.js';
import { hex } from '../bytes/hex.js';
import { checksumAddress } from '../keys/address.js';
import type { Crypto } from '../ports/crypto.js';

/** Names of addresses, and known contracts. */
export interface Names {
  readonly crypto: Pick<Crypto, 'keccak256'>;
  readonly interfaces: Interfaces;
  /** Account names by 40 lower-case hex digits, for example `dev0`. */
  readonly accounts: ReadonlyMap<string, string>;
  /** Compiled contract at an address (20 bytes), if known. */
  readonly contractAt: (address: Uint8Array) => Contract | undefined;
}

/** Formats an address: account name, `Token@0x5FbD…0aa3` for a known contract, else the complete address. */
export function addressText({ crypto, accounts, contractAt }: Names, address: Uint8Array): string {
  const account = accounts.get(hex(address));
  if (account !== undefined) return account;
  const text = checksumAddress(crypto, address);
  const contract = contractAt(address);
  return contract === undefined ? text : `${contract.name}@${text.slice(0, 6)}…${text.slice(-4)}`;
}
