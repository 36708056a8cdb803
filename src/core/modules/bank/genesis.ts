import { create } from '@bufbuild/protobuf';
import { encodeAddress } from '../../sdk/codec/address.js';
import { text } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { areValidCoins, coin, formatCoins, sumCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { addressAt, GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import { MetadataSchema } from '../../proto/cosmos/bank/v1beta1/bank_pb.js';
import { BalanceSchema, GenesisStateSchema, type Balance } from '../../proto/cosmos/bank/v1beta1/genesis_pb.js';
import { fromBinary } from '@bufbuild/protobuf';
import {
  allSendEnabled,
  BALANCE_PREFIX,
  decodeAmount,
  getParams,
  METADATA_PREFIX,
  setBalance,
  setMetadata,
  setParams,
  setSendEnabled,
  setSupply,
  STORE,
  SUPPLY_PREFIX,
} from './balances.js';

/**
 * Writes params, balances, metadata and the supply, which is the sum of the balances; a stated supply must equal it.
 */
export function initGenesis(context: Context, section: unknown): void {
  const state = readSection('app_state.bank', GenesisStateSchema, section ?? {});
  setParams(context, { ...(state.params ?? getParams(context)), sendEnabled: [] });
  for (const { denom, enabled } of [...(state.params?.sendEnabled ?? []), ...state.sendEnabled])
    setSendEnabled(context, denom, enabled);
  state.balances.forEach(({ address, coins }, index) => {
    const path = `app_state.bank.balances[${index}]`;
    const holder = addressAt(`${path}.address`, context.chain.bech32Prefix, address);
    if (!areValidCoins(coins))
      throw new GenesisError(`${path}.coins`, `coins must be positive, sorted and unique: ${formatCoins(coins)}`);
    for (const { denom, amount } of coins) setBalance(context, holder, denom, BigInt(amount));
  });
  const supply = sumCoins(state.balances.flatMap(({ coins }) => coins));
  if (state.supply.length > 0 && formatCoins(state.supply) !== formatCoins(supply)) {
    throw new GenesisError(
      'app_state.bank.supply',
      `genesis supply is incorrect, expected ${formatCoins(state.supply)}, got ${formatCoins(supply)}`,
    );
  }
  for (const { denom, amount } of supply) setSupply(context, denom, BigInt(amount));
  for (const metadata of state.denomMetadata) setMetadata(context, metadata);
}

/** Exports balances, supply, metadata and send-enabled flags, each in key order. */
export function exportGenesis(context: Context): unknown {
  const { store } = context;
  const balances = new Map<string, Balance>();
  for (const { key, value } of store.range(STORE, prefixRange(BALANCE_PREFIX))) {
    const length = key[1] ?? 0;
    const address = encodeAddress(context.chain.bech32Prefix, key.subarray(2, 2 + length));
    const balance = balances.get(address) ?? create(BalanceSchema, { address });
    balance.coins.push(coin(text(key.subarray(2 + length)), decodeAmount(value)));
    balances.set(address, balance);
  }
  return writeSection(GenesisStateSchema, {
    params: getParams(context),
    balances: [...balances.values()],
    supply: Array.from(store.range(STORE, prefixRange(SUPPLY_PREFIX)), ({ key, value }) =>
      coin(text(key.subarray(1)), decodeAmount(value)),
    ),
    denomMetadata: Array.from(store.range(STORE, prefixRange(METADATA_PREFIX)), ({ value }) =>
      fromBinary(MetadataSchema, value),
    ),
    sendEnabled: [...allSendEnabled(context)],
  });
}
