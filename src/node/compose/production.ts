import { createConsensus, type Consensus, type ConsensusPorts, type NextHeight } from '../../actors/consensus/index.js';
import type { DaemonOptions } from '../../core/config/daemon-options.js';
import { DEFAULT_TIMEOUTS, ONLY_VALIDATOR_TIMEOUTS } from '../../core/consensus/timeouts.js';
import type { ConsensusSigner } from '../../core/ports/crypto.js';
import { toHeight } from '../../core/primitives.js';
import type { BlockPipeline } from '../chain/block-pipeline.js';
import { buildBlock, type BuildBlockOptions } from '../chain/build-block.js';
import type { Ledger } from '../chain/ledger.js';
import type { DevClock } from '../dev/dev-clock.js';
import type { NodeHost } from './node-host.js';
import type { NodeSignals } from './wiring.js';

export interface ProductionOptions extends Pick<ConsensusPorts, 'hearing' | 'hasWork' | 'isHalted' | 'limits'> {
  readonly options: Pick<DaemonOptions, 'mining' | 'timeouts'>;
  readonly host: Pick<NodeHost, 'crypto' | 'clock' | 'onBlock'>;
  readonly chainId: string;
  readonly ledger: Ledger;
  /** Transactions of the pool for a block of this size. */
  readonly reap: BuildBlockOptions['reap'];
  readonly signals: Pick<NodeSignals, 'available' | 'proposals' | 'decisions'>;
  readonly signer: ConsensusSigner;
  /** The clock of the blocks where commands may move it. */
  readonly devClock: DevClock | undefined;
}

/** The input of the height after the head. */
function nextHeightOf({
  state: { height, validators, lastCommit, lastValidators },
}: Pick<Ledger, 'state'>): NextHeight {
  return {
    height: toHeight(height + 1n),
    validators,
    last: lastCommit && lastValidators && { commit: lastCommit, validators: lastValidators },
  };
}

/** Block production over the ledger's head, by the validator of this process. */
export function composeProduction(parts: ProductionOptions): Consensus {
  const { options, host, chainId, ledger, signals, signer, devClock } = parts;
  const { crypto, clock } = host;
  const isAlone = ledger.state.validators.validators.length === 1;
  const building = { crypto, chainId, reap: parts.reap, devClock };
  return createConsensus({
    chainId,
    crypto,
    clock: devClock ?? clock,
    timeouts: { ...(isAlone ? ONLY_VALIDATOR_TIMEOUTS : DEFAULT_TIMEOUTS), ...options.timeouts },
    mining: options.mining,
    signers: [signer],
    buildBlock: ({ lastCommit, proposerAddress }) => {
      host.onBlock();
      return buildBlock(building, ledger.state, lastCommit, proposerAddress);
    },
    nextHeight: () => nextHeightOf(ledger),
    hasWork: parts.hasWork,
    isHalted: parts.isHalted,
    hearing: parts.hearing,
    available: signals.available.heard,
    proposals: signals.proposals,
    decisions: signals.decisions,
    limits: parts.limits,
  });
}

/**
 * Lets the pipeline hear block production. `onFailed` is called when storage or executor failed: there is no further
 * block.
 */
export function connectPipeline(
  pipeline: BlockPipeline,
  { proposals, decisions }: Pick<NodeSignals, 'proposals' | 'decisions'>,
  onFailed: (error: unknown) => void,
): void {
  proposals.heard.subscribe((proposal) => pipeline.proposed(proposal));
  decisions.heard.subscribe(({ block, commit, trace }) => {
    const told = trace.map(({ type, value }) => ({ type, value: JSON.stringify(value) }));
    pipeline.decided({ ...block, commit, trace: told }).catch(onFailed);
  });
}
