import { fromBinary } from '@bufbuild/protobuf';
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { blockToJson } from '../../../src/core/comet/json/block-json.js';
import { blockIdToJson } from '../../../src/core/comet/json/block-id-json.js';
import { blockIdOf } from '../../../src/core/comet/part-set.js';
import { fromHex } from '../../../src/core/bytes/hex.js';
import { toHeight } from '../../../src/core/primitives.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import { type EventLog, openEventLog } from '../../../src/store/log/event-log.js';
import { MemoryStore } from '../../support/memory-store.js';
import { createStateReader } from '../../../src/store/state/latest.js';
import { hasGolden } from '../../support/golden.js';
import { readRecordedChain, readRecordedState } from '../../support/recorded-chain.js';
import { buildRecordedLog } from '../../support/recorded-log.js';

const sha256 = (data: Uint8Array): Uint8Array => Uint8Array.from(createHash('sha256').update(data).digest());

describe.skipIf(!hasGolden)('log of the recorded chain', () => {
  const store = new MemoryStore();
  let log: EventLog;

  beforeAll(async () => {
    log = await buildRecordedLog(store, 60n);
  });

  it('returns every block and its id', () => {
    for (const { height, block } of readRecordedChain().slice(0, 60)) {
      const stored = log.blockAt(height)?.decided.event.data.block;
      const decoded = fromBinary(BlockSchema, stored ?? new Uint8Array());
      expect(blockToJson(decoded)).toEqual(block.block);
      expect(blockIdToJson(blockIdOf({ sha256 }, decoded).blockId)).toEqual(block.block_id);
      expect(log.heightByHash(fromHex(block.block_id.hash))).toBe(height);
      block.block.data.txs.forEach((tx, index) =>
        expect(log.txByHash(sha256(Buffer.from(tx, 'base64')))).toEqual({ height, index }),
      );
    }
  });

  it('reopens with the same head and holds the state of its heights', async () => {
    const again = await openEventLog({ store, crypto: { sha256 }, clock: { now: () => log.head().time }, sync: 'os' });
    expect(again.head()).toEqual(log.head());
    const reader = createStateReader(store, toHeight(40n));
    for (const [name, entries] of readRecordedState(40))
      for (const { key, value } of entries) expect(reader.get(name, key)).toEqual(value);
  });
});
