/** Starts a new chain from the exported genesis of another one, through the JSON text. */
import { expect } from 'vitest';
import { chainOfGenesis, readGenesis } from '../../../src/core/app/chain-of-genesis.js';
import { exportDocument } from '../../../src/core/genesis/export-genesis.js';
import { everyStore } from '../../../src/core/modules/upgrade/apply-block.js';
import type { QueryContext } from '../../../src/core/application-requests.js';
import type { AppVersion } from '../../../src/core/sdk/module/app-version.js';
import type { ChainConfig } from '../../../src/core/sdk/module/chain-config.js';
import { CacheStore } from '../../../src/core/state/overlay.js';
import type { StateReader } from '../../../src/core/state/state.js';
import { crypto, stateOf, toHex } from './support.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface Exported {
  readonly version: AppVersion;
  readonly chain: ChainConfig;
  readonly at: QueryContext;
  readonly founding: JsonObject;
}

/** The genesis document that `export` writes for a state. */
export function exported(state: StateReader, options: Exported): JsonObject {
  return JSON.parse(JSON.stringify(exportDocument(state, { ...options, crypto })));
}

/** Starts a chain from a genesis document; all invariants of its first state are checked. */
export function founded(document: JsonObject, version: AppVersion) {
  const chain = chainOfGenesis({
    document: readGenesis(new TextEncoder().encode(JSON.stringify(document))),
    version,
    evmChainId: undefined,
    minGasPrice: 0n,
    crypto,
  });
  return { ...chain, state: stateOf(chain.begun.writes) };
}

/**
 * Rows that an export leaves out, by store and key prefix. The state after the import has no such keys until its
 * own blocks make them.
 */
const NOT_EXPORTED: readonly { readonly store: string; readonly key: RegExp; readonly reason: string }[] = [
  {
    store: 'staking',
    key: /^50/,
    reason: 'headers of past blocks: no field in GenesisState (cosmos-sdk v0.53 x/staking/keeper/genesis.go)',
  },
  {
    store: 'staking',
    key: /^61/,
    reason: 'validator updates of the last block: SetValidatorUpdates is not called for an exported genesis',
  },
  {
    store: 'staking',
    key: /^37/,
    reason: 'the count of unbondings: no field in GenesisState, IncrementUnbondingID begins again with 1',
  },
  {
    store: 'staking',
    key: /^38/,
    reason: 'unbondings by their number: InitGenesis calls SetUnbondingDelegation, which writes no such index',
  },
  {
    store: 'staking',
    key: /^39/,
    reason: 'kinds of unbondings by their number: as 38',
  },
  {
    store: 'slashing',
    key: /^02\w+ 0000000000000400(00){128}$/,
    reason: 'signing windows without a missed block: only missed blocks are listed (x/slashing/keeper/genesis.go)',
  },
  {
    store: 'dev',
    key: /^0[2-7]/,
    reason: 'settings of dev mode for the next blocks: no field in GenesisState',
  },
  {
    store: 'evm',
    key: /^626c6f636b486173686573/,
    reason: 'hashes of the last block: the new chain has a block 0 of its own',
  },
  {
    store: 'evm',
    key: /^020000f90827f1c53a10cb7a02335b175320002935/,
    reason: 'hashes of past blocks in the history contract of EIP-2935',
  },
  {
    store: 'upgrade',
    key: /^0[013]/,
    reason: 'plan, applied upgrades and their count: x/upgrade has no GenesisState',
  },
];

/** All rows of a state, as texts `store key value`. */
export function pairs(state: StateReader, version: AppVersion): readonly string[] {
  const store = new CacheStore(state);
  return everyStore(version).flatMap((name) =>
    Array.from(store.range(name, {}), ({ key, value }) => `${name} ${toHex(key)} ${toHex(value)}`),
  );
}

/** The rows that an export keeps; it drops code that no account has any more. */
export function carried(all: readonly string[], besides: RegExp = /(?!)/): readonly string[] {
  const codes = new Set(all.flatMap((pair) => /^evm 04\w{40} (\w+)$/.exec(pair)?.[1] ?? []));
  return all.filter((pair) => {
    const [name = '', key = '', value = ''] = pair.split(' ');
    if (besides.test(pair) || (name === 'evm' && key.startsWith('01') && !codes.has(key.slice(2)))) return false;
    return !NOT_EXPORTED.some((one) => one.store === name && one.key.test(`${key} ${value}`));
  });
}

/**
 * Rows of a state as the import writes them: the next account number follows the largest one taken, also when
 * the newest account was removed by its own transaction (SanitizeGenesisAccounts in x/auth/types/genesis.go).
 */
function numbered(all: readonly string[]): readonly string[] {
  const taken = all.flatMap((pair) => /^acc 6163636f756e744e756d626572(\w{16}) /.exec(pair)?.[1] ?? []);
  const next = taken.reduce((most, number) => Math.max(most, parseInt(number, 16) + 1), 0);
  return all.map((pair) => (pair.startsWith('acc 02 ') ? `acc 02 ${next.toString(16).padStart(16, '0')}` : pair));
}

/** Export and import give the same state, except for rows that an export leaves out and rows matching `besides`. */
export function expectFoundedAgain(state: StateReader, options: Exported, besides?: RegExp): void {
  const again = founded(exported(state, options), options.version);
  expect(again.document.initialHeight).toBe(options.at.height + 1n);
  expect(carried(pairs(again.state, options.version), besides)).toEqual(
    carried(numbered(pairs(state, options.version)), besides),
  );
}
