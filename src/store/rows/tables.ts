import { PREFIX } from '../keys.js';

/** Names of the tables of the database, by the first byte of their keys (docs/decisions/0001-log-record.md). */
const NAMES: ReadonlyMap<number, string> = new Map([
  [PREFIX.head, 'head'],
  [PREFIX.record, 'records'],
  [PREFIX.height, 'blocks by height'],
  [PREFIX.blockHash, 'blocks by hash'],
  [PREFIX.txHash, 'transactions by hash'],
  [PREFIX.verified, 'verified part of the log'],
  [PREFIX.once, 'commands that took effect once'],
  [PREFIX.restored, 'restored snapshot'],
  [PREFIX.evidence, 'evidence by hash'],
  [PREFIX.durable, 'synced part of the log'],
  [PREFIX.headerHash, 'blocks by Ethereum hash'],
  [PREFIX.blocksFloor, 'lowest block'],
  [PREFIX.anchor, 'snapshot of the anchor'],
  [PREFIX.state, 'state'],
  [PREFIX.state + 1, 'undo pages of the state'],
  [PREFIX.state + 2, 'lowest height of the state'],
  [PREFIX.index, 'transaction events'],
  [PREFIX.index + 1, 'block events'],
  [PREFIX.index + 2, 'cursor of the event index'],
  [PREFIX.index + 3, 'Ethereum logs'],
  [PREFIX.history, 'validators and parameters by height'],
  [PREFIX.pending, 'waiting transactions of an older build'],
  [PREFIX.pool, 'waiting transactions'],
  [PREFIX.filter, 'filters'],
  [PREFIX.checkpoint, 'checkpoint of the trees'],
  [PREFIX.dev, 'development clock and snapshots'],
]);

/** Name of the table that a key belongs to. */
export function tableOf(key: Uint8Array): string {
  const prefix = key[0] ?? 0;
  return NAMES.get(prefix) ?? `unknown table ${prefix}`;
}
