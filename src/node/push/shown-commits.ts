import { filter, map, share, type Observable } from 'rxjs';
import { traceOf } from '../../core/chain/decision.js';
import type { CommitEvents } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Height } from '../../core/primitives.js';
import type { EventLog } from '../../store/event-log.js';
import type { Admitted, Executed, Halted, WentBack } from '../../streams/index.js';
import { commitOf, roundEvents } from '../chain/commits.js';

/** A published commit, and the height of the block that it executed; a halt has none. */
export interface PublishedCommit extends CommitEvents {
  readonly height: Height | undefined;
}

export interface PublishedCommitsOptions {
  readonly crypto: Crypto;
  readonly log: Pick<EventLog, 'blockAt' | 'head'>;
}

/**
 * Commits with the events that the consensus face shows: those of an executed block, or the rounds of a block that
 * halts. The events are made when they are asked for, once for all observers.
 */
export function publishedCommits(
  messages: Observable<Admitted | Executed | Halted | WentBack>,
  { crypto, log }: PublishedCommitsOptions,
): Observable<PublishedCommit> {
  return messages.pipe(
    map((message): PublishedCommit | undefined => {
      switch (message.type) {
        case 'executed':
          return executedCommit(crypto, message);
        case 'halted':
          return haltedCommit(log, message);
        case 'admitted':
        case 'wentBack':
          return undefined;
      }
    }),
    filter((commit) => commit !== undefined),
    share(),
  );
}

function executedCommit(crypto: Crypto, { position, decided, execution }: Executed): PublishedCommit | undefined {
  if (execution === undefined) return undefined;
  const { block, blockId } = execution.block;
  const { height } = execution.state;
  let made: CommitEvents | undefined;
  return {
    position,
    height,
    get events() {
      const trace = decided === undefined ? [] : traceOf(decided);
      made ??= commitOf(crypto, { position, height, block, blockId, results: execution.results, trace });
      return made.events;
    },
  };
}

function haltedCommit(log: PublishedCommitsOptions['log'], { position }: Halted): PublishedCommit {
  const decided = log.blockAt(log.head().decided)?.decided.event;
  return {
    position,
    height: undefined,
    events: decided === undefined ? [] : roundEvents(decided.data.height, traceOf(decided)),
  };
}
