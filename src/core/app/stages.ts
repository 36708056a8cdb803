import type { AppVersion } from '../sdk/module/app-version.js';
import { laterVersions, versionAfter, versionOfChain, versionWith } from '../sdk/module/version-of-chain.js';
import type { StateReader } from '../state/state.js';
import { assemble, type ApplicationOptions, type Assembly } from './assembly.js';

/**
 * The assemblies of one chain: that of the version with which it began, and those of the later versions of its preset.
 * The state says which one answers, so that a replay, a revert and a query of the past take the one of their height.
 */
export class Stages {
  readonly first: Assembly;
  readonly #options: ApplicationOptions;
  readonly #made = new Map<AppVersion, Assembly>();

  constructor(options: ApplicationOptions) {
    this.#options = options;
    this.first = this.#of(versionOfChain(options.version, options.chain));
  }

  /** The assembly over a state. */
  over(state: Pick<StateReader, 'get'>): Assembly {
    const { version, keepers } = this.first;
    return this.#of(versionWith(version, (name) => keepers.upgrades?.hasModule(state, name) === true));
  }

  /** The assembly that executes the block at a height over the state before it: after the upgrade that it applies. */
  ofBlock(state: StateReader, height: bigint): Assembly {
    const { version, build, keepers } = this.over(state);
    if (laterVersions(version).length === 0) return this.#of(version);
    const plan = keepers.upgrades?.plan(state);
    const isApplied =
      plan !== undefined && plan.height <= height && build.handlers.has(plan.name) && !build.skipHeights.has(height);
    return this.#of(isApplied ? versionAfter(version, plan.name) : version);
  }

  /** The assembly after all upgrades: its messages and queries are all that the chain has at some height. */
  get last(): Assembly {
    return this.#of(
      laterVersions(this.first.version).reduce((before, { name }) => versionAfter(before, name), this.first.version),
    );
  }

  /** Drops all caches of the state, because the state was set back. */
  forget(): void {
    for (const { contexts } of this.#made.values()) contexts.forget();
  }

  #of(version: AppVersion): Assembly {
    const made = this.#made.get(version) ?? assemble({ ...this.#options, version });
    this.#made.set(version, made);
    return made;
  }
}
