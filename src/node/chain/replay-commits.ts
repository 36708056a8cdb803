import { commitEvents } from '../../core/chain/commit-events.js';
import { updatedValidators } from '../../core/chain/updated-validators.js';
import type { ConsensusEvent, ConsensusEventType } from '../../core/consensus-event.js';
import { CONSENSUS_EVENT_TYPES } from '../../core/consensus-event.js';
import type { BlockDecided } from '../../core/events.js';
import type { CommitEvents } from '../../core/node-api.js';
import { toPosition, type Position } from '../../core/primitives.js';
import type { RunningNode } from '../node.js';

/** What subscribers missed after a cursor: the published commits made again from the log, as they were shown live. */
export async function* replayCommits(node: RunningNode, from: Position): AsyncGenerator<CommitEvents> {
  const { eventLog, crypto } = node;
  const { chain } = node.api.queries;
  for await (const recorded of eventLog.read({ from: toPosition(from + 1n) })) {
    for (const { event, position } of recorded) {
      // A cursor may lie on a branch that a revert abandoned: what follows are the blocks of the present one.
      if (event.type !== 'BlockExecuted' || !eventLog.isOnBranch({ event, position })) continue;
      const height = event.data.height;
      const stored = chain.block(height);
      const results = chain.results(height);
      const decided = eventLog.blockAt(height)?.decided;
      // Beyond the published head: the live feed will show it.
      if (stored === undefined || results === undefined || decided === undefined) return;
      yield {
        position,
        events: [
          ...traceOf(decided.event),
          ...commitEvents({
            position,
            block: stored.block,
            blockId: stored.blockId,
            results,
            txHashes: (stored.block.data?.txs ?? []).map((tx) => crypto.sha256(tx)),
            validatorUpdates: updatedValidators(crypto, results.validatorUpdates),
          }),
        ],
      };
    }
  }
}

/** Event data types of the round events, which do not follow from their names alone (cometbft-rpc.md 5). */
const ROUND_DATA_TYPES: Partial<Record<ConsensusEventType, string>> = {
  NewRound: 'tendermint/event/NewRound',
  CompleteProposal: 'tendermint/event/CompleteProposal',
  Vote: 'tendermint/event/Vote',
};

function traceOf({ data }: BlockDecided): readonly ConsensusEvent[] {
  return data.trace.flatMap(({ type, value }) => {
    const known = CONSENSUS_EVENT_TYPES.find((each) => each === type);
    if (known === undefined) return [];
    return [
      {
        type: known,
        height: data.height,
        position: undefined,
        dataType: ROUND_DATA_TYPES[known] ?? 'tendermint/event/RoundState',
        value,
        attributes: new Map([['tm.event', [known]]]),
      },
    ];
  });
}
