/** Sends that wait for the block of their transaction, and what ends the wait. */
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import type { PoolTransaction } from '../../../src/core/mempool/pool-transaction.js';
import { SendsInBlocks } from '../../../src/node/ethereum/sends-in-blocks.js';

const HASH = new Uint8Array(32).fill(7);
const KEY = upperHex(HASH);
const TRANSACTION: PoolTransaction = {
  hash: KEY,
  tx: new Uint8Array(),
  gasWanted: 0n,
  accounts: [],
  feeCap: 0n,
  tipCap: 0n,
  kind: 'ethereum',
};

function open({ limit = 10 } = {}) {
  const waiting = new Map([[KEY, TRANSACTION]]);
  const mined = new Set<string>();
  const commits = new Subject<undefined>();
  const timers: (() => void)[] = [];
  const node = { instant: true, due: true, standstill: undefined as string | undefined };
  const sends = new SendsInBlocks({
    pool: { get: (hash) => waiting.get(hash), isDue: (hash) => node.due && waiting.has(hash) },
    isMined: (hash) => mined.has(upperHex(hash)),
    isInstant: () => node.instant,
    standstill: () => node.standstill,
    commits,
    timers: {
      after(_milliseconds, run) {
        timers.push(run);
        return () => timers.splice(timers.indexOf(run), 1);
      },
    },
    limits: { ethSendsInBlock: limit },
  });
  return {
    sends,
    node,
    timers,
    /** Makes a block; the transaction is in it, stays in the pool, or is dropped. */
    block: (outcome: 'with it' | 'without it' | 'it fell'): void => {
      if (outcome !== 'without it') waiting.delete(KEY);
      if (outcome === 'with it') mined.add(KEY);
      commits.next(undefined);
    },
    tick: (): void => {
      for (const run of timers.splice(0)) run();
    },
  };
}

/** The outcome of a wait that has ended, or 'waits'. */
const now = async <Value>(wait: Promise<Value> | undefined): Promise<Value | 'waits' | undefined> =>
  Promise.race([wait, Promise.resolve().then(() => Promise.resolve('waits' as const))]);

const DONE = { ok: true, value: undefined };

describe('a send in instant mode', () => {
  it('waits for the block with its transaction, past other blocks', async () => {
    const { sends, block } = open();
    const [first, again] = [sends.wait(HASH), sends.wait(HASH)];
    block('without it');
    expect(await now(first)).toBe('waits');
    block('with it');
    expect([await first, await again]).toEqual([DONE, DONE]);
    expect(sends.wait(HASH)).toBeUndefined();
  });

  it.each([
    ['mining is not instant', { instant: false }],
    ['its nonce or its price is not yet valid for a block', { due: false }],
  ])('does not wait, or stops waiting, when %s', async (_name, change) => {
    const { sends, node, tick } = open();
    const wait = sends.wait(HASH);
    Object.assign(node, change);
    expect(sends.wait(HASH)).toBeUndefined();
    tick();
    expect(await wait).toEqual(DONE);
  });

  it('does not wait when the limit of waiting sends is reached', () => {
    expect(open({ limit: 0 }).sends.wait(HASH)).toBeUndefined();
  });

  it('is answered with the reason of a halt, at once or while it waits', async () => {
    const { sends, node, block } = open();
    const wait = sends.wait(HASH);
    node.standstill = 'the chain waits for the upgrade "v2" at height 9';
    const refusal = {
      ok: false,
      error: { code: 'halted', reason: `${node.standstill}; the transaction waits in the pool` },
    };
    expect(await sends.wait(HASH)).toEqual(refusal);
    block('without it');
    expect(await wait).toEqual(refusal);
  });

  it('is answered when its transaction leaves the pool and when the node stops', async () => {
    const { sends, block } = open();
    const wait = sends.wait(HASH);
    block('it fell');
    expect(await wait).toMatchObject({ ok: false, error: { code: 'tx-refused' } });
    const other = open();
    const stopped = other.sends.wait(HASH);
    other.sends.stop();
    expect(await stopped).toMatchObject({ ok: false, error: { reason: 'the node is stopping' } });
    expect(other.timers).toEqual([]);
  });

  it('is answered after a maximum time without a block, and leaves no timer', async () => {
    const { sends, timers, tick } = open();
    const wait = sends.wait(HASH);
    const looks = FIXED_LIMITS.sendInBlockMs / FIXED_LIMITS.sendInBlockPollMs;
    for (let look = 1; look < looks; look += 1) tick();
    expect(await now(wait)).toBe('waits');
    tick();
    expect([await wait, timers.length]).toEqual([DONE, 0]);
  });
});
