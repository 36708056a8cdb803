import { describe, expect, test } from 'vitest';
import type { BlockContext } from '../../../src/core/application-requests.js';
import type { TracePart } from '../../../src/core/ethereum/api.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { createPool, type PoolThread } from '../../../src/runtime/pool/pool.js';
import type { PoolReply, PoolRequest, PoolTask, TraceTask } from '../../../src/runtime/pool/protocol.js';
import { StreamFlow } from '../../../src/runtime/pool/stream-flow.js';
import { createRequests, decodeMessage, encodeMessage } from '../../../src/runtime/threads/requests.js';
import { VirtualTime } from '../../support/simulated-time.js';

const context: BlockContext = {
  chainId: 'test',
  height: toHeight(7n),
  time: toTimeNs(0n),
  hash: new Uint8Array(32),
  proposer: new Uint8Array(20),
};
const task: Extract<PoolTask, { kind: 'call' }> = { kind: 'call', call: {}, overrides: [], block: {} };
const traces: TraceTask = {
  kind: 'trace-call',
  within: undefined,
  call: {},
  overrides: [],
  block: {},
  options: '{}',
  maxBytes: 1_000,
};
const late: PoolReply = { kind: 'interrupted' };
const done: PoolReply = {
  kind: 'value',
  value: { ok: true, value: { kind: 'success', output: Uint8Array.of(1), gasUsed: 21_000n, logs: [] } },
};

/** Threads whose answers the test sends or withholds; tasks requested in parts yield `parts` first. */
function threads(
  reply: (request: Extract<PoolRequest, { kind: 'run' }>, thread: number) => PoolReply | 'silence',
  parts: readonly TracePart[] = [],
) {
  const stopped: number[] = [];
  let started = 0;
  const start = async (): Promise<PoolThread> => {
    started += 1;
    const me = started;
    return createRequests<PoolRequest, PoolReply>((onReply, onLost) => ({
      post(bytes) {
        const { id, body } = decodeMessage<PoolRequest>(bytes);
        if (body.kind !== 'run') return;
        const answer = reply(body, me);
        if (body.inParts)
          for (const part of parts)
            queueMicrotask(() => onReply(encodeMessage({ id, body: { kind: 'part', part }, more: true })));
        if (answer !== 'silence') queueMicrotask(() => onReply(encodeMessage({ id, body: answer })));
      },
      stop: async () => {
        stopped.push(me);
        onLost('stopped');
      },
    }));
  };
  return { start, stopped, started: () => started };
}

const limits = {
  poolWaiting: 2,
  poolFastMs: 50,
  poolSlowMs: 5_000,
  poolProofMs: 50_000,
  poolListMs: 40_000,
  traceStreamMs: 60_000,
};

