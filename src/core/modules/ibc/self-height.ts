import type { Context } from '../../sdk/context.js';

/**
 * The height of this chain in IBC's form: the revision is the number after the last hyphen of the chain id, else 0
 * (ibc-go v10 `GetSelfHeight` in `modules/core/02-client/types/height.go`).
 */
export function selfHeight({ chainId, height }: Context): { revisionNumber: bigint; revisionHeight: bigint } {
  const revision = /^.*[^\n-]-([1-9][0-9]*)$/.exec(chainId)?.[1] ?? '0';
  return { revisionNumber: BigInt.asUintN(64, BigInt(revision)), revisionHeight: height };
}
