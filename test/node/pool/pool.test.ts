import { describe, expect, test } from 'vitest';
import type { BlockContext } from '../../../src/core/application.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { createPool, type PoolThread } from '../../../src/node/pool/pool.js';
import type { PoolReply, PoolRequest, PoolTask } from '../../../src/node/pool/protocol.js';
import { createRequests, decodeMessage, encodeMessage } from '../../../src/node/threads/requests.js';
import { VirtualTime } from '../../support/simulated-time.js';

const context: BlockContext = {
  chainId: 'test',
  height: toHeight(7n),
  time: toTimeNs(0n),
  hash: new Uint8Array(32),
  proposer: new Uint8Array(20),
};
const task: Extract<PoolTask, { kind: 'call' }> = { kind: 'call', call: {}, overrides: [], block: {} };
const done: PoolReply = {
  kind: 'value',
  value: { ok: true, value: { kind: 'success', output: Uint8Array.of(1), gasUsed: 21_000n } },
};

/** Threads whose answers the test sends or withholds. */
function threads(reply: (request: Extract<PoolRequest, { kind: 'run' }>, thread: number) => PoolReply | 'silence') {
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

const limits = { poolWaiting: 2, poolFastMs: 50, poolSlowMs: 5_000 };

describe('the pool', () => {
  test('starts no thread before the first call, and one for many calls', async () => {
    const host = threads(() => done);
    const pool = createPool({ start: host.start, slowThreads: 1, timers: new VirtualTime(), limits });
    expect(host.started()).toBe(0);
    await pool.run(task, context);
    await pool.run(task, context);
    expect(host.started()).toBe(1);
  });

  test('gives a call the fast lane first and begins it again in the slow one', async () => {
    const given: number[] = [];
    const host = threads(({ milliseconds }) => {
      given.push(milliseconds);
      return milliseconds === 50 ? { kind: 'interrupted' } : done;
    });
    const pool = createPool({ start: host.start, slowThreads: 1, timers: new VirtualTime(), limits });
    expect(await pool.run(task, context)).toEqual({
      ok: true,
      value: { kind: 'success', output: Uint8Array.of(1), gasUsed: 21_000n },
    });
    expect(given).toEqual([50, 5_000]);
  });

  test('answers a timeout when the slow lane has no end either', async () => {
    const pool = createPool({
      start: threads(() => ({ kind: 'interrupted' })).start,
      slowThreads: 1,
      timers: new VirtualTime(),
      limits,
    });
    expect(await pool.run(task, context)).toEqual({ ok: false, error: { code: 'timeout', milliseconds: 5_000 } });
  });

  test('ends a thread that does not stop in time, and goes on with another', async () => {
    const time = new VirtualTime();
    const host = threads((_, thread) => (thread === 1 ? 'silence' : done));
    const pool = createPool({ start: host.start, slowThreads: 1, timers: time, limits });
    const stuck = pool.run(task, context);
    await time.advance(300);
    expect(await stuck).toMatchObject({ ok: true });
    expect(host.stopped).toEqual([1]);
    expect(await pool.run(task, context)).toMatchObject({ ok: true });
  });

  test('is busy beyond the calls that may wait', async () => {
    const host = threads(() => 'silence');
    const pool = createPool({ start: host.start, slowThreads: 1, timers: new VirtualTime(), limits });
    const first = [pool.run(task, context), pool.run(task, context)];
    await Promise.resolve();
    await Promise.resolve();
    void first;
    const more = await Promise.all(
      [pool.run(task, context), pool.run(task, context), pool.run(task, context)].slice(2),
    );
    expect(more).toEqual([{ ok: false, error: { code: 'busy', what: 'calls' } }]);
    await pool.stop();
  });

  test('is busy, not silent, after it was stopped', async () => {
    const host = threads(() => 'silence');
    const pool = createPool({ start: host.start, slowThreads: 1, timers: new VirtualTime(), limits });
    const open = pool.run(task, context);
    await pool.stop();
    expect(await open).toMatchObject({ ok: false });
  });
});
