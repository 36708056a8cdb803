import { max } from '../../core/bigint.js';
import type { ChainQueries } from '../../core/node-api.js';
import { toHeight, toPosition, type Height, type Position } from '../../core/primitives.js';
import { positionOf, type PushHistory } from '../../core/subscriptions/index.js';
import type { EventLog } from '../../store/log/event-log.js';

export interface CursorValidatorOptions {
  readonly log: Pick<EventLog, 'read' | 'recordOf'>;
  readonly chain: Pick<ChainQueries, 'head' | 'earliestHeight' | 'block' | 'results'>;
}

/** True if a block after a position is pruned: the block below the lowest one came later. */
export function isPrunedAfter(position: Position, { log, chain }: CursorValidatorOptions): boolean {
  const last = log.recordOf(toHeight(max(chain.earliestHeight() - 1n, 0n)))?.executed?.position;
  return last !== undefined && position < last;
}

/**
 * Creates the cursor validation: whether everything after a cursor can be delivered. The position of a block of the
 * current branch is checked without a read; for any other position, the log is read from the block before it.
 */
export function createCursorValidator({ log, chain }: CursorValidatorOptions): PushHistory['judge'] {
  const executedAt = (height: Height): Position | undefined => log.recordOf(height)?.executed?.position;
  /** Height of the last block of this branch at or before a position; initial height minus one if there is none. */
  const lastBlockAt = (position: Position): Height => {
    let below = chain.earliestHeight() - 1n;
    let above = chain.head().height + 1n;
    while (above - below > 1n) {
      const middle = (below + above) / 2n;
      const at = executedAt(toHeight(middle));
      if (at !== undefined && at <= position) below = middle;
      else above = middle;
    }
    return toHeight(below);
  };
  const isKept = (height: Height): boolean => chain.block(height) !== undefined && chain.results(height) !== undefined;

  return (cursor) => {
    const position = positionOf(cursor);
    if (isPrunedAfter(position, { log, chain })) return { code: 'cursor-pruned' };
    const last = lastBlockAt(position);
    const next = toHeight(last + 1n);
    if (next <= chain.head().height && !isKept(next)) return { code: 'cursor-pruned' };
    const before = executedAt(last) ?? toPosition(0n);
    if (before === position) return undefined;
    return isAbandoned(log, before, position).then((abandoned) =>
      abandoned ? { code: 'cursor-abandoned' } : undefined,
    );
  };
}

/** True if a range of the log without blocks of this branch ends in an abandoned branch. */
async function isAbandoned(log: Pick<EventLog, 'read'>, after: Position, through: Position): Promise<boolean> {
  let abandoned = false;
  for await (const recorded of log.read({ from: toPosition(after + 1n), limit: Number(through - after) })) {
    for (const { event } of recorded) {
      if (event.type === 'BlockExecuted') abandoned = true;
      if (event.type === 'Reverted') abandoned = false;
    }
  }
  return abandoned;
}
