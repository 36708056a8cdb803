import type { FilterCriteria } from '../../core/ethereum/api.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { type ByteReader, type ByteWriter, FormatError } from '../bytes.js';

const KIND = { block: 0, pending: 1, logs: 2, wholePending: 3 } as const;

/**
 * Encodes filter criteria, for the filter's row and for its FilterCreated event: the kind; for logs also the block
 * range, addresses and topics.
 */
export function encodeCriteria(filter: FilterCriteria, to: ByteWriter): void {
  to.byte(KIND[filter.kind === 'pending' && filter.fullTransactions === true ? 'wholePending' : filter.kind]);
  if (filter.kind !== 'logs') return;
  const { fromBlock, toBlock, addresses, topics } = filter.criteria;
  to.optional(fromBlock);
  to.optional(toBlock);
  to.list(addresses);
  to.uint(topics.length);
  for (const alternatives of topics) to.list(alternatives);
}

/** Inverse of `encodeCriteria`; throws FormatError. Byte fields are views into the source. */
export function decodeCriteria(from: ByteReader): FilterCriteria {
  const kind = from.byte();
  if (kind === KIND.block) return { kind: 'block' };
  if (kind === KIND.pending) return { kind: 'pending' };
  if (kind === KIND.wholePending) return { kind: 'pending', fullTransactions: true };
  if (kind !== KIND.logs) throw new FormatError(`unknown kind of filter ${kind}`);
  const fromBlock = decodeBound(from);
  const toBlock = decodeBound(from);
  const addresses = from.list();
  const topics = from.items(() => from.list());
  return { kind: 'logs', criteria: { fromBlock, toBlock, addresses, topics } };
}

function decodeBound(from: ByteReader): Height | undefined {
  const bound = from.optional();
  return bound === undefined ? undefined : toHeight(bound);
}
