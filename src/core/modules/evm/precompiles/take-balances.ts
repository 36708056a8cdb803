import type { EvmJournal } from '../../../evm/engine.js';
import type { Event } from '../../../proto/tendermint/abci/types_pb.js';
import { parseAddress } from '../../../sdk/address.js';
import type { Context } from '../../../sdk/context.js';
import { evmState } from '../state.js';

/**
 * Sets the EVM's balances of the accounts whose coins moved, as the events of bank tell, to what the state of `context`
 * has; returns the accounts.
 */
export function takeBalances(context: Context, events: readonly Event[], journal: EvmJournal): readonly Uint8Array[] {
  const state = evmState(context);
  const names = new Set(
    events.flatMap(({ type, attributes }) => {
      const key = type === 'coin_spent' ? 'spender' : type === 'coin_received' ? 'receiver' : undefined;
      return key === undefined ? [] : attributes.filter((one) => one.key === key).map(({ value }) => value);
    }),
  );
  return [...names].flatMap((name) => {
    const address = parseAddress(context.chain.bech32Prefix, name);
    if (address?.length !== 20) return [];
    const balance = state.account(address)?.balance ?? 0n;
    if (journal.balance(address) === balance) return [];
    journal.setBalance(address, balance);
    return [address];
  });
}
