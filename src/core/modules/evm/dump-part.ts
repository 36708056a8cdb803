import { keyAfter, prefixRange } from '../../bytes/key-order.js';
import type { DumpPart, PartStart } from '../../ethereum/state-proof.js';
import type { Context } from '../../sdk/module/context.js';
import { firstRows } from '../../state/prefetched-rows.js';
import { ACCOUNT_PREFIX, addressOfKey, decodeAccount, STORE as ACCOUNTS } from '../auth/accounts.js';
import { isModuleAccount } from '../bank/module-accounts.js';
import { spendableBalanceOf } from './coins.js';
import { statePart } from './state-tries.js';
import { getCode, getCodeHash, isEmptyCodeHash } from './store.js';

/**
 * Reads at most `rows` rows of the EVM state from `place` (default: the beginning): slots, then accounts in address
 * order. Module accounts are left out: their coins belong to module records (delegations, rewards, deposits) that a
 * dump does not contain.
 */
export function dumpPart(context: Context, place: PartStart | undefined, rows: number): DumpPart {
  if (place?.table !== 'accounts') return { ...statePart(context, place, rows), accounts: [] };
  const range = { ...prefixRange(ACCOUNT_PREFIX), start: place.start };
  const read = firstRows(context.store.range(ACCOUNTS, range), rows);
  const accounts = read.flatMap(({ key, value }) => {
    const address = addressOfKey(key);
    if (address === undefined || isModuleAccount(context, address)) return [];
    const codeHash = getCodeHash(context, address);
    const stored = decodeAccount(value);
    const code = isEmptyCodeHash(codeHash) ? undefined : getCode(context, codeHash);
    return [
      {
        address,
        nonce: stored.base.sequence,
        balance: spendableBalanceOf(context, stored, address),
        code: code ?? new Uint8Array(0),
      },
    ];
  });
  const last = read.length < rows ? undefined : read.at(-1);
  return { slots: [], accounts, next: last && { table: 'accounts', start: keyAfter(last.key) } };
}
