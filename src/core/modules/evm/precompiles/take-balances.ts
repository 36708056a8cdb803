import type { EvmJournal } from '../../../evm/precompile-call.js';
import type { Event } from '../../../proto/tendermint/abci/types_pb.js';
import { parseAddress } from '../../../sdk/codec/address.js';
import type { Context } from '../../../sdk/module/context.js';
import { spendableBalance } from '../coins.js';

/**
 * Sets the EVM's balances to the state of `context` for accounts whose coins moved according to bank's events;
 * returns the accounts.
 */
export function syncBalances(context: Context, events: readonly Event[], journal: EvmJournal): readonly Uint8Array[] {
  const moved: Uint8Array[] = [];
  for (const name of namesOf(events)) {
    const address = parseAddress(context.chain.bech32Prefix, name);
    if (address?.length !== 20) continue;
    const balance = spendableBalance(context, address);
    if (journal.balance(address) === balance) continue;
    journal.setBalance(address, balance);
    moved.push(address);
  }
  return moved;
}

/** Accounts that spent or received, in the order of their first events. */
function namesOf(events: readonly Event[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { type, attributes } of events) {
    if (type === 'coin_spent') addValue(names, attributes, 'spender');
    else if (type === 'coin_received') addValue(names, attributes, 'receiver');
  }
  return names;
}

function addValue(names: Set<string>, attributes: Event['attributes'], key: string): void {
  for (const one of attributes) if (one.key === key) names.add(one.value);
}
