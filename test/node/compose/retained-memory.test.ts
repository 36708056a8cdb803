/**
 * Memory of a node does not grow with its chain: objects of some kinds are counted after a garbage
 * collection, once when every cache is full and the index written, and again after as many blocks.
 * `scripts/memory-slope.js` measures a process under load.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { IavlTree } from '../../../src/core/iavl/tree.js';
import { CacheStore } from '../../../src/core/state/overlay.js';
import { MemoryStore } from '../../support/memory-store.js';
import { send, simulate, type SimulatedNode } from '../simulated-node.js';

/** More than any cache holds blocks. */
const BLOCKS = 400n;
/** Every so many blocks hold a transaction. */
const BLOCKS_EACH = 20n;

const KINDS = [Promise, Map, Set, Error, AbortController, EncodedResults, IavlTree, CacheStore];
/** Growth that a running turn explains; one object for each block is far more. */
const GROWTH_MAX = 150;
/** Longer than the index waits for a next block, in milliseconds, and event-loop turns in which it is written. */
const PAUSE_MS = 1_000;
const TURNS = 100;

/** A prototype that all kinds get while they are counted. */
class Counted {}

/** Number of objects of all kinds: one search of the heap, which takes seconds. */
function counted(): number {
  const prototypes = KINDS.map(({ prototype }) => [prototype, Object.getPrototypeOf(prototype)] as const);
  for (const [prototype] of prototypes) Object.setPrototypeOf(prototype, Counted.prototype);
  const count = Number(queryObjects(Counted, { format: 'count' }));
  for (const [prototype, parent] of prototypes) Object.setPrototypeOf(prototype, parent);
  return count;
}

/** Lets the time pass after which the index of blocks is written; until then it keeps results of a bounded number. */
async function pause({ time }: SimulatedNode): Promise<void> {
  await time.advance(PAUSE_MS);
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
}

async function grow(simulated: SimulatedNode, blocks: bigint, sequence: bigint): Promise<bigint> {
  const { node } = simulated;
  let next = sequence;
  const to = node.api.queries.chain.head().height + blocks;
  while (node.api.queries.chain.head().height < to) {
    const answer = node.api.commands.broadcastTx(send(0, 1, 1n, next));
    next += 1n;
    await simulated.mineTo(node.api.queries.chain.head().height + BLOCKS_EACH);
    expect(await answer).toMatchObject({ ok: true });
  }
  await pause(simulated);
  return next;
}

test('the number of live objects does not grow with the number of blocks', async () => {
  const simulated = await simulate({ store: new MemoryStore() });
  const { node, time } = simulated;
  const timers = time.waiting;
  const sequence = await grow(simulated, BLOCKS, 0n);
  const before = counted();
  await grow(simulated, BLOCKS, sequence);
  const after = counted();
  process.stdout.write(`retained after ${BLOCKS} and ${2n * BLOCKS} blocks: ${before} and ${after} objects\n`);
  expect(after).toBeLessThan(before + GROWTH_MAX);
  expect([node.mempool.view.pending, node.mempool.view.queued, node.mempool.view.bytes]).toEqual([0, 0, 0]);
  expect(time.waiting).toBeLessThanOrEqual(timers + 1);
  await node.stop();
}, 120_000);
