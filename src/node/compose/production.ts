import { refusalOfFailure } from '../../core/errors.js';
import { filter } from 'rxjs';
import { createConsensus, type Consensus, type NextHeight } from '../../actors/consensus/index.js';
import type { MempoolView } from '../../actors/mempool/mempool.js';
import { fromTimestamp } from '../../core/comet/time.js';
import type { ProposedBlock } from '../../core/consensus/block-key.js';
import { DEFAULT_TIMEOUTS, SOLE_VALIDATOR_TIMEOUTS } from '../../core/consensus/timeouts.js';
import { toHeight } from '../../core/primitives.js';
import type { ChainState } from '../../core/chain/chain-state.js';
import type { ExecutionParts } from './execution.js';
import { buildBlock, carriedCommit } from '../../core/chain/build-block.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import type { BlockRuns } from '../../runtime/chain/block-runs.js';
import { hasFactsOf } from '../../core/sdk/module/development-chain.js';
import type { DevClock } from '../dev/dev-clock.js';
import type { Foundation } from './foundation.js';

/** The consensus input of the height after the head. */
function nextHeightOf({
  state: { height, validators, lastCommit, lastValidators },
}: Pick<Ledger, 'state'>): NextHeight {
  return {
    height: toHeight(height + 1n),
    validators,
    last: lastCommit && lastValidators && { commit: lastCommit, validators: lastValidators },
  };
}

/** Composes block production by the validator of this process. */
export function composeProduction(
  { options, host, limits, home: { signer }, views, signals }: Foundation,
  { reap, hasIncludable }: Pick<MempoolView, 'reap' | 'hasIncludable'>,
  { filling, evidence }: Pick<ExecutionParts, 'filling' | 'evidence'>,
  devClock: DevClock | undefined,
  runs: BlockRuns | undefined,
): Consensus {
  const { crypto, clock, timerClock } = host;
  const { ledger, streams, chain, latest } = views;
  const { chainId } = chain.started;
  const isAlone = ledger.state.validators.validators.length === 1;
  const building = {
    ...{ crypto, chainId, reap, devClock },
    evidence: () => evidence.proposed(),
    prepared: (head: ChainState) => filling.preparedAfter(head),
  };
  const isAccepted = ({ block: { header, data } }: ProposedBlock): boolean => {
    const at = { chainId, height: toHeight(header?.height ?? 0n), time: fromTimestamp(header?.time) };
    return chain.application.processProposal(latest, { ...at, txs: data?.txs ?? [] }).kind === 'accepted';
  };
  const fillsByGasUsed = chain.version.blockLimit === 'gas used';
  return createConsensus({
    chainId,
    crypto,
    clock: devClock ?? clock,
    timerClock,
    timeouts: isAlone ? SOLE_VALIDATOR_TIMEOUTS : { ...DEFAULT_TIMEOUTS, ...options.timeouts },
    randomness: host.randomness,
    mining: options.mining,
    signers: [signer],
    buildBlock: ({ lastCommit, proposerAddress }) => {
      host.onBlock();
      const proposal = buildBlock(building, ledger.state, lastCommit, proposerAddress);
      filling.built(ledger.state, proposal.blockId.hash);
      // a single validator proposes only transactions that its own pool has checked
      return isAlone ? proposal : { ...proposal, valid: isAccepted(proposal) };
    },
    isOverfull: () => fillsByGasUsed && filling.isWorthwhile(),
    preparations: signals.preparations,
    prepared: signals.prepared.heard,
    nextHeight: () => nextHeightOf(ledger),
    hasIncludable,
    isNextBlockAwaited: () =>
      devClock !== undefined && (devClock.exact !== undefined || hasFactsOf(latest, ledger.state.height + 1n)),
    isHalted: () => ledger.tip() > ledger.state.height,
    // Of several blocks published in one turn, the last one determines the next height.
    stream: {
      live: streams
        .of('consensus')
        .live.pipe(filter((message) => message.type !== 'executed' || runs?.isFollowed(message.data.height) !== true)),
    },
    available: signals.available.heard,
    proposals: signals.proposals,
    decisions: signals.decisions,
    limits,
  });
}

/** Connects the pipeline to block production. A failure of storage or executor stops the node. */
export function connectPipeline(
  {
    supervision,
    views,
    signals: { preparations, prepared, proposals, decisions },
  }: Pick<Foundation, 'supervision' | 'views' | 'signals'>,
  { pipeline, filling }: Pick<ExecutionParts, 'pipeline' | 'filling'>,
  consensus: Consensus,
  devClock: DevClock | undefined,
): void {
  const prepare = (): Promise<boolean> => {
    const { state } = views.ledger;
    return filling.prepare(carriedCommit(state, state.lastCommit, devClock));
  };
  preparations.heard.subscribe(() => {
    const ended = (): void => {
      prepared.say({ type: 'prepared' });
      filling.discardUnbuilt();
    };
    (pipeline.discardExecution()?.then(prepare) ?? prepare()).then(
      (isLast) => {
        if (isLast) ended();
      },
      // Build the block without the prepared results; its execution will report the same error.
      ended,
    );
  });
  proposals.heard.subscribe((proposal) => pipeline.proposed(proposal));
  decisions.heard.subscribe(({ block: { block, encoded, blockId }, commit, trace }) => {
    pipeline.decided({ block, encoded, blockId, commit, trace }).catch((error: unknown) => {
      supervision.fail('block production failed', error);
      // The decided block will never be applied, so commands must not wait for it.
      consensus.child.inbox?.end(refusalOfFailure(error));
    });
  });
}