describe('the thread pool', () => {
  test('starts no thread before the first call, and one thread for many calls', async () => {
    const host = threads(() => done);
    const pool = createPool({ start: host.start, slowThreads: 1, timers: new VirtualTime(), limits });
    expect(host.started()).toBe(0);
    await pool.run(task, context);
    await pool.run(task, context);
    expect(host.started()).toBe(1);
  });

  test('ends an idle thread of the slow queue, and starts another when needed', async () => {
    const host = threads(({ milliseconds }) => (milliseconds === 50 ? { kind: 'interrupted' } : done));
    const timers = new VirtualTime();
    const pool = createPool({ start: host.start, slowThreads: 1, timers, limits });
    await pool.run(task, context);
    await timers.advance(FIXED_LIMITS.poolIdleMs - 1);
    await pool.run(task, context);
    await timers.advance(FIXED_LIMITS.poolIdleMs - 1);
    expect([host.started(), host.stopped]).toEqual([2, []]);
    await timers.advance(1);
    // The first thread belongs to the fast queue.
    expect([host.started(), host.stopped]).toEqual([2, [2]]);
    expect(await pool.run(task, context)).toMatchObject({ ok: true });
    expect(host.started()).toBe(3);
    await pool.stop();
    expect(host.stopped).toEqual([2, 1, 3]);
    expect(timers.waiting).toBe(0);
  });

  test('runs a call in the fast queue first, and again in the slow queue when it takes too long', async () => {
    const given: number[] = [];
    const host = threads(({ milliseconds }) => {
      given.push(milliseconds);
      return milliseconds === 50 ? { kind: 'interrupted' } : done;
    });
    const pool = createPool({ start: host.start, slowThreads: 1, timers: new VirtualTime(), limits });
    expect(await pool.run(task, context)).toEqual({
      ok: true,
      value: { kind: 'success', output: Uint8Array.of(1), gasUsed: 21_000n, logs: [] },
    });
    expect(given).toEqual([50, 5_000]);
  });

  test.each<[PoolTask, number]>([
    [{ kind: 'eth-proof', address: new Uint8Array(20), slots: [] }, 50_000],
    [{ kind: 'list', path: '/cosmos.auth.v1beta1.Query/Accounts', data: new Uint8Array(0) }, 40_000],
  ])('runs a task $kind, which reads the whole state, in its own queue only', async (heavy, milliseconds) => {
    const given: number[] = [];
    const host = threads((request) => {
      given.push(request.milliseconds);
      return late;
    });
    const pool = createPool({ start: host.start, slowThreads: 1, timers: new VirtualTime(), limits });
    expect(await pool.run(heavy, context)).toEqual({ ok: false, error: { code: 'timeout', milliseconds } });
    expect(given).toEqual([milliseconds]);
  });

  test.each([
    [64, [50, 5_000]],
    [65, [5_000]],
  ])('chooses the queue of a block of %i transactions by its size', async (length, queues) => {
    const given: number[] = [];
    const host = threads(({ milliseconds }) => {
      given.push(milliseconds);
      return late;
    });
    const pool = createPool({ start: host.start, slowThreads: 1, timers: new VirtualTime(), limits });
    const nothing = new Uint8Array(0);
    const tx = { tx: nothing, gasLimit: 21_000n, verified: true, accounts: [] };
    const block = {
      height: toHeight(8n),
      time: toTimeNs(0n),
      chainId: 'test',
      proposerAddress: nothing,
      nextValidatorsHash: nothing,
      previousAppHash: nothing,
      lastCommitVotes: [],
      lastCommitRound: 0,
      misbehavior: [],
      txs: Array.from({ length }, () => tx),
    };
    await pool.run({ kind: 'next-block', block, milliseconds: 4_000 }, context);
    expect(given).toEqual(queues);
  });

  test('answers timeout when the call takes too long in the slow queue, too', async () => {
    const pool = createPool({
      start: threads(() => ({ kind: 'interrupted' })).start,
      slowThreads: 1,
      timers: new VirtualTime(),
      limits,
    });
    expect(await pool.run(task, context)).toEqual({ ok: false, error: { code: 'timeout', milliseconds: 5_000 } });
  });

  test('ends a thread that does not stop in time, and continues with another', async () => {
    const time = new VirtualTime();
    const host = threads((_, thread) => (thread === 1 ? 'silence' : done));
    const pool = createPool({ start: host.start, slowThreads: 1, timers: time, limits });
    const stuck = pool.run(task, context);
    await time.advance(300);
    expect(await stuck).toMatchObject({ ok: true });
    expect(host.stopped).toEqual([1]);
    expect(await pool.run(task, context)).toMatchObject({ ok: true });
  });

  test('streams the traces of a task that is too long for the fast queue, in order', async () => {
    const text = new Uint8Array([1]);
    const parts: readonly TracePart[] = [
      { kind: 'piece', text },
      { kind: 'end', trace: { ok: true, json: '}' } },
    ];
    const flow = new StreamFlow();
    const host = threads(({ inParts }) => (inParts ? { kind: 'value', value: { ok: true, value: [] } } : late), parts);
    const start = async (): Promise<PoolThread> => ({ ...(await host.start()), flow });
    const pool = createPool({ start, slowThreads: 1, timers: new VirtualTime(), limits });
    const stream = await pool.stream(traces, context);
    if (!stream.ok) throw new Error(stream.error.code);
    expect([await stream.value.next(), await stream.value.next(), await stream.value.next()]).toEqual([
      ...parts,
      undefined,
    ]);
  });

  test.each([
    ['whole', 3],
    ['streamed', 4],
  ])('runs %s traces in parallel on %i threads of a machine with three processors', async (kind, most) => {
    const running: number[] = [];
    const host = threads((_, thread) => {
      running.push(thread);
      return 'silence';
    });
    const pool = createPool({
      start: host.start,
      slowThreads: 2,
      timers: new VirtualTime(),
      limits: { ...limits, poolWaiting: 8 },
    });
    const asked = Array.from({ length: 6 }, () =>
      kind === 'whole' ? pool.run(traces, context) : pool.stream(traces, context),
    );
    await new Promise(setImmediate);
    expect(new Set(running)).toEqual(new Set([1, 2, 3, 4].slice(0, most)));
    expect(running).toHaveLength(most);
    await pool.stop();
    await Promise.all(asked);
  });

  test('leaves a call in the fast queue although the slow queue is free', async () => {
    const host = threads(() => 'silence');
    const pool = createPool({ start: host.start, slowThreads: 2, timers: new VirtualTime(), limits });
    const asked = [pool.run(task, context), pool.run(task, context)];
    await new Promise(setImmediate);
    expect(host.started()).toBe(1);
    await pool.stop();
    await Promise.all(asked);
  });

  test("answers a stream of whole traces when they were made within the fast queue's time", async () => {
    const trace = { ok: true, json: '{}' } as const;
    const host = threads(() => ({ kind: 'value', value: { ok: true, value: [trace] } }));
    const pool = createPool({ start: host.start, slowThreads: 1, timers: new VirtualTime(), limits });
    const stream = await pool.stream(traces, context);
    if (!stream.ok) throw new Error(stream.error.code);
    expect([await stream.value.next(), await stream.value.next()]).toEqual([{ kind: 'end', trace }, undefined]);
  });

  test('fails a stream that times out before its first part, and breaks it off later', async () => {
    const none = createPool({ start: threads(() => late).start, slowThreads: 1, timers: new VirtualTime(), limits });
    expect(await none.stream(traces, context)).toEqual({ ok: false, error: { code: 'timeout', milliseconds: 60_000 } });
    const piece: TracePart = { kind: 'piece', text: new Uint8Array([1]) };
    const some = createPool({
      start: threads(() => late, [piece]).start,
      slowThreads: 1,
      timers: new VirtualTime(),
      limits,
    });
    const stream = await some.stream(traces, context);
    if (!stream.ok) throw new Error(stream.error.code);
    expect(await stream.value.next()).toEqual(piece);
    await expect(stream.value.next()).rejects.toThrow('timeout');
  });

  test('refuses calls beyond the limit of waiting ones, and names the limit', async () => {
    const host = threads(() => 'silence');
    const pool = createPool({ start: host.start, slowThreads: 1, timers: new VirtualTime(), limits });
    const first = [pool.run(task, context), pool.run(task, context)];
    await Promise.resolve();
    await Promise.resolve();
    void first;
    const more = await Promise.all(
      [pool.run(task, context), pool.run(task, context), pool.run(task, context)].slice(2),
    );
    expect(more).toEqual([{ ok: false, error: { code: 'limit-exceeded', limit: 'poolWaiting', maximum: 2 } }]);
    await pool.stop();
  });

  test('has stopped only when threads that were ended for a timeout have ended', async () => {
    const time = new VirtualTime();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const host = threads((_, thread) => (thread === 1 ? 'silence' : done));
    const slow = async (): Promise<PoolThread> => {
      const thread = await host.start();
      if (host.started() > 1) return thread;
      return { ...thread, stop: () => Promise.all([thread.stop(), ended]).then(() => undefined) };
    };
    const pool = createPool({ start: slow, slowThreads: 1, timers: time, limits });
    const stuck = pool.run(task, context);
    await time.advance(300);
    await stuck;
    let isStopped = false;
    const stopped = pool.stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    end();
    await stopped;
  });

  test('answers busy after its stop', async () => {
    const host = threads(() => 'silence');
    const pool = createPool({ start: host.start, slowThreads: 1, timers: new VirtualTime(), limits });
    const open = pool.run(task, context);
    await pool.stop();
    expect(await open).toMatchObject({ ok: false });
    expect(await pool.run(task, context)).toEqual({ ok: false, error: { code: 'busy', what: 'the pool' } });
  });
});
