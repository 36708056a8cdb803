import type { Context } from '../../sdk/module/context.js';
import { assertInvariants } from '../../sdk/module/invariants.js';

/**
 * Checks every invariant after each block whose height is a multiple of the node's period (`--inv-check-period`); a
 * broken one stops the node (cosmos-sdk v0.53 `x/crisis/abci.go`, `keeper/keeper.go` AssertInvariants).
 */
export function endBlock(context: Context): void {
  const { invariantPeriod = 0n } = context.chain;
  if (invariantPeriod === 0n || context.height % invariantPeriod !== 0n) return;
  assertInvariants(context);
}
