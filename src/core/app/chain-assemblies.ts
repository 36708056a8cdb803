import type { AppVersion } from '../sdk/module/app-version.js';
import { laterVersions, versionAfter, versionOfChain, versionWith } from '../sdk/module/version-of-chain.js';
import type { StateReader } from '../state/state.js';
import { assemble, type ApplicationOptions, type Assembly } from './assembly.js';

/**
 * Assemblies of one chain: one for its initial version and one for each later version of its preset. The state
 * determines which applies, so replay, revert and historical queries use the right one.
 */
export class ChainAssemblies {
  readonly first: Assembly;
  readonly #options: ApplicationOptions;
  readonly #made = new Map<AppVersion, Assembly>();

  constructor(options: ApplicationOptions) {
    this.#options = options;
    this.first = this.#of(versionOfChain(options.version, options.chain));
  }

  /** Assembly for a state. */
  over(state: Pick<StateReader, 'get'>): Assembly {
    const { version, keepers } = this.first;
    return this.#of(versionWith(version, (name) => keepers.upgrades?.hasModule(state, name) === true));
  }

  /**
   * Assembly that executes the block at a height on its parent state: the one after the upgrade that the block
   * applies.
   */
  ofBlock(state: StateReader, height: bigint): Assembly {
    const { version, build, keepers } = this.over(state);
    if (laterVersions(version).length === 0) return this.#of(version);
    const plan = keepers.upgrades?.plan(state);
    const isApplied =
      plan !== undefined && plan.height <= height && build.handlers.has(plan.name) && !build.skipHeights.has(height);
    return this.#of(isApplied ? versionAfter(version, plan.name) : version);
  }

  /** Assembly after all upgrades; its messages and queries include those of all heights. */
  get last(): Assembly {
    return this.#of(
      laterVersions(this.first.version).reduce((before, { name }) => versionAfter(before, name), this.first.version),
    );
  }

  /** Drops all caches of the state, because the chain was reverted. */
  forget(): void {
    for (const { contexts } of this.#made.values()) contexts.forget();
  }

  #of(version: AppVersion): Assembly {
    const made = this.#made.get(version) ?? assemble({ ...this.#options, version });
    this.#made.set(version, made);
    return made;
  }
}
