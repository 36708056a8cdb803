import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogEventsRequest, LogPage, ShownEvent } from '../../../src/core/inspection/api.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight, toPosition } from '../../../src/core/primitives.js';
import { logEvents, type LogEventsSource } from '../../../src/node/inspection/log-events.js';
import { MemoryStore } from '../../support/memory-store.js';
import { crypto } from '../../core/app/support.js';
import { devOf, firing } from '../dev/support.js';
import { send, simulate, type SimulatedNode } from '../simulated-node.js';
import { NO_FILTER, noContract, settled } from './support.js';

const EVERYTHING: LogEventsRequest = {
  ...NO_FILTER,
  from: undefined,
  to: undefined,
  isDescending: false,
  limit: FIXED_LIMITS.logEvents,
  data: 'none',
  waitMs: 0,
};

const tx = send(0, 2, 5n, 0n);
let simulated: SimulatedNode;

beforeAll(async () => {
  simulated = await simulate({ store: new MemoryStore() });
  await simulated.mineTo(1n);
  await firing(simulated, devOf(simulated).snapshot());
  await simulated.mineTo(3n);
  await firing(simulated, devOf(simulated).revert(1n));
  await simulated.node.api.commands.broadcastTx(tx);
  await simulated.mineTo(4n);
});

afterAll(() => simulated.node.stop());

