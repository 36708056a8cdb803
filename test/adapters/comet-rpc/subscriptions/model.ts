/**
 * What a subscriber is promised (reliability-security.md 2.2), as plain lists: the log is an array of commits, a
 * subscription is an interval of it, and what must arrive is the matching part of the interval, in log order.
 */
import type { ConsensusEvent } from '../../../../src/core/consensus-event.js';
import type { CommitEvents } from '../../../../src/core/node-api.js';

/** A query as text for the node and as a predicate for the model. */
export interface ModelQuery {
  readonly text: string;
  readonly accepts: (event: ConsensusEvent) => boolean;
}

const has = (event: ConsensusEvent, key: string, value: string): boolean =>
  event.attributes.get(key)?.includes(value) === true;

export const QUERIES: readonly ModelQuery[] = [
  { text: "tm.event='NewBlock'", accepts: (event) => event.type === 'NewBlock' },
  { text: "tm.event = 'Tx'", accepts: (event) => event.type === 'Tx' },
  { text: 'tm.event EXISTS', accepts: () => true },
  {
    text: "tm.event='Tx' AND transfer.recipient='a'",
    accepts: (event) => event.type === 'Tx' && has(event, 'transfer.recipient', 'a'),
  },
  { text: "transfer.recipient='b'", accepts: (event) => has(event, 'transfer.recipient', 'b') },
  { text: 'tm.event=Tx AND tx.height > 3', accepts: (event) => event.type === 'Tx' && event.height > 3n },
  { text: 'transfer EXISTS', accepts: (event) => event.attributes.has('transfer.recipient') },
  { text: "ethereum.recipient='0xAB'", accepts: (event) => has(event, 'ethereum_tx.recipient', '0xab') },
];

export interface ModelSubscription {
  readonly client: number;
  readonly id: string;
  readonly query: ModelQuery;
  /** Commits of the log before this index are not delivered. */
  readonly begin: number;
  /** Events of the commit at `begin` that were seen before the cursor was taken. */
  readonly seenOfFirst: number;
  /** Commits from this index on are not delivered; undefined while it is open. */
  end: number | undefined;
}

/** The values that must have arrived once the client has read everything. */
export function promised(log: readonly CommitEvents[], subscription: ModelSubscription): readonly string[] {
  return log
    .slice(subscription.begin, subscription.end)
    .flatMap((commit, index) =>
      commit.events
        .filter((event, place) => (index > 0 || place >= subscription.seenOfFirst) && subscription.query.accepts(event))
        .map((event) => event.value),
    );
}
