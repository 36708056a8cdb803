/**
 * Recorded chains of a Go node, whose blocks an engine sends to a home. The recorded results and app hashes must come
 * from a node that runs on, from one that was restarted in the middle, and from one whose database `log rebuild`
 * made.
 */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { blockFacts } from '../../../src/core/chain/block-facts.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { deriveDatabase, wholeLogOf } from '../../../src/runtime/rebuild/derive-database.js';
import { readHostRows } from '../../../src/runtime/rebuild/host-rows.js';
import { resultDifference } from '../../../src/cli/compare/differences.js';
import { openRecordedChain, type RecordedBlock } from '../../../src/cli/compare/recorded-chain.js';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';
import { goldenPath, hasGolden } from '../../support/golden.js';
import { started } from '../../node/abci/engine-node.js';
import { reopenable } from '../../support/reopenable.js';

interface Recording {
  readonly folder: string;
  readonly evmChainId: bigint;
}

/** Store hashes of the last block are in no header, so the last app hash of a recording is not known. */
async function playedInParts({ folder, evmChainId }: Recording): Promise<void> {
  const crypto = await createHostCrypto();
  const recording = openRecordedChain(folder);
  const blocks: RecordedBlock[] = [];
  for await (const block of recording.blocks()) blocks.push(block);
  const founded = { genesis: recording.genesis, preset: 'evmd', evmChainId };
  const parts = [0, Math.floor(blocks.length / 3), Math.floor((2 * blocks.length) / 3), blocks.length];

  const play = async (store: KeyValueStore, part: number): Promise<void> => {
    const node = await started(store, { founded, crypto });
    const { chain } = node.node.api.queries;
    expect(chain.head().height).toBe(BigInt(parts[part] ?? 0));
    for (const [index, { block, blockId, results }] of blocks.entries()) {
      if (index < (parts[part] ?? 0) || index >= (parts[part + 1] ?? 0)) continue;
      const height = BigInt(index + 1);
      const lastValidators = index === 0 ? undefined : chain.validators(toHeight(height - 1n));
      const facts = { ...blockFacts(block, lastValidators), hash: blockId.hash, txs: block.data?.txs ?? [] };
      const ours = await node.engine.finalizeBlock(facts);
      await node.engine.commit();
      if (results !== undefined) expect(resultDifference(ours, results), `height ${height}`).toBeUndefined();
      const recorded = blocks[index + 1]?.block.header?.appHash ?? ours.appHash;
      expect(upperHex(ours.appHash), `app hash after height ${height}`).toBe(upperHex(recorded));
      expect(upperHex(chain.head().appHash)).toBe(upperHex(recorded));
    }
    await node.node.stop();
  };

  const store = reopenable();
  await play(store, 0);
  await play(store, 1);
  const rebuilt = reopenable();
  await deriveDatabase({
    log: await wholeLogOf({ store, crypto, witnessed: undefined }),
    host: readHostRows(store, toTimeNs(0n)),
    target: rebuilt,
    crypto,
  });
  await play(rebuilt, 2);
}

describe('a home that executes recorded blocks', () => {
  test.skipIf(!hasGolden)(
    'has the app hashes of golden chain-a',
    () => playedInParts({ folder: goldenPath('chain-a'), evmChainId: 262144n }),
    120_000,
  );

  test.each(['aoak', 'uoak'])(
    'has the app hashes of the recorded chain %s',
    (name) =>
      playedInParts({
        folder: fileURLToPath(new URL(`../../fixtures/chains/${name}`, import.meta.url)),
        evmChainId: 4321n,
      }),
    120_000,
  );
});
