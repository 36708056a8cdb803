/** Contexts for tests of staking's own functions. */
import { Contexts } from '../../../../src/core/app/contexts.js';
import { evmd } from '../../../../src/core/app/presets.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import type { AppVersion } from '../../../../src/core/sdk/module/app-version.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import { goldenLines } from '../../../support/golden.js';
import { chain } from '../../app/recorded-evm.js';
import { crypto, fromHex, stateOf } from '../../app/support.js';
import type { RecordedEntry } from '../../app/recorded-state.js';

/** A context of a block over an empty state; staking has no listeners. */
export function emptyContext(height = 1n << 62n, time = 1n << 62n): Context {
  const version: AppVersion = { ...evmd, hooks: { staking: [], gov: [], ethereum: [] } };
  const contexts = new Contexts({ version, chain, crypto, router: new MessageRouter(version) });
  const at = { chainId: '9001', height: toHeight(height), time: toTimeNs(time) };
  return contexts.of(at, stateOf([]), 'block');
}

/** Writes the pairs of a recorded state (or of a difference to one) that have one of the stores. */
export function load({ store }: Context, file: string, stores: readonly string[]): void {
  for (const { s, k, v } of goldenLines<RecordedEntry>(`chain-a/${file}.jsonl`)) {
    if (s === undefined || !stores.includes(s)) continue;
    if (v === null) store.delete(s, fromHex(k));
    else store.set(s, fromHex(k), fromHex(v));
  }
}
