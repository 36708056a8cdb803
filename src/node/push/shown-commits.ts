import { filter, map, share, type Observable } from 'rxjs';
import { traceOf } from '../../core/chain/decision.js';
import type { ExecutionOutput } from '../../core/chain/execution-output.js';
import type { CommitEvents } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Height, Position } from '../../core/primitives.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { Admitted, Executed, Halted, ChainReverted } from '../../streams/index.js';
import { commitEventsOf, roundEvents } from '../../core/chain/commits.js';

/** A published commit, and the height of the block that it executed; a halt has none. */
export interface PublishedCommit extends CommitEvents {
  readonly height: Height | undefined;
}

export interface PublishedCommitsOptions {
  readonly crypto: Crypto;
  readonly log: Pick<EventLog, 'blockAt' | 'head'>;
}

/**
 * A stream of commits with their consensus events: of an executed block, or the round events of a block that halts.
 * Events are created on first use, once for all observers.
 */
export function publishedCommits(
  messages: Observable<Admitted | Executed | Halted | ChainReverted>,
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
        case 'reverted':
          return undefined;
      }
    }),
    filter((commit) => commit !== undefined),
    share(),
  );
}

function executedCommit(crypto: Crypto, { position, decided, execution }: Executed): PublishedCommit | undefined {
  if (execution === undefined) return undefined;
  return new ExecutedCommit(crypto, position, decided, execution);
}

class ExecutedCommit implements PublishedCommit {
  readonly position: Position;
  readonly height: Height;
  readonly #crypto: Crypto;
  readonly #decided: Executed['decided'];
  readonly #execution: ExecutionOutput;
  #made: CommitEvents | undefined;

  constructor(crypto: Crypto, position: Position, decided: Executed['decided'], execution: ExecutionOutput) {
    this.position = position;
    this.height = execution.state.height;
    this.#crypto = crypto;
    this.#decided = decided;
    this.#execution = execution;
  }

  get events(): CommitEvents['events'] {
    const { block, blockId } = this.#execution.block;
    const { results } = this.#execution;
    const { position, height } = this;
    const trace = this.#decided === undefined ? [] : traceOf(this.#decided);
    this.#made ??= commitEventsOf(this.#crypto, { position, height, block, blockId, results, trace });
    return this.#made.events;
  }
}

function haltedCommit(log: PublishedCommitsOptions['log'], { position }: Halted): PublishedCommit {
  const decided = log.blockAt(log.head().decided)?.decided.event;
  return {
    position,
    height: undefined,
    events: decided === undefined ? [] : roundEvents(decided.data.height, traceOf(decided)),
  };
}
