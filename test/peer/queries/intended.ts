/** Intended differences between the answers, with their place in the documentation. */

export interface Logs {
  readonly path: string;
  readonly ours: string;
  readonly theirs: string;
}

const CALLS = /Query\/(EthCall|EstimateGas|Trace\w+)$/;

/**
 * The reason for a difference (docs/interfaces/grpc.md and comet-rpc.md); undefined where the answers must be the same.
 */
export function intended({ path, ours, theirs }: Logs): string | undefined {
  if (ours.includes('cannot decode ')) return 'words about a request that is not that message';
  if (theirs.startsWith('unexpected EOF')) return 'a message that ends after the one that it is in';
  if (theirs.includes('proto:\u00a0')) return 'words about a broken transaction';
  if (theirs.startsWith('proto: ')) return 'a field of another wire type is left out';
  if (theirs.startsWith('prefixIterator invalid')) return 'a page backwards from the last key';
  if (/^\/?app\/version/.test(path)) return 'the version of the program';
  if (/height (in the future|< 0)/.test(ours)) return 'raw reads above the head';
  if (ours.startsWith('failed to load state at height')) return 'proofs of heights whose trees are no longer kept';
  if (CALLS.test(path) && (ours !== '' || theirs !== '')) return 'what geth refuses, in its words';
  return undefined;
}
