/** Pending transactions at a start: a checkpoint and the log after it give the same as the whole log. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BlockDecidedV1, LogEvent } from '../../../src/core/log-events.js';
import { toPosition } from '../../../src/core/primitives.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import { openPending } from '../../../src/runtime/chain/pending.js';
import { be64 } from '../../../src/core/bytes/big-endian.js';
import { concat } from '../../../src/core/bytes/bytes.js';
import { openEventLog, type EventLog } from '../../../src/store/log/event-log.js';
import { PREFIX } from '../../../src/store/keys.js';
import { MemoryStore } from '../../support/memory-store.js';
import { readPoolCheckpoint } from '../../../src/store/pool/pool-checkpoint.js';
import { admitted, crypto, decided, dropped, executed, reverted, steppingClock, text } from '../../store/support.js';
import { propertyRuns } from '../../support/property-runs.js';
import { encode } from '../../support/encode.js';

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six'];

async function opened(store = new MemoryStore()): Promise<{ store: MemoryStore; log: EventLog }> {
  return { store, log: await openEventLog({ store, crypto, clock: steppingClock(), sync: 'os' }) };
}

const decides = (height: bigint, names: readonly string[]): BlockDecidedV1 => {
  const event = decided(height);
  const block = encode(BlockSchema, { data: { txs: names.map(text) } });
  return { ...event, data: { ...event.data, block } };
};
const append = (log: EventLog, ...events: readonly LogEvent[]) => log.append(events.map((event) => ({ event })));
const namesOf = (waiting: { all(): readonly { readonly tx: Uint8Array }[] }): readonly string[] =>
  waiting.all().map(({ tx }) => new TextDecoder().decode(tx));

test('an admission is pending until it is executed, dropped, replaced or reverted', async () => {
  const { store, log } = await opened();
  const fold = async (): Promise<readonly string[]> => namesOf((await openPending({ log, store, crypto })).waiting);
  await append(log, admitted('one'), admitted('two'), admitted('three'));
  await append(log, admitted('four', ['two']), dropped('three'));
  expect(await fold()).toEqual(['one', 'four']);
  await append(log, decides(1n, ['one']));
  expect(await fold()).toEqual(['one', 'four']);
  await append(log, executed(1n));
  expect(await fold()).toEqual(['four']);
  await append(log, reverted(0n), admitted('one'));
  expect(await fold()).toEqual(['one']);
});

test('checkpoints at every position of any log give the same pending transactions as the whole log', async () => {
  const name = fc.constantFrom(...NAMES);
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('admitted' as const), name, left: fc.array(name, { maxLength: 1 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('dropped' as const), names: fc.array(name, { maxLength: 2 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('block' as const), names: fc.array(name, { maxLength: 3 }) }),
    },
    { weight: 2, arbitrary: fc.constant({ kind: 'checkpoint' as const }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { store, log } = await opened();
      let height = 0n;
      let checkpoints = 0;
      for (const one of steps) {
        if (one.kind === 'admitted') await append(log, admitted(one.name, one.left));
        if (one.kind === 'dropped') await append(log, dropped(...one.names));
        if (one.kind === 'block') {
          height += 1n;
          await append(log, decides(height, one.names), executed(height));
        }
        if (one.kind !== 'checkpoint') continue;
        const { waiting, checkpoint } = await openPending({ log, store, crypto });
        await checkpoint.write(log.head().position);
        checkpoints += 1;
        expect((await readPoolCheckpoint(store))?.waiting).toHaveLength(waiting.size);
      }
      const known = (await openPending({ log, store, crypto })).waiting.all();
      const rows = checkpoints === 0 ? store : await withoutCheckpoint(store);
      expect((await openPending({ log, store: rows, crypto })).waiting.all()).toEqual(known);
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('a checkpoint is written after enough events, and not before', async () => {
  const { store, log } = await opened();
  await append(log, admitted('one'));
  const { waiting, checkpoint } = await openPending({ log, store, crypto });
  const first = (await readPoolCheckpoint(store))?.position;
  waiting.admitted({ position: toPosition(2n), tx: text('two'), displaced: [] });
  checkpoint.follow(toPosition(4_096n));
  await checkpoint.idle();
  expect((await readPoolCheckpoint(store))?.position).toBe(first);
  checkpoint.follow(toPosition(4_097n));
  await checkpoint.idle();
  expect(await readPoolCheckpoint(store)).toEqual({
    position: 4_097n,
    waiting: [
      { position: 1n, tx: text('one') },
      { position: 2n, tx: text('two') },
    ],
  });
});

test('rows by hash of an older home give its pending transactions, and are replaced by a checkpoint', async () => {
  const { store, log } = await opened();
  await append(log, admitted('fell'), admitted('waits'), admitted('first'));
  const row = (tx: string, position: bigint) => ({
    type: 'put' as const,
    key: concat(Uint8Array.of(PREFIX.pending), crypto.sha256(text(tx))),
    value: concat(be64(position), text(tx)),
  });
  await store.commit([row('waits', 2n), row('first', 1n)]);
  expect(namesOf((await openPending({ log, store, crypto })).waiting)).toEqual(['first', 'waits']);
  expect(await store.range({ start: Uint8Array.of(0x40), end: Uint8Array.of(0x41), limit: 10 })).toEqual([]);
  await append(log, decides(1n, ['first']), executed(1n), admitted('later'));
  expect(namesOf((await openPending({ log, store, crypto })).waiting)).toEqual(['waits', 'later']);
});

async function withoutCheckpoint(store: MemoryStore): Promise<MemoryStore> {
  const copy = new MemoryStore();
  const rows = await store.range({ start: Uint8Array.of(0), end: Uint8Array.of(0xff), limit: 100_000 });
  await copy.commit(rows.filter(({ key }) => key[0] !== PREFIX.pool).map((one) => ({ type: 'put', ...one })));
  return copy;
}
