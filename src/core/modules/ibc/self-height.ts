import type { Context } from '../../sdk/module/context.js';

/** Height in IBC's form: revision number and block height. */
export interface RevisionHeight {
  readonly revisionNumber: bigint;
  readonly revisionHeight: bigint;
}

/**
 * Revision number of a chain id: the number after its last hyphen, otherwise 0 (ibc-go v10 `ParseChainID` in
 * `modules/core/02-client/types/height.go`).
 */
export function revisionOf(chainId: string): bigint {
  return BigInt.asUintN(64, BigInt(/^.*[^\n-]-([1-9][0-9]*)$/.exec(chainId)?.[1] ?? '0'));
}

/** Current height of this chain in IBC's form (ibc-go v10 `GetSelfHeight`). */
export function selfHeight({ chainId, height }: Context): RevisionHeight {
  return { revisionNumber: revisionOf(chainId), revisionHeight: height };
}

/** Compares heights, revision first; negative when `one` is lower. */
export function compareHeights(one: RevisionHeight, other: RevisionHeight): number {
  const order = one.revisionNumber - other.revisionNumber || one.revisionHeight - other.revisionHeight;
  return order < 0n ? -1 : order > 0n ? 1 : 0;
}

/** True for height 0-0, which means none. */
export function isZeroHeight({ revisionNumber, revisionHeight }: RevisionHeight): boolean {
  return revisionNumber === 0n && revisionHeight === 0n;
}

/** Height of a message; 0-0 when absent. */
export function heightOf(height: RevisionHeight | undefined): RevisionHeight {
  return { revisionNumber: height?.revisionNumber ?? 0n, revisionHeight: height?.revisionHeight ?? 0n };
}
