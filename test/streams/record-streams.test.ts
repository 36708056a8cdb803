import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExecutionOutput } from '../../src/core/chain/execution-output.js';
import type { Recorded } from '../../src/core/log-events.js';
import type { LogRecord } from '../../src/core/log-record.js';
import { toHeight, toPosition, toTimeNs, type Height, type Position } from '../../src/core/primitives.js';
import { admissions, createRecordStreams, executed, type Slot } from '../../src/streams/index.js';

type Name = 'ledger' | 'mempool' | 'push';

/** Deliberately out of order: `applied` comes first whatever the order in the table. */
const SLOTS: readonly Slot<Name>[] = [
  { consumer: 'push', phase: 'published' },
  { consumer: 'ledger', phase: 'applied' },
  { consumer: 'mempool', phase: 'applied' },
];

/** A log in memory whose records are admissions of one byte, and blocks without writes. */
function world() {
  const log: LogRecord[] = [];
  let position = 0n;
  let height = 0n;
  const streams = createRecordStreams<Name>({
    slots: SLOTS,
    shown: toPosition(0n),
    async *read({ from, through }) {
      for (const record of [...log]) {
        await Promise.resolve();
        const events = record.events.filter((event) => event.position >= from && event.position <= through);
        const last = events.at(-1);
        if (last !== undefined) yield { position: last.position, events };
      }
    },
  });
  const recordOf = (events: readonly Recorded['event'][]): LogRecord => {
    const recorded = events.map((event): Recorded => {
      position += 1n;
      const at = toPosition(position);
      return { position: at, stream: 'chain', streamPosition: position, time: toTimeNs(0n), cause: '', event };
    });
    return { position: toPosition(position), events: recorded };
  };
  const write = (events: readonly Recorded['event'][]): Position => {
    const record = recordOf(events);
    log.push(record);
    streams.written(record);
    return record.position;
  };
  return {
    streams,
    admit: (byte: number) => write([{ type: 'TxAdmitted', v: 2, data: { tx: Uint8Array.of(byte), left: [] } }]),
    execute: (): Height => {
      height += 1n;
      const at = toHeight(height);
      write([
        {
          type: 'BlockExecuted',
          v: 1,
          data: { height: at, results: Uint8Array.of(), writes: [], upgradeHeight: undefined },
        },
      ]);
      return at;
    },
    hash: (at: Height) => streams.executed({ state: { height: at } } as unknown as ExecutionOutput),
  };
}

describe('records of the log', () => {
  test('are published to views, then actors, then push, whatever the order of subscription', () => {
    const { streams, admit } = world();
    const seen: string[] = [];
    for (const name of ['push', 'mempool', 'ledger'] as const)
      streams.of(name, [admissions]).live.subscribe(({ position }) => seen.push(`${name} ${position}`));
    admit(1);
    expect(seen).toEqual(['ledger 1', 'mempool 1', 'push 1']);
  });

  test('are published to a consumer that subscribes again in its old place', () => {
    const { streams, admit } = world();
    const seen: string[] = [];
    const hear = (name: Name) => streams.of(name, [admissions]).live.subscribe(() => seen.push(name));
    const ledger = hear('ledger');
    hear('push');
    ledger.unsubscribe();
    hear('ledger');
    admit(1);
    expect(seen).toEqual(['ledger', 'push']);
  });

  test('are published to all consumers before a record that one of them appends meanwhile', () => {
    const { streams, admit } = world();
    const seen: string[] = [];
    streams.of('ledger', [admissions]).live.subscribe(({ position }) => {
      seen.push(`ledger ${position}`);
      if (position === 1n) admit(2);
    });
    streams.of('push', [admissions]).live.subscribe(({ position }) => seen.push(`push ${position}`));
    admit(1);
    expect(seen).toEqual(['ledger 1', 'push 1', 'ledger 2', 'push 2']);
  });

  test('are published to the other consumers when one throws', async () => {
    const errors: unknown[] = [];
    const { streams, admit } = world();
    const seen: Position[] = [];
    const thrown = new Promise((resolve) => process.once('uncaughtException', resolve));
    streams.of('ledger', [admissions]).live.subscribe(() => {
      throw new Error('a defect');
    });
    streams.of('push', [admissions]).live.subscribe(({ position }) => seen.push(position));
    admit(1);
    errors.push(await thrown);
    expect(seen).toEqual([1n]);
    expect(errors).toEqual([new Error('a defect')]);
  });

  test('are withheld, with all later ones, until the app hash of their block is known', async () => {
    const { streams, admit, execute, hash } = world();
    const seen: string[] = [];
    streams.of('push', [admissions, executed]).live.subscribe(({ type, position }) => seen.push(`${type} ${position}`));
    admit(1);
    const height = execute();
    const last = admit(2);
    let reached = false;
    const waits = streams.reached(last).then(() => {
      reached = true;
    });
    expect([seen, streams.head(), reached]).toEqual([['admitted 1'], 1n, false]);
    hash(height);
    await waits;
    expect([seen, streams.head(), streams.shown()]).toEqual([['admitted 1', 'executed 2', 'admitted 3'], 3n, 3n]);
  });

  test('are published when the app hash came before the record', () => {
    const { streams, execute, hash } = world();
    const seen: Position[] = [];
    streams.of('push', [executed]).live.subscribe(({ position }) => seen.push(position));
    hash(toHeight(1n));
    execute();
    expect(seen).toEqual([1n]);
  });
});

test('a stream from any position, begun at any moment, yields every later message once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('admit', 'execute', 'turn', 'hear'), { minLength: 1, maxLength: 40 }),
      fc.nat({ max: 20 }),
      async (steps, from) => {
        const { streams, admit, execute, hash } = world();
        const readers: { readonly from: bigint; readonly seen: Position[] }[] = [];
        let written = 0;
        for (const step of steps) {
          if (step === 'admit') admit((written += 1) % 256);
          if (step === 'execute') {
            written += 1;
            hash(execute());
          }
          if (step === 'turn') await new Promise((resolve) => setImmediate(resolve));
          if (step === 'hear') {
            const seen: Position[] = [];
            const start = toPosition(BigInt(Math.min(from, written)));
            readers.push({ from: start, seen });
            streams
              .of('mempool', [admissions, executed])
              .from(start)
              .subscribe(({ position }) => seen.push(position));
          }
        }
        for (let turns = 0; turns < 200; turns += 1) await Promise.resolve();
        await new Promise((resolve) => setImmediate(resolve));
        for (const { from: start, seen } of readers) {
          const expected = Array.from({ length: written - Number(start) }, (_, index) => start + BigInt(index + 1));
          expect(seen).toEqual(expected);
        }
      },
    ),
    { numRuns: 300 },
  );
});
