import { branch } from './branch.js';
import type { Context } from './context.js';
import type { Module } from './module.js';
import { presentModules } from './app-version.js';
import { versionOf } from './message-router.js';

/** Throws BrokenInvariant for the first violated invariant; `modules` are those of the application version. */
export function assertInvariants(
  context: Context,
  modules: readonly Module[] = presentModules(versionOf(context)),
): void {
  for (const { invariants = [] } of modules)
    for (const one of invariants) {
      const broken = one.check(branch(context).context);
      if (broken !== undefined) throw new BrokenInvariant(one.name, broken);
    }
}

/** Thrown when the state violates an invariant; the chain must stop. */
export class BrokenInvariant extends Error {
  constructor(name: string, reason: string) {
    super(`invariant broken: ${name}: ${reason}`);
    this.name = 'BrokenInvariant';
  }
}
