import { parseAddress } from '../../sdk/codec/address.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import type { Event } from '../../proto/tendermint/abci/types_pb.js';
import type { ContractMoves } from '../../modules/evm/precompiles/call-rules.js';
import { hasAccount } from '../../modules/auth/accounts.js';
import { isBlocked } from '../../modules/bank/send-rules.js';
import { evmCoin, type EvmCoin } from '../../sdk/coins/evm-coin.js';

/**
 * Moves the EVM's balances as the events of bank say that coins moved; returns the accounts. Module accounts are left
 * out: their balances are only in bank (cosmos/evm v0.6 `precompiles/common/balance_handler.go`). A
 * module also pays for the look at an account whose coins are none.
 */
export function followBalances({ before: context, events, journal, isPaid }: ContractMoves): readonly Uint8Array[] {
  const coin = evmCoin(context);
  return events.flatMap((event) => {
    const moved = moveOf(event, coin);
    if (moved === undefined) return [];
    const address = parseAddress(context.chain.bech32Prefix, moved.account);
    if (address?.length !== 20 || isBlocked(context, address)) return [];
    const { wei, creates } = moved;
    if (wei === 0n && !isPaid) return !creates || hasAccount(context, address) ? [] : [address];
    // also of nothing: the transaction of a module pays for the look
    const balance = journal.balance(address);
    if (wei === 0n) return !creates || hasAccount(context, address) ? [] : [address];
    if (balance + wei < 0n)
      throw plainError(`the EVM knows ${balance}${coin.extended} of ${-wei}${coin.extended} that were spent`);
    journal.setBalance(address, balance + wei);
    return [address];
  });
}

/** The change of an account's balance by an event; undefined for other events. */
function moveOf(
  { type, attributes }: Event,
  { denom, unit }: EvmCoin,
): { readonly account: string; readonly wei: bigint; readonly creates: boolean } | undefined {
  const named = (name: string): string => attributes.find(({ key }) => key === name)?.value ?? '';
  switch (type) {
    case 'coin_spent':
      return { account: named('spender'), wei: -amountOfDenom(named('amount'), denom) * unit, creates: false };
    case 'coin_received':
      return { account: named('receiver'), wei: amountOfDenom(named('amount'), denom) * unit, creates: true };
    case 'fractional_balance_change':
      return unit === 1n ? undefined : { account: named('address'), wei: BigInt(named('delta')), creates: false };
    default:
      return undefined;
  }
}

/** `100atest,5ibc/ABC`: the amount of one denom. */
function amountOfDenom(coins: string, denom: string): bigint {
  const found = coins.split(',').find((one) => one.replace(/^[0-9]+/, '') === denom);
  return BigInt(found === undefined ? '0' : found.slice(0, -denom.length));
}
