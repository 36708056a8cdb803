/** A dev chain that has the modules of evmos (version v3) from its genesis on. */
import type { Module } from '../../../src/core/sdk/module/module.js';
import { chronicle } from '../../../src/core/app/presets.js';
import type { AppVersion } from '../../../src/core/sdk/module/app-version.js';
import { versionOfChain } from '../../../src/core/sdk/module/version-of-chain.js';
import { asObject } from '../../../src/core/text/json-object.js';
import { encodeAddress, moduleAddress } from '../../../src/core/sdk/codec/address.js';
import { chain, DevChain } from './dev-chain.js';
import { crypto } from './support.js';

/** Address of a module's account. */
export const bech32Of = (module: string): string => encodeAddress('chron', moduleAddress(crypto, module));

export const LATER_CHAIN = { ...chain, genesisModules: ['epochs'] };
export const later: AppVersion = versionOfChain(chronicle, LATER_CHAIN);

/** The module of this name. */
export function moduleOf(name: string): Module {
  const found = later.modules.find((module) => module.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

type Sections = Readonly<Record<string, unknown>>;

/** Time of the genesis, Unix nanoseconds. */
export const GENESIS_TIME = 1_700_000_000n * 1_000_000_000n;
export const DAY = 86_400_000_000_000n;

/** `sections` are merged into the sections of the dev genesis; `held`: coins of module accounts, in achr. */
export function laterChain(sections: Sections = {}, held: Readonly<Record<string, bigint>> = {}): DevChain {
  const app = asObject(new DevChain().founding['app_state']) ?? {};
  const bank = asObject(app['bank']) ?? {};
  const listOf = (name: string): readonly unknown[] => {
    const list: unknown = bank[name];
    return Array.isArray(list) ? list : [];
  };
  const balances = Object.entries(held).map(([module, amount]) => ({
    address: bech32Of(module),
    coins: [{ denom: 'achr', amount: amount.toString() }],
  }));
  const changed = Object.entries({ ...sections, bank: { balances: [...listOf('balances'), ...balances], supply: [] } });
  const dev = new DevChain(
    { chain: LATER_CHAIN },
    4,
    true,
    Object.fromEntries(changed.map(([name, fields]) => [name, { ...asObject(app[name]), ...asObject(fields) }])),
  );
  dev.now = GENESIS_TIME + 1n;
  return dev;
}

/** Executes a block at time `now` and returns its events as texts; throws if a transaction fails. */
export function eventsAt(dev: DevChain, now: bigint, ...txs: readonly Uint8Array[]): readonly string[] {
  dev.now = now;
  const result = dev.block(...txs);
  if (result.kind !== 'executed') throw new Error(result.reason);
  for (const { code, log } of result.results.txResults) if (code !== 0) throw new Error(log);
  return [...result.results.events, ...result.results.txResults.flatMap(({ events }) => events)].map(
    ({ type, attributes }) => [type, ...attributes.map(({ key, value }) => `${key}=${value}`)].join(' '),
  );
}
