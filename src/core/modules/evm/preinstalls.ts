/**
 * Contracts at known addresses that were not deployed by a transaction (cosmos/evm v0.6 `x/vm/keeper/preinstalls.go`).
 */
import type { Context } from '../../sdk/context.js';
import { bytesOfDigits } from '../../bytes/hex.js';
import { ensureAccount, hasAccount } from '../auth/accounts.js';
import { codeHashKey, codeKey, getCodeHash, isEmptyCodeHash, STORE } from './store.js';

/** Sets the code of an unused address; returns the problem, undefined on success. */
export function preinstall(
  context: Context,
  { address, code }: { readonly address: string; readonly code: string },
): string | undefined {
  const account = bytesOfDigits(address.replace(/^0[xX]/, ''));
  if (account?.length !== 20) return `preinstall address "${address}" is not a valid hex address`;
  const bytes = bytesOfDigits(code.replace(/^0[xX]/, ''));
  if (bytes === undefined || bytes.length === 0) return `preinstall ${address} has no code`;
  if (!isEmptyCodeHash(getCodeHash(context, account)))
    return `preinstall ${address} already has a code hash with a different code hash`;
  if (hasAccount(context, account)) return `preinstall ${address} already has an account in account keeper`;
  ensureAccount(context, account);
  const hash = context.crypto.keccak256(bytes);
  context.store.set(STORE, codeHashKey(account), hash);
  context.store.set(STORE, codeKey(hash), bytes);
  return undefined;
}
