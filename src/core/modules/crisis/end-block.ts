import { branch } from '../../sdk/branch.js';
import type { Context } from '../../sdk/context.js';
import { type Module, presentModules } from '../../sdk/module.js';

/**
 * Checks every invariant after each block whose height is a multiple of the node's period (`--inv-check-period`); a
 * broken one stops the node (cosmos-sdk v0.53 `x/crisis/abci.go`, `keeper/keeper.go` AssertInvariants).
 */
export function endBlock(context: Context): void {
  const { invariantPeriod = 0n } = context.chain;
  if (invariantPeriod === 0n || context.height % invariantPeriod !== 0n) return;
  assertInvariants(context);
}

/** Throws BrokenInvariant for the first invariant that does not hold; `modules` are those of the chain's version. */
export function assertInvariants(context: Context, modules: readonly Module[] = presentModules(context.version)): void {
  for (const { invariants } of modules)
    for (const one of invariants) {
      const broken = one.check(branch(context).context);
      if (broken !== undefined) throw new BrokenInvariant(one.name, broken);
    }
}

/** A property of the state does not hold, so that the chain must not go on. */
export class BrokenInvariant extends Error {
  constructor(name: string, reason: string) {
    super(`invariant broken: ${name}: ${reason}`);
    this.name = 'BrokenInvariant';
  }
}
