import { expect, test } from 'vitest';
import { createPump, createPushEngine, type Delivery, type PushSocket } from '../../../src/adapters/push/index.js';
import { ETHEREUM_ENCODING } from '../../../src/adapters/eth-rpc/subscriptions/encoding.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { inspectSubscriptions } from '../../../src/node/inspection/subscriptions.js';
import { MemoryStore } from '../../support/memory-store.js';
import { simulate } from '../simulated-node.js';

/** A socket that accepts every frame and reports `buffered` bytes. */
function socket(): PushSocket & { readonly sent: string[]; ended: string | undefined; buffered: number } {
  const sent: string[] = [];
  return {
    sent,
    ended: undefined,
    buffered: 0,
    send(text) {
      sent.push(text);
      return 'sent';
    },
    bufferedBytes() {
      return this.buffered;
    },
    cork: (run) => run(),
    end(_code, reason) {
      this.ended = reason;
    },
  };
}

test('subscriptions and filters are listed with deliveries, lag and end reason, and can be stalled or cut', async () => {
  const simulated = await simulate({ store: new MemoryStore() });
  const { node, time } = simulated;
  const limits = DEFAULT_LIMITS;
  const timers = { after: time.after.bind(time), yield: time.yield.bind(time) };
  const pump = createPump<Delivery>({ limits, timers, clock: time });
  const onDefect = (error: unknown): void => {
    throw error;
  };
  const engine = createPushEngine({ subscriptions: node.subscriptions, pump, timers, limits, onDefect });
  const view = inspectSubscriptions({ engine, filters: node.filters, head: () => node.api.queries.chain.head() });
  const [fast, slow] = [socket(), socket()];
  const [first, second] = [fast, slow].map((one) => engine.connect(ETHEREUM_ENCODING, one));
  const subscribe = async (connection: typeof first) => {
    const criteria = { kind: 'newHeads', fromBlock: undefined } as const;
    const answer = await connection?.subscribe({ criteria, start: { kind: 'now' }, cursors: false, prefix: () => '' });
    if (answer?.ok !== true) throw new Error('not subscribed');
    answer.subscription.activate();
    return answer.subscription;
  };
  const held = await subscribe(first);
  await subscribe(second);
  slow.buffered = limits.socketPauseBytes;
  await simulated.mineTo(2n);
  const { subscriptions, counts } = view.subscriptions();
  expect(counts).toEqual({ subscriptions: 2, filters: 0 });
  expect(subscriptions.map(({ client, delivered, lag, state }) => ({ client, delivered, lag, state }))).toEqual([
    { client: 'ws-1', delivered: 2, lag: 0, state: 'live' },
    { client: 'ws-2', delivered: 0, lag: 2, state: 'live' },
  ]);
  expect(subscriptions[1]?.bytesWaiting).toBeGreaterThan(slow.buffered);
  expect(subscriptions[0]).toMatchObject({ face: 'ethereum', kind: 'newHeads', criteria: '{}' });
  expect(subscriptions[0]?.cursor).toBe(node.api.queries.chain.head().position);

  // like a client that does not read, and then one that reads again
  const fastId = subscriptions[0]?.id ?? '';
  expect(view.stallSubscription(fastId, true)).toBe(true);
  await simulated.mineTo(3n);
  expect(view.subscriptions().subscriptions[0]).toMatchObject({ state: 'stalled', delivered: 2, lag: 1 });
  expect(view.stallSubscription(fastId, false)).toBe(true);
  expect(view.subscriptions().subscriptions[0]).toMatchObject({ state: 'live', delivered: 3, lag: 0 });
  expect(fast.sent).toHaveLength(3);
  expect(view.stallSubscription('sub-none', true)).toBe(false);

  expect(held.end()).toBe(true);
  expect(await view.cutSubscription(subscriptions[1]?.id ?? '')).toEqual({ ok: true, value: true });
  expect(slow.ended).toBe('cut by a command of dev mode');
  expect(await view.cutSubscription(subscriptions[1]?.id ?? '')).toEqual({ ok: true, value: false });
  expect(view.subscriptions().ended.map(({ client, reason }) => [client, reason])).toEqual([
    ['ws-2', 'cut by a command of dev mode'],
    ['ws-1', 'unsubscribed'],
  ]);

  const id = await node.filters.filters.create({ kind: 'block' });
  if (!id.ok) throw new Error(id.error.code);
  await simulated.mineTo(5n);
  const [filter] = view.subscriptions().filters;
  // at most listedSubscriptions are listed
  const many = Array.from({ length: FIXED_LIMITS.listedSubscriptions + 1 }, () => [...node.filters.installed()]).flat();
  const crowded = { ...node.filters, installed: () => many };
  const { filters } = inspectSubscriptions({
    engine,
    filters: crowded,
    head: () => node.api.queries.chain.head(),
  }).subscriptions();
  expect(filters).toHaveLength(FIXED_LIMITS.listedSubscriptions);
  expect(filter).toMatchObject({ id: `0x${id.value}`, kind: 'block', height: 3n, lag: 2n });
  expect(await view.cutSubscription(filter?.id ?? '')).toEqual({ ok: true, value: true });
  expect(view.subscriptions().filters).toEqual([]);

  // the list of those that ended is bounded
  const third = engine.connect(ETHEREUM_ENCODING, socket());
  for (let index = 0; index <= FIXED_LIMITS.endedSubscriptions; index += 1) await subscribe(third);
  third.closed();
  const { ended } = view.subscriptions();
  expect(ended).toHaveLength(FIXED_LIMITS.endedSubscriptions);
  expect(new Set(ended.map(({ reason }) => reason))).toEqual(new Set(['connection closed']));

  // the text of listed criteria is bounded too; the other subscriptions are only counted
  const fourth = engine.connect(ETHEREUM_ENCODING, socket());
  const addresses = Array.from({ length: 1_000 }, () => new Uint8Array(20));
  const logs = { fromBlock: undefined, toBlock: undefined, addresses, topics: [] };
  for (let index = 0; index < 50; index += 1)
    await fourth.subscribe({
      criteria: { kind: 'logs', criteria: logs },
      start: { kind: 'now' },
      cursors: false,
      prefix: () => '',
    });
  const { subscriptions: told, counts: all } = view.subscriptions();
  expect(all.subscriptions).toBe(50);
  const characters = told.reduce((sum, { criteria }) => sum + criteria.length, 0);
  const last = told.at(-1)?.criteria.length ?? 0;
  expect(characters).toBeGreaterThanOrEqual(FIXED_LIMITS.listedCharacters);
  expect(characters - last).toBeLessThan(FIXED_LIMITS.listedCharacters);
  pump.stop();
  engine.stop();
  await node.stop();
});
