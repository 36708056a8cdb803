import { parseAddress } from '../../../sdk/address.js';
import type { Context } from '../../../sdk/context.js';
import { plainError } from '../../../sdk/sdk-error.js';
import type { EvmJournal } from '../../../evm/engine.js';
import type { Event } from '../../../proto/tendermint/abci/types_pb.js';
import { hasAccount } from '../../auth/accounts.js';
import { isBlocked } from '../../bank/send-rules.js';
import { evmDenom } from '../store.js';

/**
 * Moves the EVM's balances as the events of bank say that coins moved; returns the accounts. Module accounts are left
 * out: their balances are only in bank (cosmos/evm v0.6 `precompiles/common/balance_handler.go`).
 */
export function followBalances(context: Context, events: readonly Event[], journal: EvmJournal): readonly Uint8Array[] {
  const denom = evmDenom(context);
  return events.flatMap(({ type, attributes }) => {
    const spends = type === 'coin_spent';
    if (!spends && type !== 'coin_received') return [];
    const named = (name: string): string => attributes.find(({ key }) => key === name)?.value ?? '';
    const address = parseAddress(context.chain.bech32Prefix, named(spends ? 'spender' : 'receiver'));
    if (address?.length !== 20 || isBlocked(context, address)) return [];
    const amount = amountOfDenom(named('amount'), denom);
    if (amount === 0n) return spends || hasAccount(context, address) ? [] : [address];
    const balance = journal.balance(address);
    if (spends && amount > balance)
      throw plainError(`the EVM knows ${balance}${denom} of ${amount}${denom} that were spent`);
    journal.setBalance(address, spends ? balance - amount : balance + amount);
    return [address];
  });
}

/** `100atest,5ibc/ABC`: the amount of one denom. */
function amountOfDenom(coins: string, denom: string): bigint {
  const found = coins.split(',').find((one) => one.replace(/^[0-9]+/, '') === denom);
  return BigInt(found === undefined ? '0' : found.slice(0, -denom.length));
}
