/**
 * Turns what was shown into who receives which part of it: the same for what is shown now and for what the log holds.
 */
import type { Height } from '../primitives.js';
import { createListIndex, type CriteriaIndex } from './criteria-index.js';
import type {
  Criteria,
  HeadCriteria,
  Lane,
  LogsCriteria,
  PendingCriteria,
  QueryCriteria,
  Subscription,
} from './criteria.js';
import { createLogIndex, type LogItem } from './log-index.js';
import type { PushInput, PushItem, ShownAdmission, ShownCommit } from './push-input.js';
import { createQueryIndex } from './query-index.js';
import type { ConsensusEvent } from '../websocket-events.js';
import type { EthereumPendingTransaction } from '../ethereum/api.js';

/** One index for each kind of criteria that can be matched. */
export interface Indexes {
  readonly queries: CriteriaIndex<QueryCriteria, ConsensusEvent>;
  readonly heads: CriteriaIndex<HeadCriteria, Height>;
  readonly logs: CriteriaIndex<LogsCriteria, LogItem>;
  readonly pending: CriteriaIndex<PendingCriteria, EthereumPendingTransaction>;
}

/** One notification and who receives it, in order of creation of the subscriptions. */
export interface Match {
  readonly item: PushItem;
  readonly subscriptions: readonly Subscription[];
}

export function createIndexes(): Indexes {
  return {
    queries: createQueryIndex(),
    heads: createListIndex(({ fromBlock }, height) => fromBlock === undefined || height >= fromBlock),
    logs: createLogIndex(),
    pending: createListIndex(() => true),
  };
}

/** Puts a subscription into the index of its kind, or takes it out. */
export function change(indexes: Indexes, how: 'add' | 'remove', subscription: Subscription): void {
  if (isOf<QueryCriteria>('query', subscription)) indexes.queries[how](subscription);
  else if (isOf<HeadCriteria>('newHeads', subscription)) indexes.heads[how](subscription);
  else if (isOf<LogsCriteria>('logs', subscription)) indexes.logs[how](subscription);
  else if (isOf<PendingCriteria>('newPendingTransactions', subscription)) indexes.pending[how](subscription);
}

/**
 * Notifications of an input in the order in which they are delivered. Notifications that no subscription can want are
 * not made.
 */
export function matchInput(indexes: Indexes, input: PushInput): readonly Match[] {
  return input.lane === 'commits' ? matchCommit(indexes, input) : matchAdmission(indexes, input);
}

/** False when no subscription can want any input of a lane. */
export function isWanted({ queries, heads, logs, pending }: Indexes, lane: Lane): boolean {
  return lane === 'commits' ? queries.size + heads.size + logs.size > 0 : pending.size > 0;
}

/** Criteria that were compared exactly so far: what the indexes save shows here. */
export function evaluationsOf({ queries, heads, logs, pending }: Indexes): number {
  return queries.evaluations() + heads.evaluations() + logs.evaluations() + pending.evaluations();
}

/** The events of the consensus face, then the head, then the logs in block order. */
function matchCommit({ queries, heads, logs }: Indexes, input: ShownCommit): readonly Match[] {
  const matched: Match[] = [];
  const keep = (item: PushItem, subscriptions: readonly Subscription[]): void => {
    if (subscriptions.length > 0) matched.push({ item, subscriptions });
  };
  if (queries.size > 0) {
    for (const [index, event] of input.events().entries()) keep({ kind: 'event', index, event }, queries.match(event));
  }
  const block = heads.size > 0 || logs.size > 0 ? input.block() : undefined;
  if (block === undefined) return matched;
  if (heads.size > 0) keep({ kind: 'head', index: 0, block }, heads.match(block.height));
  if (logs.size > 0) {
    for (const transaction of block.transactions) {
      for (const log of transaction.receipt.logs) {
        const subscriptions = logs.match({ log, height: block.height });
        keep({ kind: 'log', index: log.logIndex, log, transaction, block }, subscriptions);
      }
    }
  }
  return matched;
}

function matchAdmission({ pending }: Indexes, input: ShownAdmission): readonly Match[] {
  if (pending.size === 0) return [];
  const transaction = input.transaction();
  if (transaction === undefined) return [];
  return [{ item: { kind: 'pending', index: 0, transaction }, subscriptions: pending.match(transaction) }];
}

function isOf<Wanted extends Criteria>(
  kind: Wanted['kind'],
  subscription: Subscription,
): subscription is Subscription<Wanted> {
  return subscription.criteria.kind === kind;
}
