/** Rebuilds a database from the events of a log alone, with the rows that the node would have written. */
import { fromBinary } from '@bufbuild/protobuf';
import type { Recorded, Reverted } from '../../src/core/log-events.js';
import type { Crypto } from '../../src/core/ports/crypto.js';
import type { KeyValue, KeyValueStore, StoreOperation } from '../../src/core/ports/key-value-store.js';
import { toHeight, toPosition, type Height, type Position, type TimeNs } from '../../src/core/primitives.js';
import { invariant } from '../../src/core/errors.js';
import type { ChainState } from '../../src/core/chain/chain-state.js';
import { decidedRows, executedRows, genesisRows } from '../../src/runtime/chain/block-rows.js';
import { ReExecution } from '../../src/runtime/re-execution/re-execute.js';
import { deepestRevert } from '../../src/runtime/re-execution/re-execute-log.js';
import { blockEvents } from '../../src/runtime/chain/indexer.js';
import { type EventLog, openEventLog } from '../../src/store/log/event-log.js';
import { History } from '../../src/store/history/history.js';
import { indexedThrough } from '../../src/store/index-rows/index-rows.js';
import { rebuildIndexes } from './rebuild-indexes.js';
import { PREFIX } from '../../src/store/keys.js';
import { MemoryStore } from './memory-store.js';
import { devRows, readSnapshots } from '../../src/store/dev/dev-rows.js';
import { EncodedResults } from '../../src/core/comet/encoded-results.js';
import { blockIdOf } from '../../src/core/comet/part-set.js';
import { DEFAULT_LIMITS } from '../../src/core/limits/limits.js';
import { BlockSchema } from '../../src/core/proto/tendermint/types/block_pb.js';
import { revertRows } from '../../src/runtime/chain/revert-rows.js';

/** Rows that do not follow from the log, and the reason. */
export const HOST_FACTS: ReadonlyMap<number, string> = new Map([
  [PREFIX.verified, 'how far this host has verified the log: moves with each start'],
  [PREFIX.durable, 'how far the log was on this disk at the last batch: moves with each sync'],
  [PREFIX.pool, 'a shortcut for the next start, made when enough of the log lay behind the one before'],
  [PREFIX.checkpoint, 'a shortcut for the next start, made at heights that were the head for a while'],
]);

export interface Replayed {
  readonly store: KeyValueStore;
  readonly log: EventLog;
  /** After the last executed block, with its app hash. */
  readonly state: ChainState;
}

/**
 * Executes the whole log again and appends its events to an empty database, each record as one batch with the rows that
 * follow from it. Throws when the execution and the log disagree. Attributes are indexed up to the height that the
 * index of `source` has.
 */
export async function replayLog(
  source: { readonly log: EventLog; readonly store: KeyValueStore },
  crypto: Crypto,
): Promise<Replayed> {
  const store = new MemoryStore();
  const times: TimeNs[] = [];
  const clock = {
    now() {
      const time = times.shift();
      invariant(time !== undefined, 'each call has its time');
      return time;
    },
  };
  const log = await openEventLog({ store, crypto, clock, sync: 'os' });
  let history = await History.open(store);
  const execution = new ReExecution(crypto, await deepestRevert(source.log.read({ from: toPosition(1n) })));
  for await (const events of source.log.read({ from: toPosition(1n) })) {
    const calls: { readonly events: Recorded[]; readonly rows: StoreOperation[] }[] = [];
    const historyRows: StoreOperation[] = [];
    for (const recorded of events) {
      const head = execution.state?.height;
      const { disagreements, executed } = await execution.apply(recorded);
      if (disagreements.length > 0)
        throw new Error(disagreements.map(({ position, problem }) => `position ${position}: ${problem}`).join('\n'));
      const rows: StoreOperation[] = [];
      const { event } = recorded;
      if (event.type === 'ChainStarted' && execution.state !== undefined)
        rows.push(...genesisRows(store, history, execution.state, event.data.writes));
      if (event.type === 'BlockDecided' && execution.decided !== undefined)
        rows.push(...decidedRows(crypto, execution.decided.block, execution.decided.blockId));
      if (executed !== undefined) {
        const made = executedRows({ store, history, ...executed });
        rows.push(...made.rows);
        historyRows.push(...made.history);
      }
      if (event.type === 'TimeShifted' || event.type === 'SnapshotTaken')
        rows.push(...devRows(event, recorded.position));
      if (event.type === 'Reverted' && head !== undefined) {
        rows.push(
          ...(await rowsOfRevert(event, {
            store,
            log,
            history,
            crypto,
            head,
            position: recorded.position,
          })),
        );
        history.reverted(event.data.toHeight);
      }
      calls.push({ events: [recorded], rows });
    }
    // Calls that wait together become one batch, and each of them has its own time.
    times.push(...events.map(({ time }) => time));
    await Promise.all(
      calls.map((call) =>
        log.append(
          call.events.map(({ event, cause }) => ({ event, cause })),
          call.rows,
        ),
      ),
    );
    if (events.some(({ event }) => event.type === 'ChainStarted')) history = await History.open(store);
    else history.published(historyRows);
  }
  const { state } = execution;
  invariant(state !== undefined, 'a log begins with ChainStarted');
  const through = indexedThrough(source.store);
  if (through !== undefined) await rebuildIndexes(store, eventsOf(log, state.initialHeight, through), 1_000);
  return { store, log, state };
}

interface ReplayingRevert {
  readonly store: KeyValueStore;
  readonly log: EventLog;
  readonly history: History;
  readonly crypto: Crypto;
  readonly head: Height;
  readonly position: Position;
}

async function rowsOfRevert(
  event: Reverted,
  { store, log, history, crypto, head, position }: ReplayingRevert,
): Promise<readonly StoreOperation[]> {
  const made = await revertRows({
    store,
    history,
    crypto,
    head,
    to: event.data.toHeight,
    lowest: toHeight(0n),
    block(height) {
      const encoded = log.blockAt(height)?.decided.event.data.block;
      const block = encoded && fromBinary(BlockSchema, encoded);
      return block && { block, blockId: blockIdOf(crypto, block).blockId };
    },
    results(height) {
      const executed = log.blockAt(height)?.executed?.event.data;
      return executed && new EncodedResults(executed.results);
    },
    limits: DEFAULT_LIMITS,
    pause: () => Promise.resolve(),
  });
  invariant(made.ok, 'a revert of the log can be replayed');
  const { heights } = await readSnapshots(store);
  return [
    ...made.value,
    ...devRows(
      event,
      position,
      [...heights.keys()].filter((id) => id >= event.data.snapshot),
    ),
  ];
}

/** Every row that follows from the log, as text. */
export async function derivedRows(store: KeyValueStore): Promise<readonly string[]> {
  const all: string[] = [];
  let start: Uint8Array = Uint8Array.of(0);
  for (;;) {
    const rows: readonly KeyValue[] = await store.range({ start, end: Uint8Array.of(0xff), limit: 1_000 });
    for (const { key, value } of rows) {
      if (!HOST_FACTS.has(key[0] ?? 0))
        all.push(`${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < 1_000) return all;
    start = Uint8Array.from([...last.key, 0]);
  }
}

function* eventsOf(log: EventLog, first: bigint, through: bigint) {
  for (let height = first; height <= through; height += 1n) {
    const events = blockEvents(log, toHeight(height));
    invariant(events !== undefined, `block ${height} is executed`);
    yield events;
  }
}
