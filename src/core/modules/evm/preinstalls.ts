/** Preinstalled contracts, which no transaction deployed (cosmos/evm v0.6 `x/vm/keeper/preinstalls.go`). */
import type { Context } from '../../sdk/module/context.js';
import { equal } from '../../bytes/bytes.js';
import { bytesOfDigits } from '../../bytes/hex.js';
import { ensureAccount, hasAccount } from '../auth/accounts.js';
import { codeHashKey, codeKey, getCodeHash, isEmptyCodeHash, STORE } from './store.js';

/** A contract: address and code in hexadecimal. */
export interface Preinstall {
  readonly address: string;
  readonly code: string;
}

/**
 * Sets the code of an unused address; returns an error text, or undefined on success. The address must have 20 bytes,
 * and the code whole bytes.
 */
export function preinstall(context: Context, { address, code }: Preinstall): string | undefined {
  const account = bytesOfDigits(address.replace(/^0[xX]/, ''));
  if (account?.length !== 20) return `preinstall address "${address}" is not a valid hex address`;
  const bytes = bytesOfDigits(code.replace(/^0[xX]/, ''));
  if (bytes === undefined || bytes.length === 0) return `preinstall ${address} has no code`;
  return installCode(context, address, account, bytes);
}

/**
 * Sets the code of an unused address (20 bytes); `address` is its text. Returns an error text, or undefined on
 * success.
 */
export function installCode(
  context: Context,
  address: string,
  account: Uint8Array,
  bytes: Uint8Array,
): string | undefined {
  const hash = context.crypto.keccak256(bytes);
  if (bytes.length === 0) return `preinstall ${address} has empty code hash`;
  const known = getCodeHash(context, account);
  if (!isEmptyCodeHash(known) && !equal(known, hash))
    return `preinstall ${address} already has a code hash with a different code hash`;
  if (hasAccount(context, account)) return `preinstall ${address} already has an account in account keeper`;
  ensureAccount(context, account);
  context.store.set(STORE, codeHashKey(account), hash);
  context.store.set(STORE, codeKey(hash), bytes);
  return undefined;
}
