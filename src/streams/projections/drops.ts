import { projection, type Message } from '../projection.js';

/** Transactions that left the pool without a block; one message per record. */
export interface Dropped extends Message {
  readonly type: 'dropped';
  /** SHA-256 hash of each transaction. */
  readonly hashes: readonly Uint8Array[];
}

export const drops = projection(({ events }): readonly Dropped[] => {
  const dropped = events.filter(({ event }) => event.type === 'TxDropped');
  const last = dropped.at(-1);
  const hashes = dropped.flatMap(({ event }) => (event.type === 'TxDropped' ? event.data.hashes : []));
  return last === undefined ? [] : [{ type: 'dropped', position: last.position, hashes }];
});
