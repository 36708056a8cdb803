import type { CommitEvents } from '../../core/node-api.js';
import { toPosition, type Position } from '../../core/primitives.js';
import type { RunningNode } from '../node.js';
import { commitOf } from './commits.js';

/** Published commits after a cursor, made again from the log as they were shown live. */
export async function* replayCommits(node: RunningNode, from: Position): AsyncGenerator<CommitEvents> {
  const { eventLog, crypto } = node;
  const { chain } = node.api.queries;
  for await (const recorded of eventLog.read({ from: toPosition(from + 1n) })) {
    for (const { event, position } of recorded) {
      // A cursor may lie on a branch that a revert abandoned: the blocks of the present branch follow it.
      if (event.type !== 'BlockExecuted' || !eventLog.isOnBranch({ event, position })) continue;
      const { height } = event.data;
      const stored = chain.block(height);
      const results = chain.results(height);
      const decided = eventLog.blockAt(height)?.decided;
      // Beyond the published head: the live feed shows it.
      if (stored === undefined || results === undefined || decided === undefined) return;
      const { trace } = decided.event.data;
      yield commitOf(crypto, { position, height, block: stored.block, blockId: stored.blockId, results, trace });
    }
  }
}
