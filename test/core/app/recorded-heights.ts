/**
 * Executes each height of golden chain-a over the recorded state of the height before, with the modules of this build,
 * and compares writes, results and events with the recording. An error at one height does not affect the next.
 */
import { blockFacts } from '../../../src/core/chain/block-facts.js';
import { blockFromJson } from '../../../src/core/comet/json/block-json.js';
import { blockIdFromJson } from '../../../src/core/comet/json/block-id-json.js';
import { resultsFromJson } from '../../../src/core/comet/json/results-json.js';
import { validatorFromJson } from '../../../src/core/comet/json/validator-json.js';
import { sortedSet, validatorSetHash } from '../../../src/core/comet/validator-set.js';
import { upperHex } from '../../../src/core/bytes/hex.js';
import type { Event, ExecTxResult, ValidatorUpdate } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import type { ValidatorSet } from '../../../src/core/proto/tendermint/types/validator_pb.js';
import type { StateReader, StateWrite } from '../../../src/core/state/state.js';
import { readRecordedChain, type RecordedHeight } from '../../support/recorded-chain.js';
import { nodeCrypto } from '../comet/node-crypto.js';
import { createApplication } from '../../../src/core/app/create-application.js';
import { evmd } from '../../../src/core/app/presets.js';
import { logWithoutStack } from '../../../src/cli/compare/differences.js';
import { createEngineFactory } from '../../../src/runtime/evm/create-engine-factory.js';
import { loadEngineModule } from '../../../src/runtime/evm/load-engine.js';
import { chain } from './recorded-evm.js';
import { crypto, stateOf, toHex } from './support.js';
import { recordedWrites } from './recorded-state.js';

/** Differences at one height, as texts; empty lists mean equal. */
export interface ComparedHeight {
  readonly height: number;
  /** Differing rows by store, as `key: ours, recorded`. */
  readonly writes: ReadonlyMap<string, readonly string[]>;
  /** One text for each transaction that differs; undefined where no results are recorded. */
  readonly results: readonly string[] | undefined;
  /** Events of the block itself, in order. */
  readonly events: readonly string[] | undefined;
  readonly validatorUpdates: readonly string[] | undefined;
}

/** Heights from 2 on, in order. */
export function* compareHeights(): Generator<ComparedHeight> {
  const heights = readRecordedChain();
  const app = createApplication({ version: evmd, chain, crypto, evm: createEngineFactory(loadEngineModule(), crypto) });
  const state = stateOf(recordedWrites());
  const sets = new Map<string, ValidatorSet>();
  for (const { validators } of heights) {
    if (validators === undefined) continue;
    const set = sortedSet(validators.validators.map(validatorFromJson), undefined);
    sets.set(upperHex(validatorSetHash(nodeCrypto, set)), set);
  }
  let before: RecordedHeight | undefined;
  for (const recorded of heights) {
    if (before !== undefined) {
      const block = blockFromJson(recorded.block.block);
      app.forgetState();
      const result = app.finalizeBlock(state, {
        ...blockFacts(block, sets.get(before.block.block.header.validators_hash)),
        hash: blockIdFromJson(recorded.block.block_id).hash,
        txs: block.data?.txs ?? [],
      });
      if (result.kind !== 'executed') throw new Error(result.reason);
      const results = recorded.blockResults && resultsFromJson(recorded.blockResults);
      yield {
        height: Number(recorded.height),
        writes: differentWrites(effective(result.writes, state), recorded.writes),
        results: results && different(result.results.txResults.map(shownResult), results.txResults.map(shownResult)),
        events: results && different(result.results.events.map(shownEvent), results.events.map(shownEvent)),
        validatorUpdates:
          results &&
          different(result.results.validatorUpdates.map(shownUpdate), results.validatorUpdates.map(shownUpdate)),
      };
    }
    for (const { store, key, value } of recorded.writes) {
      if (value === undefined) state.delete(store, key);
      else state.set(store, key, value);
    }
    before = recorded;
  }
}

/** The recording is JSON, in which invalid UTF-8 became U+FFFD; our events are converted likewise. */
const shownEvent = ({ type, attributes }: Event): string =>
  `${type}{${attributes.map(({ key, value }) => `${key}=${value}`).join(', ')}}`.toWellFormed();

const shownResult = ({ code, codespace, log, data, gasWanted, gasUsed, events }: ExecTxResult): string =>
  [
    `code ${code} ${codespace}`,
    `gas ${gasUsed} of ${gasWanted}`,
    logWithoutStack(log),
    toHex(data),
    ...events.map(shownEvent),
  ].join('\n  ');

const shownUpdate = ({ pubKey, power }: ValidatorUpdate): string =>
  `${pubKey?.sum.value === undefined ? '' : toHex(pubKey.sum.value)} ${power}`;

function different(ours: readonly string[], recorded: readonly string[]): readonly string[] {
  return Array.from({ length: Math.max(ours.length, recorded.length) }, (_, index) =>
    ours[index] === recorded[index] ? [] : [`${index}: ours ${ours[index]}\n  recorded ${recorded[index]}`],
  ).flat();
}

/** Leaves out deletions of keys that the state does not have. */
function effective(writes: readonly StateWrite[], state: StateReader): readonly StateWrite[] {
  return writes.filter(({ store, key, value }) => value !== undefined || state.get(store, key) !== undefined);
}

function differentWrites(
  ours: readonly StateWrite[],
  recorded: readonly StateWrite[],
): ReadonlyMap<string, readonly string[]> {
  const valuesOf = (writes: readonly StateWrite[]): ReadonlyMap<string, string> =>
    new Map(
      writes.map(({ store, key, value }) => [`${store} ${toHex(key)}`, value === undefined ? 'deleted' : toHex(value)]),
    );
  const [mine, theirs] = [valuesOf(ours), valuesOf(recorded)];
  const byStore = new Map<string, string[]>();
  for (const place of new Set([...mine.keys(), ...theirs.keys()])) {
    if (mine.get(place) === theirs.get(place)) continue;
    const [store = '', key] = place.split(' ');
    const list = byStore.get(store) ?? [];
    list.push(`${key}: ours ${mine.get(place) ?? 'none'}, recorded ${theirs.get(place) ?? 'none'}`);
    byStore.set(store, list);
  }
  return byStore;
}
