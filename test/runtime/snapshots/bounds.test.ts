/** Limits of a peer's snapshot, which apply before its app hash is known to be right. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { AbciSnapshot } from '../../../src/core/abci/abci-application.js';
import { toHeight } from '../../../src/core/primitives.js';
import { MetadataSchema } from '../../../src/core/proto/cosmos/store/snapshots/v1/snapshot_pb.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { readChunks } from '../../../src/runtime/snapshots/chunks.js';
import { SnapshotRestorer } from '../../../src/runtime/snapshots/restorer.js';
import { encode } from '../../support/encode.js';

const crypto = createPureCrypto();

test('chunks with more bytes than a log record may hold are refused', async () => {
  const part = new Uint8Array(16 * 1024 * 1024);
  const hash = createHash('sha256').update(part).digest();
  const errors: unknown[] = [];
  const restorer = new SnapshotRestorer({
    crypto: { ...crypto, sha256: () => hash },
    log: { info: () => undefined, error: (_, fields) => errors.push(fields) },
    hasBlocks: () => false,
    initialHeight: toHeight(1n),
    restore: () => Promise.reject(new Error('nothing is restored')),
  });
  const chunks = 10;
  const metadata = encode(MetadataSchema, { chunkHashes: Array(chunks).fill(hash) });
  const snapshot: AbciSnapshot = { height: toHeight(5n), format: 3, chunks, hash, metadata };
  expect(restorer.offer(snapshot, hash)).toBe('accept');
  const answers: string[] = [];
  for (let index = 0; index < 9; index += 1)
    answers.push((await restorer.apply({ index, chunk: part, sender: 'peer' })).result);
  expect(answers).toEqual([...Array<string>(8).fill('accept'), 'reject snapshot']);
  expect(errors).toEqual([expect.objectContaining({ error: 'more than 134217728 bytes' })]);
});

test('chunks that unpack to more bytes than the limit are refused', () => {
  const chunks = [deflateSync(new Uint8Array(100_000))];
  const read = (bytes: number) => () =>
    readChunks(crypto, { height: toHeight(1n), appHash: new Uint8Array(32), chunks }, bytes);
  expect(read(99_999)).toThrow('cannot be unpacked');
  expect(read(100_000)).toThrow('unknown snapshot item');
});
