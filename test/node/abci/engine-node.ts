/** A node behind an external consensus engine, and blocks as the engine decides them. */
import { fromBinary, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import type { AbciApplication, AbciBlock } from '../../../src/core/abci/abci-application.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { simulate, type SimulatedNode, type Simulation } from '../simulated-node.js';
import { encode } from '../../support/encode.js';

/** A node over a store, with its ABCI application. */
export async function started(
  store: KeyValueStore,
  more: Omit<Simulation, 'store'> = {},
): Promise<SimulatedNode & { readonly engine: AbciApplication }> {
  const simulated = await simulate({ store, engine: true, ...more });
  const { engine } = simulated.node;
  if (engine === undefined) throw new Error('the node has an engine');
  return { ...simulated, engine };
}

/** A block as CometBFT decides it; `mark` makes blocks of one height different. */
export function block({ node }: SimulatedNode, height: bigint, txs: readonly Uint8Array[] = [], mark = 0): AbciBlock {
  const { chain } = node.api.queries;
  // The first set may be pruned.
  const { validators } = chain.validators(toHeight(1n)) ?? chain.validators(toHeight(height)) ?? { validators: [] };
  const [validator] = validators;
  if (validator === undefined) throw new Error('the chain has a validator');
  return {
    height: toHeight(height),
    time: toTimeNs(1_800_000_000_000_000_000n + height * 1_000_000_000n),
    hash: new Uint8Array(32).fill(Number(height) + mark),
    proposerAddress: validator.address,
    nextValidatorsHash: new Uint8Array(32),
    lastCommitVotes:
      height === 1n ? [] : validators.map(({ address, votingPower: power }) => ({ address, power, flag: 'commit' })),
    lastCommitRound: 0,
    misbehavior: [],
    txs,
  };
}

/** Makes blocks without transactions, and commits them. */
export async function make(simulated: SimulatedNode & { readonly engine: AbciApplication }, from: bigint, to: bigint) {
  for (let height = from; height <= to; height += 1n) {
    await simulated.engine.finalizeBlock(block(simulated, height));
    await simulated.engine.commit();
  }
}

/** The answer of a query over the state after the head. */
export async function ask<Request extends DescMessage, Answer extends DescMessage>(
  { node }: SimulatedNode,
  path: string,
  schema: Request,
  request: MessageInitShape<Request>,
  answerSchema: Answer,
): Promise<MessageShape<Answer>> {
  const { chain, app } = node.api.queries;
  const asked = await app.query(path, encode(schema, request), chain.head().height);
  if (!asked.ok || !asked.value.ok) throw new Error(`no answer to ${path}`);
  return fromBinary(answerSchema, asked.value.value);
}
