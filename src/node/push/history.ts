import type { ConsensusEvent } from '../../core/comet/websocket-events.js';
import { traceOf } from '../../core/chain/decision.js';
import { invariant } from '../../core/errors.js';
import type { EthereumBlock, LoggedBlock } from '../../core/ethereum/block-view.js';
import { contentOf } from '../../core/ethereum/content.js';
import type { ChainQueries } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight, toPosition, type Height, type Position } from '../../core/primitives.js';
import type { PushHistory, ShownAdmission, ShownCommit } from '../../core/subscriptions/index.js';
import type { EventLog } from '../../store/log/event-log.js';
import { commitEventsOf } from '../../core/chain/commits.js';
import type { EthereumBlocks } from '../ethereum/blocks.js';
import { createCursorValidator, isPrunedAfter } from './validate-cursor.js';

export interface PushHistoryOptions {
  readonly log: EventLog;
  readonly chain: ChainQueries;
  readonly crypto: Crypto;
  /** The block as the Ethereum face shows it; undefined for an application without an EVM. */
  readonly ethereumBlock: (height: Height) => EthereumBlock | undefined;
  /** Blocks with logs that the revert at a position removed, newest first. */
  readonly abandonedBy: EthereumBlocks['abandonedBy'];
}

/**
 * Recreates past notifications from the log, equal to those that were sent live. Throws at a block that is pruned
 * while it is read: leaving it out would be a gap.
 */
export function createPushHistory({ log, chain, crypto, ethereumBlock, abandonedBy }: PushHistoryOptions): PushHistory {
  const shown = (height: Height, position: Position): ShownCommit => ({
    kind: 'commits',
    position,
    events: () => eventsOf(log, chain, crypto, height, position),
    block() {
      invariant(height >= chain.earliestHeight(), `block ${height} was pruned while it was replayed`);
      return ethereumBlock(height);
    },
  });
  async function* commitsAfter(after: Position): AsyncGenerator<ShownCommit> {
    /** Position of the last block that was yielded. */
    let seen = after;
    for await (const recorded of log.read({ from: toPosition(after + 1n) })) {
      for (const { event, position } of recorded) {
        if (event.type === 'Reverted') {
          const taken = abandonedBy(position).filter((one) => one.position <= seen);
          const removed = (): readonly LoggedBlock[] => taken.map(({ block }) => block);
          if (taken.length > 0) yield { kind: 'commits', position, events: () => [], block: () => undefined, removed };
          continue;
        }
        // Skip abandoned blocks: after a revert, a replay continues on the current branch.
        if (event.type !== 'BlockExecuted' || !log.isOnBranch({ event, position })) continue;
        // Blocks above the published head will be sent live.
        if (event.data.height > chain.head().height) return;
        invariant(
          !isPrunedAfter(seen, { log, chain }),
          `blocks after position ${seen} were pruned while they were replayed`,
        );
        yield shown(event.data.height, position);
        seen = position;
      }
    }
  }
  async function* commitsFrom(height: Height): AsyncGenerator<ShownCommit> {
    for (let next = height; next <= chain.head().height; next = toHeight(next + 1n)) {
      const position = log.recordOf(next)?.executed?.position;
      if (position !== undefined) yield shown(next, position);
    }
  }
  async function* admissionsAfter(after: Position): AsyncGenerator<ShownAdmission> {
    for await (const recorded of log.read({ from: toPosition(after + 1n) })) {
      for (const { event, position } of recorded) {
        if (event.type !== 'TxAdmitted') continue;
        const { tx } = event.data;
        yield { kind: 'admissions', position, transaction: () => contentOf(crypto, tx) };
      }
    }
  }
  return {
    read(kind, start) {
      if (kind === 'commits') return 'after' in start ? commitsAfter(start.after) : commitsFrom(start.height);
      invariant('after' in start, 'an admission has no height');
      return admissionsAfter(start.after);
    },
    judge: createCursorValidator({ log, chain }),
  };
}

/** Recreates a block's consensus events from the log. Throws if the block was pruned. */
function eventsOf(
  log: EventLog,
  chain: ChainQueries,
  crypto: Crypto,
  height: Height,
  position: Position,
): readonly ConsensusEvent[] {
  const stored = chain.block(height);
  const results = chain.results(height);
  const decided = log.blockAt(height)?.decided;
  invariant(
    stored !== undefined && results !== undefined && decided !== undefined,
    'a block of the published chain can be read',
  );
  const { block, blockId } = stored;
  const trace = traceOf(decided.event);
  return commitEventsOf(crypto, { position, height, block, blockId, results, trace }).events;
}
