import type { Context } from '../../sdk/module/context.js';

/** A height in IBC's form: the revision of the chain, and the block. */
export interface RevisionHeight {
  readonly revisionNumber: bigint;
  readonly revisionHeight: bigint;
}

/**
 * The revision in a chain id: the number after its last hyphen, else 0 (ibc-go v10 `ParseChainID` in
 * `modules/core/02-client/types/height.go`).
 */
export function revisionOf(chainId: string): bigint {
  return BigInt.asUintN(64, BigInt(/^.*[^\n-]-([1-9][0-9]*)$/.exec(chainId)?.[1] ?? '0'));
}

/** The height of this chain in IBC's form (ibc-go v10 `GetSelfHeight`). */
export function selfHeight({ chainId, height }: Context): RevisionHeight {
  return { revisionNumber: revisionOf(chainId), revisionHeight: height };
}

/** Compares heights: below 0 where `one` is lower; revisions come first. */
export function compareHeights(one: RevisionHeight, other: RevisionHeight): number {
  const order = one.revisionNumber - other.revisionNumber || one.revisionHeight - other.revisionHeight;
  return order < 0n ? -1 : order > 0n ? 1 : 0;
}

/** True for the height 0 of revision 0, which stands for none. */
export function isZeroHeight({ revisionNumber, revisionHeight }: RevisionHeight): boolean {
  return revisionNumber === 0n && revisionHeight === 0n;
}

/** The height of a message, which is 0-0 where it names none. */
export function heightOf(height: RevisionHeight | undefined): RevisionHeight {
  return { revisionNumber: height?.revisionNumber ?? 0n, revisionHeight: height?.revisionHeight ?? 0n };
}
