/** Matches inputs with subscriptions. Live inputs and inputs replayed from the log share this code. */
import { hex } from '../bytes/hex.js';
import type { EthereumBlock } from '../ethereum/block-view.js';
import { removedLogs } from '../ethereum/removed-logs.js';
import type { Height } from '../primitives.js';
import { createListIndex, type CriteriaIndex } from './criteria-index.js';
import type {
  Criteria,
  HeadCriteria,
  InputKind,
  LogsCriteria,
  PendingCriteria,
  QueryCriteria,
  ReceiptsCriteria,
  Subscription,
} from './criteria.js';
import { createLogIndex, type LogItem } from './log-index.js';
import type { PushInput, PushItem, ShownAdmission, ShownCommit } from './push-input.js';
import { createQueryIndex } from './query-index.js';
import type { ConsensusEvent } from '../comet/websocket-events.js';
import type { EthereumPendingTransaction } from '../ethereum/api.js';

/** One index per kind of criteria that can be matched. */
export interface Indexes {
  readonly queries: CriteriaIndex<QueryCriteria, ConsensusEvent>;
  readonly heads: CriteriaIndex<HeadCriteria, Height>;
  readonly logs: CriteriaIndex<LogsCriteria, LogItem>;
  readonly receipts: CriteriaIndex<ReceiptsCriteria, EthereumBlock>;
  readonly pending: CriteriaIndex<PendingCriteria, EthereumPendingTransaction>;
}

/** One notification with its subscriptions, in order of their creation. */
export interface Match {
  readonly item: PushItem;
  readonly subscriptions: readonly Subscription[];
}

/** Creates an empty index for each kind of criteria. */
export function createIndexes(): Indexes {
  return {
    queries: createQueryIndex(),
    heads: createListIndex(({ fromBlock }, height) => fromBlock === undefined || height >= fromBlock),
    logs: createLogIndex(),
    receipts: createListIndex((criteria, block) => receiptsFor(criteria, block).length > 0),
    pending: createListIndex(() => true),
  };
}

/** Adds a subscription to the index of its kind, or removes it. */
export function change(indexes: Indexes, how: 'add' | 'remove', subscription: Subscription): void {
  if (isOf<QueryCriteria>('query', subscription)) indexes.queries[how](subscription);
  else if (isOf<HeadCriteria>('newHeads', subscription)) indexes.heads[how](subscription);
  else if (isOf<LogsCriteria>('logs', subscription)) indexes.logs[how](subscription);
  else if (isOf<ReceiptsCriteria>('transactionReceipts', subscription)) indexes.receipts[how](subscription);
  else if (isOf<PendingCriteria>('newPendingTransactions', subscription)) indexes.pending[how](subscription);
}

/** Notifications of an input in delivery order. Notifications that no subscription can match are not built. */
export function matchInput(indexes: Indexes, input: PushInput): readonly Match[] {
  return input.kind === 'commits' ? matchCommit(indexes, input) : matchAdmission(indexes, input);
}

/** False when no subscription follows inputs of this kind. */
export function hasSubscriptions({ queries, heads, logs, receipts, pending }: Indexes, kind: InputKind): boolean {
  return kind === 'commits' ? queries.size + heads.size + logs.size + receipts.size > 0 : pending.size > 0;
}

/** Number of exact comparisons so far; shows what the indexes save. */
export function evaluationsOf({ queries, heads, logs, receipts, pending }: Indexes): number {
  return [queries, heads, logs, receipts, pending].reduce((sum, index) => sum + index.evaluations(), 0);
}

/** Notifications of a commit: consensus events, removed logs, head, logs in block order, receipts. */
function matchCommit({ queries, heads, logs, receipts }: Indexes, input: ShownCommit): readonly Match[] {
  const matched: Match[] = [];
  const keep = (item: PushItem, subscriptions: readonly Subscription[]): void => {
    if (subscriptions.length > 0) matched.push({ item, subscriptions });
  };
  if (queries.size > 0) {
    for (const [index, event] of input.events().entries()) keep({ kind: 'event', index, event }, queries.match(event));
  }
  if (logs.size > 0) {
    for (const [index, { log, transaction, block }] of removedLogs(input.removed?.() ?? []).entries())
      keep({ kind: 'log', index, log, transaction, block, isRemoved: true }, logs.match({ log, height: block.height }));
  }
  const block = heads.size + logs.size + receipts.size > 0 ? input.block() : undefined;
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
  if (receipts.size > 0) for (const match of matchReceipts(receipts, block)) matched.push(match);
  return matched;
}

/** One notification for all subscriptions to all receipts, and one for each subscription to some transactions. */
function matchReceipts(receipts: Indexes['receipts'], block: EthereumBlock): readonly Match[] {
  const whole: Subscription[] = [];
  const single: Match[] = [];
  for (const subscription of receipts.match(block)) {
    const transactions = receiptsFor(subscription.criteria, block);
    if (transactions.length === block.transactions.length) whole.push(subscription);
    else single.push({ item: { kind: 'receipts', index: 0, transactions, block }, subscriptions: [subscription] });
  }
  if (whole.length === 0) return single;
  return [
    { item: { kind: 'receipts', index: 0, transactions: block.transactions, block }, subscriptions: whole },
    ...single,
  ];
}

function receiptsFor({ hashes }: ReceiptsCriteria, { transactions }: EthereumBlock): EthereumBlock['transactions'] {
  return hashes.size === 0 ? transactions : transactions.filter(({ hash }) => hashes.has(hex(hash)));
}

function matchAdmission({ pending }: Indexes, input: ShownAdmission): readonly Match[] {
  if (pending.size === 0) return [];
  const transaction = input.transaction();
  if (transaction === undefined) return [];
  return [{ item: { kind: 'pending', index: 0, transaction }, subscriptions: pending.match(transaction) }];
}

function isOf<Kind extends Criteria>(
  kind: Kind['kind'],
  subscription: Subscription,
): subscription is Subscription<Kind> {
  return subscription.criteria.kind === kind;
}
