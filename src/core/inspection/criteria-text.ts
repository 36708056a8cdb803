/** Formats criteria of subscriptions and filters as text. */
import { hexData, hexQuantity } from '../bytes/hex.js';
import type { FilterCriteria, LogCriteria } from '../ethereum/api.js';
import type { Criteria } from '../subscriptions/criteria.js';

/** Query of a CometBFT subscription; otherwise JSON as a client could have sent it. */
export function criteriaText(criteria: Criteria): string {
  switch (criteria.kind) {
    case 'query':
      return criteria.query.text;
    case 'logs':
      return JSON.stringify(logCriteria(criteria.criteria));
    case 'newHeads':
      return JSON.stringify(criteria.fromBlock === undefined ? {} : { fromBlock: hexQuantity(criteria.fromBlock) });
    case 'newPendingTransactions':
      return JSON.stringify({ fullTransactions: criteria.fullTransactions });
    case 'transactionReceipts':
      return JSON.stringify({ transactionHashes: [...criteria.hashes].map((hash) => `0x${hash}`) });
    case 'syncing':
      return '{}';
  }
}

/** Criteria of a polling filter as JSON. */
export function filterText(criteria: FilterCriteria): string {
  switch (criteria.kind) {
    case 'block':
      return '{}';
    case 'pending':
      return JSON.stringify({ fullTransactions: criteria.fullTransactions === true });
    case 'logs':
      return JSON.stringify(logCriteria(criteria.criteria));
  }
}

function logCriteria({ fromBlock, toBlock, addresses, topics }: LogCriteria): object {
  return {
    ...(fromBlock !== undefined && { fromBlock: hexQuantity(fromBlock) }),
    ...(toBlock !== undefined && { toBlock: hexQuantity(toBlock) }),
    address: addresses.map(hexData),
    topics: topics.map((alternatives) => (alternatives.length === 0 ? null : alternatives.map(hexData))),
  };
}
