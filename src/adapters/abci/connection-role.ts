import type { AbciMethod } from './answer.js';

/** The four connections of an engine, in the order in which it opens them. */
export const ABCI_ROLES = ['query', 'snapshot', 'mempool', 'consensus'] as const;
export type AbciRole = (typeof ABCI_ROLES)[number];

/**
 * The role of a connection, by a method that only this role uses (CometBFT v0.38 `proxy/app_conn.go`); undefined for
 * methods of every role.
 */
export function roleOf(method: AbciMethod): AbciRole | undefined {
  switch (method) {
    case 'echo':
    case 'flush':
      return undefined;
    case 'info':
    case 'query':
      return 'query';
    case 'listSnapshots':
    case 'offerSnapshot':
    case 'loadSnapshotChunk':
    case 'applySnapshotChunk':
      return 'snapshot';
    case 'checkTx':
      return 'mempool';
    case 'initChain':
    case 'prepareProposal':
    case 'processProposal':
    case 'extendVote':
    case 'verifyVoteExtension':
    case 'finalizeBlock':
    case 'commit':
      return 'consensus';
  }
}
