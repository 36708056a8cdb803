import { parseAddress } from '../../sdk/codec/address.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import type { Event } from '../../proto/tendermint/abci/types_pb.js';
import type { ContractMoves } from '../../modules/evm/precompiles/call-rules.js';
import { hasAccount } from '../../modules/auth/accounts.js';
import { isBlocked } from '../../modules/bank/send-rules.js';
import { evmCoin, type EvmCoin } from '../../sdk/coins/evm-coin.js';

/**
 * Applies bank's coin events to the EVM's balances; returns the accounts. Skips module accounts, whose balances are
 * only in bank (cosmos/evm v0.6 `precompiles/common/balance_handler.go`). A call by a module also pays for reading
 * accounts whose change is zero.
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
    // Also read for a zero change, because a module's transaction pays for the read.
    const balance = journal.balance(address);
    if (wei === 0n) return !creates || hasAccount(context, address) ? [] : [address];
    if (balance + wei < 0n)
      throw plainError(`the EVM knows ${balance}${coin.extended} of ${-wei}${coin.extended} that were spent`);
    journal.setBalance(address, balance + wei);
    return [address];
  });
}

/** Balance change of an account by an event; undefined for other events. */
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

/** Amount of one denom in text like `100atest,5ibc/ABC`. */
function amountOfDenom(coins: string, denom: string): bigint {
  const found = coins.split(',').find((one) => one.replace(/^[0-9]+/, '') === denom);
  return BigInt(found === undefined ? '0' : found.slice(0, -denom.length));
}
