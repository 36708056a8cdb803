/** Memory and hashing cost of the IAVL trees. `CHRONICLED_BENCH_KEYS` gives the sizes (default 100,000 keys). */
import { hash } from 'node:crypto';
import { toHeight } from '../build/core/primitives.js';
import { createMultistore } from '../build/core/multistore/multistore.js';
import { timed } from './figures.js';

const STORE = 'bank';
const BLOCKS = 100;
const WRITES_PER_BLOCK = 200;

const sha256 = (data) => hash('sha256', data, 'buffer');

/** Evenly spread keys of the length of a bank balance (1 + 1 + 20 + 6 bytes). */
function keyOf(index) {
  const key = new Uint8Array(28);
  key.set(sha256(Uint8Array.of(index, index >>> 8, index >>> 16)).subarray(0, 26), 2);
  key[0] = 2;
  key[1] = 20;
  return key;
}

function* writes(first, count) {
  for (let index = first; index < first + count; index += 1)
    yield { store: STORE, key: keyOf(index), value: Uint8Array.of(index & 255) };
}

function grow(multistore, keys) {
  return timed(() => {
    multistore.apply(writes(0, keys));
    multistore.commit(toHeight(1n));
  });
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const keys = Number(process.env['CHRONICLED_BENCH_KEYS'] ?? 100_000);
  let hashes = 0;
  const crypto = {
    sha256: (data) => {
      hashes += 1;
      return sha256(data);
    },
  };
  const multistore = createMultistore({ stores: [STORE], crypto });
  const memoryBefore = process.memoryUsage().arrayBuffers;
  const growth = grow(multistore, keys);
  const { slab } = multistore;
  const nodes = slab.liveNodes;
  const figures = [
    { name: 'keys', value: keys, unit: 'keys' },
    { name: 'nodes of one version', value: nodes, unit: 'nodes' },
    {
      name: 'memory per node, keys included',
      value: (process.memoryUsage().arrayBuffers - memoryBefore) / nodes,
      unit: 'bytes',
      goal: '80',
    },
    { name: 'key bytes per key', value: slab.keys.liveBytes / keys, unit: 'bytes' },
    { name: 'memory of one version', value: slab.reservedBytes / 2 ** 20, unit: 'MiB' },
    { name: 'inserting and first hashing, per key', value: (growth * 1000) / keys, unit: 'us' },
  ];

  const hashesBefore = hashes;
  const rewriting = timed(() => {
    for (let block = 0; block < BLOCKS; block += 1) {
      multistore.apply(writes((block * 7919 * WRITES_PER_BLOCK) % (keys - WRITES_PER_BLOCK), WRITES_PER_BLOCK));
      multistore.commit(toHeight(BigInt(block + 2)));
    }
  });
  const hashesOfChanges = hashes - hashesBefore;
  const changed = BLOCKS * WRITES_PER_BLOCK;
  let checkpoint = new Uint8Array();
  const writing = timed(() => {
    checkpoint = multistore.snapshotBytes();
  });
  const restored = createMultistore({ stores: [STORE], crypto });
  const restoring = timed(() => void restored.restore(checkpoint));
  let walked = 0;
  const walking = timed(() => {
    for (const entry of multistore.reader(() => checkpoint).range(STORE, {})) walked += entry.key.length > 0 ? 1 : 0;
  });
  figures.push(
    { name: `hashes per changed key, ${WRITES_PER_BLOCK} a block`, value: hashesOfChanges / changed, unit: 'hashes' },
    { name: `time per changed key, ${WRITES_PER_BLOCK} a block`, value: (rewriting * 1000) / changed, unit: 'us' },
    { name: `nodes held by ${BLOCKS} versions`, value: slab.liveNodes, unit: 'nodes' },
    { name: `memory of ${BLOCKS} versions`, value: slab.reservedBytes / 2 ** 20, unit: 'MiB' },
    { name: 'checkpoint', value: checkpoint.length / 2 ** 20, unit: 'MiB' },
    { name: 'writing a checkpoint', value: writing, unit: 'ms' },
    { name: 'restoring a checkpoint', value: restoring, unit: 'ms' },
    { name: 'walking, per key', value: (walking * 1000) / walked, unit: 'us' },
  );
  return figures;
}
