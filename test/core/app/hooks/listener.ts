/**
 * A module with hooks: it counts the gas that each sender of Ethereum transactions used, in its own store. Also
 * listeners that write and then throw.
 */
import { be64, readBe64 } from '../../../../src/core/bytes/big-endian.js';
import { chronicle, ofModules } from '../../../../src/core/app/presets.js';
import { abciEvent } from '../../../../src/core/sdk/module/abci-event.js';
import type { AppVersion } from '../../../../src/core/sdk/module/app-version.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import type {
  EthereumHooks,
  ExecutedTransaction,
  GovHooks,
  StakingHooks,
} from '../../../../src/core/sdk/module/hooks.js';
import type { Module } from '../../../../src/core/sdk/module/module.js';
import { plainError } from '../../../../src/core/sdk/module/sdk-error.js';
import type { StateReader } from '../../../../src/core/state/state.js';

const STORE = 'usage';
const HALF = Uint8Array.of(1);

const usageModule: Module = {
  name: 'usage',
  store: STORE,
  consensusVersion: 1n,
  initGenesis: () => undefined,
  exportGenesis: () => ({}),
  messages: [],
  queries: [],
};

/** Gas that the Ethereum transactions of an account used. */
export const usedBy = (state: StateReader, sender: Uint8Array): bigint =>
  readBe64(state.get(STORE, sender) ?? be64(0n));

/** Counts gas and records every transaction that it receives. */
export function usageHooks(): EthereumHooks & { readonly told: ExecutedTransaction[] } {
  const told: ExecutedTransaction[] = [];
  return {
    name: 'usage',
    told,
    postTxProcessing({ store, events }, executed) {
      const { sender, gasUsed } = executed;
      told.push(executed);
      store.set(STORE, sender, be64(usedBy(store, sender) + gasUsed));
      events.push(abciEvent('usage', [['gas', gasUsed.toString()]]));
    },
  };
}

const withModule: AppVersion = { ...chronicle, ...ofModules([...chronicle.modules, usageModule]) };

/** The preset `chronicle` with the usage module and these listeners. */
export const withListeners = (...ethereum: readonly EthereumHooks[]): AppVersion => ({
  ...withModule,
  hooks: { ...chronicle.hooks, ethereum },
});

/** The preset `chronicle` with the usage module and a listener of staking (after the others) or of gov. */
export const withHooks = ({ staking, gov }: { staking?: StakingHooks; gov?: GovHooks }): AppVersion => ({
  ...withModule,
  hooks: {
    ...chronicle.hooks,
    staking: [...chronicle.hooks.staking, ...(staking === undefined ? [] : [staking])],
    gov: gov === undefined ? [] : [gov],
  },
});

/** Writes a row and emits an event, then throws. */
export function refuseHalfway({ store, events }: Context): never {
  store.set(STORE, HALF, Uint8Array.of(1));
  events.push(abciEvent('half', []));
  throw plainError('the listener refuses');
}

/** True when the row of `refuseHalfway` is in the state. */
export const isHalfDone = (state: StateReader): boolean => state.get(STORE, HALF) !== undefined;
