import type { FilterCriteria } from '../../core/ethereum/api.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { type ByteReader, type ByteWriter, FormatError } from '../bytes.js';

const KIND = { block: 0, pending: 1, logs: 2, wholePending: 3 } as const;

/**
 * Encodes a filter's criteria, the same in its row and in its event: the kind; for logs also the range, addresses and
 * topics.
 */
export function encodeCriteria(filter: FilterCriteria, to: ByteWriter): void {
  to.byte(KIND[filter.kind === 'pending' && filter.fullTransactions === true ? 'wholePending' : filter.kind]);
  if (filter.kind !== 'logs') return;
  const { fromBlock, toBlock, addresses, topics } = filter.criteria;
  encodeBound(fromBlock, to);
  encodeBound(toBlock, to);
  encodeList(addresses, to);
  to.uint(topics.length);
  for (const alternatives of topics) encodeList(alternatives, to);
}

/** Throws FormatError. Byte fields are views on the source. */
export function decodeCriteria(from: ByteReader): FilterCriteria {
  const kind = from.byte();
  if (kind === KIND.block) return { kind: 'block' };
  if (kind === KIND.pending) return { kind: 'pending' };
  if (kind === KIND.wholePending) return { kind: 'pending', fullTransactions: true };
  if (kind !== KIND.logs) throw new FormatError(`unknown kind of filter ${kind}`);
  const fromBlock = decodeBound(from);
  const toBlock = decodeBound(from);
  const addresses = decodeList(from);
  const topics = Array.from({ length: bounded(from) }, () => decodeList(from));
  return { kind: 'logs', criteria: { fromBlock, toBlock, addresses, topics } };
}

/** Encodes a bound plus one; zero means that there is no bound. */
function encodeBound(height: Height | undefined, to: ByteWriter): void {
  to.uint(height === undefined ? 0n : height + 1n);
}

function decodeBound(from: ByteReader): Height | undefined {
  const bound = from.uint();
  return bound === 0n ? undefined : toHeight(bound - 1n);
}

function encodeList(values: readonly Uint8Array[], to: ByteWriter): void {
  to.uint(values.length);
  for (const value of values) to.bytes(value);
}

function decodeList(from: ByteReader): readonly Uint8Array[] {
  return Array.from({ length: bounded(from) }, () => from.bytes());
}

/** A count of items that take at least one byte each. */
function bounded(from: ByteReader): number {
  const count = from.count();
  if (count > from.remaining) throw new FormatError('more items than bytes');
  return count;
}
