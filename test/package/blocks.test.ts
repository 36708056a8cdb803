/** `followBlocks` on a simulated chain that grows and is reverted while its readers are fast or slow. */
import { create } from '@bufbuild/protobuf';
import { assert, asyncProperty, array, constantFrom, integer } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toTimestamp } from '../../src/core/comet/time.js';
import type { StoredBlock } from '../../src/core/comet/stored-block.js';
import { toHeight, toPosition, toTimeNs } from '../../src/core/primitives.js';
import { BlockSchema } from '../../src/core/proto/tendermint/types/block_pb.js';
import { BlockIDSchema, HeaderSchema } from '../../src/core/proto/tendermint/types/types_pb.js';
import { followBlocks } from '../../src/library/blocks.js';
import type { BlockFacts } from '../../src/library/types.js';
import type { PublishedCommit } from '../../src/node/push/shown-commits.js';
import { createSignal } from '../../src/streams/index.js';

/** A chain whose block hashes are numbers in order of publication. */
class PlayedChain {
  readonly commits = createSignal<PublishedCommit>();
  readonly blocks: StoredBlock[] = [];
  /** Hashes in order of publication. */
  readonly published: string[] = [];
  readonly chain = {
    head: () => ({
      height: toHeight(BigInt(this.blocks.length)),
      position: toPosition(0n),
      blockHash: new Uint8Array(),
      appHash: new Uint8Array(),
      time: toTimeNs(0n),
    }),
    block: (height: bigint) => this.blocks[Number(height) - 1],
    results: () => undefined,
  };

  publish(): void {
    const height = toHeight(BigInt(this.blocks.length + 1));
    const hash = Uint8Array.of(this.published.length >> 8, this.published.length & 0xff);
    this.blocks.push({
      block: create(BlockSchema, {
        header: create(HeaderSchema, { height, time: toTimestamp(toTimeNs(7n)) }),
        data: { txs: [] },
      }),
      blockId: create(BlockIDSchema, { hash }),
      size: 0,
    });
    this.published.push(`0x${Buffer.from(hash).toString('hex')}`);
    this.commits.say({ height, position: toPosition(0n), events: [] });
  }

  follow(from: bigint, signal = new AbortController().signal): AsyncGenerator<BlockFacts, void, undefined> {
    return followBlocks({ commits: this.commits.heard, chain: this.chain, from: toHeight(from), signal });
  }
}

async function take(
  blocks: AsyncGenerator<BlockFacts, void, undefined>,
  count: number,
): Promise<readonly BlockFacts[]> {
  const taken: BlockFacts[] = [];
  while (taken.length < count) {
    const { value } = await blocks.next();
    if (value === undefined) break;
    taken.push(value);
  }
  return taken;
}

describe('following blocks', () => {
  test('a reader of any speed gets every block once and in order, from any start height', async () => {
    await assert(
      asyncProperty(
        integer({ min: 0, max: 30 }),
        array(constantFrom('publish', 'read', 'burst'), { maxLength: 60 }),
        async (behind, steps) => {
          const played = new PlayedChain();
          for (let count = 0; count < behind; count += 1) played.publish();
          const blocks = played.follow(1n);
          const read: BlockFacts[] = [];
          for (const step of steps) {
            if (step === 'read' && read.length < played.blocks.length) read.push(...(await take(blocks, 1)));
            if (step === 'publish') played.publish();
            if (step === 'burst') for (let count = 0; count < 70; count += 1) played.publish();
          }
          read.push(...(await take(blocks, played.blocks.length - read.length)));
          expect(read.map(({ hash }) => hash)).toEqual(played.published);
          await blocks.return();
        },
      ),
    );
  });

  test('a reader gets the blocks of the new branch after a revert', async () => {
    const played = new PlayedChain();
    for (let count = 0; count < 5; count += 1) played.publish();
    const blocks = played.follow(4n);
    const first = await take(blocks, 2);
    played.blocks.splice(2);
    played.publish();
    played.publish();
    played.publish();
    expect([...first, ...(await take(blocks, 2))].map(({ hash }) => hash)).toEqual([
      '0x0003',
      '0x0004',
      '0x0006',
      '0x0007',
    ]);
    await blocks.return();
  });

  test('a reader gets only the new branch after a revert of blocks that it has not read', async () => {
    const played = new PlayedChain();
    for (let count = 0; count < 5; count += 1) played.publish();
    const blocks = played.follow(1n);
    const first = await take(blocks, 1);
    played.blocks.splice(2);
    played.publish();
    expect([...first, ...(await take(blocks, 2))].map(({ height, hash }) => [height, hash])).toEqual([
      [1n, '0x0000'],
      [2n, '0x0001'],
      [3n, '0x0005'],
    ]);
    await blocks.return();
  });

  test('a reader that was too slow for a revert gets an error', async () => {
    const played = new PlayedChain();
    played.publish();
    const blocks = played.follow(1n);
    await take(blocks, 1);
    const waiting = blocks.next();
    played.publish();
    await waiting;
    for (let count = 0; count < 70; count += 1) played.publish();
    played.blocks.splice(1);
    for (let count = 0; count < 80; count += 1) played.publish();
    await expect(take(blocks, 200)).rejects.toThrow('the chain went back below block');
  });

  test('a halt for an upgrade yields no block', async () => {
    const played = new PlayedChain();
    const blocks = played.follow(1n);
    const waiting = blocks.next();
    await Promise.resolve();
    played.commits.say({ height: undefined, position: toPosition(0n), events: [] });
    played.publish();
    expect((await waiting).value?.hash).toBe('0x0000');
    await blocks.return();
  });

  test('an abort signal ends a waiting reader', async () => {
    const ended = new AbortController();
    const blocks = new PlayedChain().follow(1n, ended.signal);
    const waiting = blocks.next();
    ended.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });
});
