/** A node that takes snapshots, and calls that transfer them to another node. */
import { expect } from 'vitest';
import type { AbciApplication, AbciBlock, AbciSnapshot } from '../../../src/core/abci/abci-application.js';
import { validatorSetHash } from '../../../src/core/comet/validator-set.js';
import { toHeight } from '../../../src/core/primitives.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { MemoryStore } from '../../support/memory-store.js';
import { block as decided, started } from '../../node/abci/engine-node.js';
import { send, type SimulatedNode, type Simulation } from '../../node/simulated-node.js';

const crypto = createPureCrypto();

export type EngineNode = SimulatedNode & { readonly engine: AbciApplication };

/** A block whose header names the validators of the next block, which the re-execution compares. */
export function block(node: SimulatedNode, height: bigint, txs: readonly Uint8Array[] = []): AbciBlock {
  const next = node.node.api.queries.chain.validators(toHeight(1n));
  if (next === undefined) throw new Error('the chain has validators');
  return { ...decided(node, height, txs), nextValidatorsHash: validatorSetHash(crypto, next) };
}

/** Makes blocks without transactions, and commits them. */
export async function make(node: EngineNode, from: bigint, to: bigint): Promise<void> {
  for (let height = from; height <= to; height += 1n) {
    await node.engine.finalizeBlock(block(node, height));
    await node.engine.commit();
  }
}

/** Number of snapshots that a node keeps. */
const KEPT = 2;

/**
 * Resolves with the snapshots of a node when the newest is of this height, and older ones than those kept are
 * deleted.
 */
export async function snapshotOf({ engine, errors }: EngineNode, height: bigint): Promise<readonly AbciSnapshot[]> {
  for (;;) {
    const found = await engine.listSnapshots();
    if (found[0]?.height === height && found.length <= KEPT) return found;
    if (errors.length > 0) throw new Error(errors.join('; '));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A node that has snapshots of heights 3 and 6, with seven blocks. */
export async function source(more: Pick<Simulation, 'home'> = {}): Promise<EngineNode> {
  const node = await started(new MemoryStore(), { snapshots: 3n, ...more });
  await make(node, 1n, 2n);
  await node.engine.finalizeBlock(block(node, 3n, [send(0, 1, 5n, 0n)]));
  await node.engine.commit();
  await snapshotOf(node, 3n);
  await make(node, 4n, 6n);
  await snapshotOf(node, 6n);
  await make(node, 7n, 7n);
  return node;
}

/** The app hash after a height. */
export const appHashAt = ({ node }: SimulatedNode, height: bigint): Uint8Array =>
  node.api.queries.chain.results(toHeight(height))?.appHash ?? new Uint8Array();

/** Gives a node the chunks of a snapshot; resolves with the last answer. */
export async function sync(from: EngineNode, to: EngineNode, snapshot: AbciSnapshot, appHash?: Uint8Array) {
  const { height, format, chunks } = snapshot;
  expect(await to.engine.offerSnapshot(snapshot, appHash ?? appHashAt(from, height))).toBe('accept');
  let answer: unknown;
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const bytes = await from.engine.loadSnapshotChunk({ height, format, chunk });
    answer = await to.engine.applySnapshotChunk({ index: chunk, chunk: bytes, sender: 'peer' });
  }
  return answer;
}

/** The answer to a chunk that was taken. */
export const ACCEPTED = { result: 'accept', refetchChunks: [], rejectSenders: [] };
