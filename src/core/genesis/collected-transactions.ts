import { asObject } from '../text/json-object.js';
import type { Crypto } from '../ports/crypto.js';
import { decodeBech32, encodeAddress, moduleAddress } from '../sdk/codec/address.js';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Returns the genesis document whose validators come from genesis transactions only: removes listed validators, their
 * delegations and the tokens of the staking pools (cosmos-sdk v0.53 `x/genutil/collect.go` only sets `gen_txs`,
 * because its `init` lists no validators).
 */
export function withGenesisTransactions(
  document: JsonObject,
  transactions: readonly unknown[],
  crypto: Crypto,
): JsonObject {
  const appState = asObject(document['app_state']) ?? {};
  const staking = asObject(appState['staking']) ?? {};
  const bank = asObject(appState['bank']) ?? {};
  const hadValidators = objects(staking['validators']).length > 0;
  return {
    ...document,
    app_state: {
      ...appState,
      ...(hadValidators && {
        staking: { ...staking, validators: [], delegations: [] },
        // InitGenesis computes an empty supply from the balances.
        bank: { ...bank, balances: objects(bank['balances']).filter(isOfNoPool(crypto)), supply: [] },
      }),
      genutil: { gen_txs: transactions },
    },
    ...(asObject(document['consensus']) !== undefined && {
      consensus: { ...asObject(document['consensus']), validators: [] },
    }),
  };
}

function isOfNoPool(crypto: Crypto): (balance: JsonObject) => boolean {
  const pools = ['bonded_tokens_pool', 'not_bonded_tokens_pool'].map((name) => moduleAddress(crypto, name));
  return ({ address }) => {
    const prefix = decodeBech32(String(address))?.prefix;
    return prefix === undefined || !pools.some((pool) => encodeAddress(prefix, pool) === address);
  };
}

function objects(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.map((entry: unknown) => asObject(entry) ?? {}) : [];
}
