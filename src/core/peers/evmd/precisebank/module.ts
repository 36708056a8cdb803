/**
 * Fractional balances of coins with fewer than 18 decimals (cosmos/evm v0.6 `x/precisebank`): genesis and queries.
 * `src/core/peers/evmd/precisebank/move.ts` moves them.
 */
import { GenesisStateSchema } from '../../../proto/cosmos/evm/precisebank/v1/genesis_pb.js';
import { encodeAddress, parseAddress } from '../../../sdk/codec/address.js';
import { coin, parseAmount } from '../../../sdk/coins/coins.js';
import type { Context } from '../../../sdk/module/context.js';
import { STORE } from '../../../sdk/module/fraction-keys.js';
import { GenesisError, readSection, writeSection } from '../../../sdk/module/genesis-section.js';
import { type Invariant, type Module, query } from '../../../sdk/module/module.js';
import { ensureModuleAccount } from '../../../modules/auth/accounts.js';
import { getBalance } from '../../../modules/bank/balances.js';
import { evmCoin, evmDenom } from '../../../sdk/coins/evm-coin.js';
import { fractions, getFraction, getRemainder, setFraction, setRemainder } from './fractions.js';
import { readBech32Address } from '../../../sdk/codec/bech32-address.js';
import * as pb from '../../../proto/cosmos/evm/precisebank/v1/query_pb.js';
import { reserveOf } from './move.js';

/**
 * Invariant: the reserve equals the sum of all fractional balances and the remainder. A coin with 18 decimals has
 * none.
 */
const reserve: Invariant = {
  name: 'reserve-backs-fractions',
  check(context: Context) {
    const { denom, unit } = evmCoin(context);
    if (unit === 1n) return undefined;
    let backed = getRemainder(context);
    for (const { amount } of fractions(context)) backed += amount;
    const held = getBalance(context, reserveOf(context), denom) * unit;
    return held === backed ? undefined : `the reserve holds ${held}, and backs ${backed}`;
  },
};

/**
 * Queries of precisebank (cosmos/evm v0.6 `x/precisebank/keeper/grpc_query.go`). A coin with 18 decimals has no
 * fractions.
 */
const queries = [
  query(pb.Query, 'remainder', (context) => ({ remainder: coin(evmDenom(context), getRemainder(context)) })),
  query(pb.Query, 'fractionalBalance', (context, { address }) => {
    const owner = readBech32Address(context.chain.bech32Prefix, address);
    if (!owner.ok) throw owner.error;
    return {
      fractionalBalance: coin(evmDenom(context), getFraction(context, owner.bytes)),
    };
  }),
];

const PATH = 'app_state.precisebank';

/**
 * Fractional balances and remainder must add up to whole coins that the reserve holds (`genesis.go`,
 * `types/genesis.go`).
 */
function initGenesis(context: Context, section: unknown): void {
  const { balances, remainder } = readSection(PATH, GenesisStateSchema, section ?? {});
  const account = ensureModuleAccount(context, 'precisebank');
  const { denom, extended, unit } = evmCoin(context);
  const left = fractionOf(`${PATH}.remainder`, remainder === '' ? '0' : remainder, unit);
  const owners = new Set<string>();
  let sum = left;
  balances.forEach(({ address, amount }, index) => {
    const path = `${PATH}.balances[${index}]`;
    const owner = parseAddress(context.chain.bech32Prefix, address);
    if (owner === undefined) throw new GenesisError(`${path}.address`, `not an address: ${address}`);
    if (owners.has(address.toLowerCase())) throw new GenesisError(path, `duplicate address ${address.toLowerCase()}`);
    owners.add(address.toLowerCase());
    const fraction = fractionOf(`${path}.amount`, amount, unit);
    if (fraction === 0n) throw new GenesisError(`${path}.amount`, 'non-positive amount 0');
    sum += fraction;
    setFraction(context, owner, fraction);
  });
  if (sum % unit !== 0n)
    throw new GenesisError(
      PATH,
      `sum of fractional balances ${sum - left} + remainder ${left} is not a multiple of ${unit}`,
    );
  const held = getBalance(context, account, denom);
  if (sum > 0n && held * unit !== sum)
    throw new GenesisError(
      PATH,
      `the reserve holds ${held}${denom}, and backs ${sum}${extended} (${sum / unit}${denom})`,
    );
  if (left > 0n) setRemainder(context, left);
}

/** Parses an amount that must be less than one coin. */
function fractionOf(path: string, amount: string, unit: bigint): bigint {
  const value = parseAmount(amount);
  if (value === undefined) throw new GenesisError(path, `not an amount: ${amount}`);
  if (value >= unit) throw new GenesisError(path, `amount ${value} exceeds max of ${unit - 1n}`);
  return value;
}

export const precisebankModule: Module = {
  name: 'precisebank',
  store: STORE,
  consensusVersion: 1n,
  initGenesis,
  exportGenesis: (context) =>
    writeSection(GenesisStateSchema, {
      balances: Array.from(fractions(context), ({ address, amount }) => ({
        address: encodeAddress(context.chain.bech32Prefix, address),
        amount: amount.toString(),
      })),
      remainder: getRemainder(context).toString(),
    }),
  messages: [],
  queries,
  invariants: [reserve],
  evmAddressOf: (key) => (key.length === 21 && key[0] === 1 ? key.subarray(1) : undefined),
};
