import { invariant } from '../../errors.js';
import type { Context } from '../../sdk/module/context.js';
import { ensureAccount, getAccount, type Account } from '../auth/accounts.js';

/** Account of an address; creates one with nonce 0 when there is none. */
export function ensureAccountOf(context: Context, address: Uint8Array): Account {
  const known = getAccount(context, address);
  if (known !== undefined) return known;
  ensureAccount(context, address);
  const created = getAccount(context, address);
  invariant(created !== undefined, 'an account is there once it was created');
  return created;
}
