import { expect, test } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import type { PoolTransaction } from '../../../src/core/mempool/pool-transaction.js';
import { Relay } from '../../../src/node/abci/relay.js';
import { VirtualTime } from '../../support/simulated-time.js';

function transaction(byte: number): PoolTransaction {
  const tx = Uint8Array.of(byte);
  return { hash: `0${byte}`, tx, gasWanted: 1n, accounts: [], feeCap: 0n, tipCap: 0n, kind: 'cosmos' };
}

/** The bytes of the transactions in a batch of JSON-RPC. */
function sentIn(body: string): readonly number[] {
  const calls: readonly { readonly params: { readonly tx: string } }[] = JSON.parse(body);
  return calls.flatMap(({ params }) => [...Buffer.from(params.tx, 'base64')]);
}

test('the relay sends each pending transaction once to each engine', async () => {
  const time = new VirtualTime();
  const waiting = [transaction(1), transaction(2)];
  const posted: (readonly number[])[] = [];
  const relay = new Relay({
    pool: { entries: () => waiting, get: (hash) => waiting.find((one) => one.hash === hash), queued: 0 },
    post: (body) => {
      posted.push(sentIn(body));
      return Promise.resolve('[]');
    },
    timers: time,
    log: { info: () => undefined, error: () => undefined },
  });
  relay.engineBegan();
  await time.advance(0);
  relay.wake();
  await time.advance(0);
  expect(posted).toEqual([[1, 2]]);
  waiting.push(transaction(3), transaction(4));
  relay.has('04');
  relay.wake();
  await time.advance(0);
  expect(posted).toEqual([[1, 2], [3]]);
  relay.engineBegan();
  await time.advance(0);
  expect(posted).toEqual([[1, 2], [3], [1, 2, 3, 4]]);
  relay.stop();
});

test('the relay retries a transaction that the engine refused, and still sends those after it', async () => {
  const time = new VirtualTime();
  const waiting = Array.from({ length: FIXED_LIMITS.engineBatch + 1 }, (_, index) => transaction(index));
  const last = FIXED_LIMITS.engineBatch;
  const posted: (readonly number[])[] = [];
  const relay = new Relay({
    pool: { entries: () => waiting, get: (hash) => waiting.find((one) => one.hash === hash), queued: 0 },
    post: (body) => {
      const sent = sentIn(body);
      posted.push(sent);
      const refusals = sent.flatMap((byte, id) => (byte === 0 ? [{ id, error: { data: 'Tx too large' } }] : []));
      return Promise.resolve(JSON.stringify(refusals));
    },
    timers: time,
    log: { info: () => undefined, error: () => undefined },
  });
  relay.engineBegan();
  await time.advance(0);
  expect(posted.map((batch) => batch.length)).toEqual([last, 1]);
  expect(posted[1]).toEqual([last]);
  await time.advance(FIXED_LIMITS.engineRetryMs);
  expect(posted.slice(2)).toEqual([[0]]);
  relay.stop();
});

test('the relay reads the pool for a transaction that the engine already has only if others are queued', async () => {
  const time = new VirtualTime();
  let queued = 0;
  let looks = 0;
  const relay = new Relay({
    pool: {
      entries() {
        looks += 1;
        return [];
      },
      get: () => undefined,
      get queued() {
        return queued;
      },
    },
    post: () => Promise.resolve('[]'),
    timers: time,
    log: { info: () => undefined, error: () => undefined },
  });
  const admitted = async (hash: string): Promise<number> => {
    relay.admitted(hash);
    await time.advance(0);
    return looks;
  };
  relay.has('01');
  expect(await admitted('01')).toBe(0);
  expect(await admitted('02')).toBe(1);
  relay.has('03');
  queued = 1;
  expect(await admitted('03')).toBe(2);
  // The previous admission left one more read of the pool due.
  queued = 0;
  relay.has('04');
  expect(await admitted('04')).toBe(3);
  relay.has('05');
  expect(await admitted('05')).toBe(3);
  relay.stop();
});
