import { projection, type Message } from '../projection.js';

/** Transactions left the pool without a block; those of one record together. */
export interface Dropped extends Message {
  readonly type: 'dropped';
  /** sha256 of each. */
  readonly hashes: readonly Uint8Array[];
}

export const drops = projection(({ events }): readonly Dropped[] => {
  const dropped = events.filter(({ event }) => event.type === 'TxDropped');
  const last = dropped.at(-1);
  const hashes = dropped.flatMap(({ event }) => (event.type === 'TxDropped' ? event.data.hashes : []));
  return last === undefined ? [] : [{ type: 'dropped', position: last.position, hashes }];
});
