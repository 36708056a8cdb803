import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import { ConsensusParamsSchema, type ConsensusParams } from '../../../src/core/proto/tendermint/types/params_pb.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { History } from '../../../src/store/history/history.js';
import { MemoryStore } from '../../support/memory-store.js';

const ofGas = (maxGas: bigint): ConsensusParams => create(ConsensusParamsSchema, { block: { maxBytes: 1n, maxGas } });

it('consensus parameters at a height are those of the last change, and are cached until a change or a revert', async () => {
  const store = new MemoryStore();
  let reads = 0;
  const watched: Pick<KeyValueStore, 'get' | 'range'> = {
    get: (key) => ((reads += 1), store.get(key)),
    range: (options) => store.range(options),
  };
  const history = await History.open(watched);
  const change = async (height: bigint, maxGas: bigint): Promise<void> => {
    const rows = history.consensusParamsRows(toHeight(height), ofGas(maxGas));
    await store.commit(rows);
    history.published(rows);
  };
  const gasAt = (height: bigint): bigint | undefined => history.consensusParams(toHeight(height))?.block?.maxGas;

  expect(gasAt(5n)).toBeUndefined();
  await change(1n, 10n);
  expect([gasAt(1n), gasAt(2n), gasAt(9n), reads]).toEqual([10n, 10n, 10n, 1]);
  await change(4n, 20n);
  expect([gasAt(3n), gasAt(4n), gasAt(5n), reads]).toEqual([10n, 20n, 20n, 3]);
  await store.commit(history.revertRows(toHeight(2n)));
  history.reverted(toHeight(2n));
  expect([gasAt(4n), gasAt(9n), reads]).toEqual([10n, 10n, 4]);
  await change(4n, 30n);
  expect(gasAt(4n)).toBe(30n);
  await change(4n, 40n);
  expect(gasAt(4n)).toBe(40n);
});
