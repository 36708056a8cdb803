import { createConsensusActor, type ConsensusActor, type NextHeight } from '../../actors/consensus/consensus-actor.js';
import type { MempoolActor } from '../../actors/mempool/mempool.js';
import type { DaemonOptions } from '../../core/config/daemon-options.js';
import { DEFAULT_TIMEOUTS, ONLY_VALIDATOR_TIMEOUTS } from '../../core/consensus/timeouts.js';
import type { ConsensusSigner } from '../../core/ports/crypto.js';
import { toHeight } from '../../core/primitives.js';
import type { BlockPipeline } from '../chain/block-pipeline.js';
import { buildBlock } from '../chain/build-block.js';
import type { Ledger } from '../chain/ledger.js';
import type { DevClock } from '../dev/dev-clock.js';
import type { NodeHost } from './node-host.js';

export interface ProductionOptions {
  readonly options: Pick<DaemonOptions, 'mining' | 'timeouts'>;
  readonly host: Pick<NodeHost, 'crypto' | 'clock' | 'timers' | 'onBlock'>;
  readonly chainId: string;
  readonly ledger: Ledger;
  readonly mempool: MempoolActor;
  readonly pipeline: BlockPipeline;
  readonly signer: ConsensusSigner;
  /** The clock of the blocks where commands may move it. */
  readonly devClock: DevClock | undefined;
  /** Building or committing failed: there will be no further block. */
  readonly onFailed: (error: unknown) => void;
}

/** The state on which the height after the head starts. */
export function nextHeightOf({
  state: { height, validators, lastCommit, lastValidators },
}: Pick<Ledger, 'state'>): NextHeight {
  return {
    height: toHeight(height + 1n),
    validators,
    last: lastCommit && lastValidators && { commit: lastCommit, validators: lastValidators },
  };
}

/**
 * Block production over the ledger's head: from the mempool, through the pipeline, by the validator of this process.
 * Nothing begins yet.
 */
export function composeProduction({
  options,
  host,
  chainId,
  ledger,
  mempool,
  pipeline,
  signer,
  devClock,
  onFailed,
}: ProductionOptions): ConsensusActor {
  const { crypto, clock, timers } = host;
  const isAlone = (): boolean => ledger.state.validators.validators.length === 1;
  const building = {
    crypto,
    chainId,
    reap: (maximum: Parameters<MempoolActor['reap']>[0]) => mempool.reap(maximum),
    devClock,
  };
  const producer = createConsensusActor({
    chainId,
    crypto,
    timers,
    clock: devClock ?? clock,
    timeouts: { ...(isAlone() ? ONLY_VALIDATOR_TIMEOUTS : DEFAULT_TIMEOUTS), ...options.timeouts },
    mining: options.mining,
    signers: [signer],
    buildBlock: ({ lastCommit, proposerAddress }) => {
      host.onBlock();
      const proposal = buildBlock(building, ledger.state, lastCommit, proposerAddress);
      if (isAlone()) pipeline.proposed(proposal);
      return proposal;
    },
    onDecided: async ({ block: { block, encoded, blockId }, commit, trace }) => {
      await pipeline.decided({
        block,
        encoded,
        blockId,
        commit,
        trace: trace.map(({ type, value }) => ({ type, value: JSON.stringify(value) })),
      });
      if (ledger.decidedHeight > ledger.state.height) return { kind: 'halt' };
      if (mempool.hasWork()) producer.txsAvailable();
      return { kind: 'next', next: nextHeightOf(ledger) };
    },
    onFailed,
  });
  return producer;
}

/** Makes a block and resolves when it was shown. */
export async function firstBlock(producer: ConsensusActor): Promise<void> {
  producer.mine();
  await producer.between(() => undefined);
}