async function page(request: Partial<LogEventsRequest>): Promise<LogPage> {
  const answer = await settled(
    simulated,
    simulated.node.inspection(noContract).logEvents({ ...EVERYTHING, ...request }),
  );
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

const positions = (events: readonly ShownEvent[]): readonly bigint[] => events.map(({ recorded }) => recorded.position);

test('logEvents returns all events in log order, each with its line', async () => {
  const { events, next, head } = await page({});
  expect(positions(events)).toEqual(Array.from({ length: Number(head) }, (_, index) => BigInt(index + 1)));
  expect(next).toBeUndefined();
  expect(events[0]?.line).toBe('chain chronicle_271828-1 started, preset chronicle');
  expect(events.map(({ line }) => line)).toContain('reverted to height 1');
});

test.each([1, 2, 3, 7])('logEvents in pages of %i returns all events, in both directions', async (limit) => {
  const whole = positions((await page({})).events);
  for (const isDescending of [false, true]) {
    const found: bigint[] = [];
    let at: bigint | undefined;
    do {
      const { events, next } = await page({
        limit,
        isDescending,
        ...(at !== undefined && (isDescending ? { to: at } : { from: at })),
      });
      expect(events.length).toBeLessThanOrEqual(limit);
      found.push(...positions(events));
      at = next;
    } while (at !== undefined);
    expect(found).toEqual(isDescending ? whole.toReversed() : whole);
  }
});

test('logEvents filters by type, stream, height and cause', async () => {
  const decided = await page({ types: ['BlockDecided'] });
  expect(new Set(decided.events.map(({ recorded }) => recorded.event.type))).toEqual(new Set(['BlockDecided']));
  const admitted = await page({ streams: ['mempool'] });
  expect(admitted.events.map(({ recorded }) => recorded.event.type)).toEqual(['TxAdmitted']);
  expect((await page({ cause: 'nobody' })).events).toEqual([]);
  // blocks 2 and 3 were made twice; those of the branch are found without a range
  const second = await page({ height: toHeight(2n) });
  expect(second.events.map(({ isAbandoned }) => isAbandoned)).toEqual([false, false]);
  const both = await page({ height: toHeight(2n), from: 1n });
  expect(both.events.map(({ isAbandoned }) => isAbandoned)).toEqual([true, true, false, false]);
});

test('logEvents finds the admission and the block decision of a transaction by its hash', async () => {
  const { events } = await page({ tx: crypto.sha256(tx), data: 'decoded' });
  expect(events.map(({ recorded }) => recorded.event.type)).toEqual(['TxAdmitted', 'BlockDecided']);
  expect(events[0]?.data).toContain('/cosmos.bank.v1beta1.MsgSend');
  const [raw] = (await page({ tx: crypto.sha256(tx), data: 'raw' })).events;
  expect(JSON.parse(raw?.data ?? '').tx).toBe(Buffer.from(tx).toString('hex'));
  expect((await page({ tx: new Uint8Array(32) })).events).toEqual([]);
});

test('logEvents refuses positions that are not in the log', async () => {
  const { head } = await page({ limit: 1 });
  for (const request of [{ from: head + 2n }, { to: head + 1n }]) {
    const answer = await settled(
      simulated,
      simulated.node.inspection(noContract).logEvents({ ...EVERYTHING, ...request }),
    );
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
  }
  expect((await page({ from: head + 1n })).events).toEqual([]);
});

test('logEvents reads at most logEventsRead events for a page', async () => {
  const [some] = (await page({ limit: 1 })).events;
  if (some === undefined) throw new Error('the log has events');
  const { logEventsRead } = FIXED_LIMITS;
  const unused = (): never => {
    throw new Error('no event matches');
  };
  const source: LogEventsSource = {
    log: {
      async *read({ from }) {
        const left = Math.max(0, logEventsRead + 2 - Number(from));
        yield Array.from({ length: left }, (_, at) => ({ ...some.recorded, position: toPosition(from + BigInt(at)) }));
      },
      recordOf: unused,
      isOnBranch: unused,
      keptFrom: () => toPosition(1n),
      restored: () => undefined,
    },
    ledger: { place: unused },
    crypto,
    timers: { yield: () => Promise.resolve() },
    shown: () => toPosition(BigInt(logEventsRead) + 1n),
    next: { after: unused, stop: unused },
    names: unused,
  };
  const none = { ...EVERYTHING, types: ['TxDropped'] } as const;
  const first = await logEvents(source, none);
  expect(first).toMatchObject({ ok: true, value: { events: [], next: BigInt(logEventsRead) + 1n } });
  const rest = await logEvents(source, { ...none, from: BigInt(logEventsRead) + 1n });
  expect(rest).toMatchObject({ ok: true, value: { events: [], next: undefined } });
});

test('logEvents waits for the next record, up to its timeout', async () => {
  const { head } = await page({ limit: 1 });
  const waiting = simulated.node.inspection(noContract).logEvents({ ...EVERYTHING, from: head + 1n, waitMs: 5_000 });
  await simulated.mineTo(5n);
  const answer = await settled(simulated, waiting);
  if (!answer.ok) throw new Error(answer.error.code);
  expect(positions(answer.value.events)[0]).toBe(head + 1n);
  const late = simulated.node
    .inspection(noContract)
    .logEvents({ ...EVERYTHING, from: answer.value.head + 1n, waitMs: 500 });
  await simulated.time.advance(500);
  expect(await settled(simulated, late)).toMatchObject({ ok: true, value: { events: [] } });
});

test('logEvents refuses a waiting request above the limit', async () => {
  const { head } = await page({ limit: 1 });
  const asks = Array.from({ length: FIXED_LIMITS.logWaiting + 1 }, () =>
    simulated.node.inspection(noContract).logEvents({ ...EVERYTHING, from: head + 1n, waitMs: 100 }),
  );
  await simulated.time.advance(0);
  await simulated.time.advance(100);
  const answers = await Promise.all(asks.map((asked) => settled(simulated, asked)));
  expect(answers.filter(({ ok }) => !ok)).toEqual([{ ok: false, error: { code: 'busy', what: 'waiting for events' } }]);
});

test('actors() returns the actors, streams and consumers of the node', () => {
  const { actors, streams, consumers } = simulated.node.inspection(noContract).actors();
  expect(actors.map(({ id }) => id).toSorted()).toEqual(
    ['consensus', 'filterManager', 'mempool', 'subscriptionRegistry', 'upgradeKeeper'].toSorted(),
  );
  expect(actors.every(({ mode, inbox, restarts }) => mode !== '' && inbox === 0 && restarts === 0)).toBe(true);
  const head = simulated.node.eventLog.head();
  expect(streams.reduce((sum, { events }) => sum + events, 0n)).toBe(head.position);
  expect(consumers[0]?.consumer).toBe('ledger');
});
