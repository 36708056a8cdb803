import type { AppVersion } from '../../sdk/module/app-version.js';
import type { StateReader } from '../../state/state.js';
import { completedUpgrades, getPlan } from './plan-store.js';

/** Initial version of every chain; it has no handler. */
const FIRST_VERSION = 'v1';

/** Thrown for an application version that neither the package nor the chain has. */
export class UnknownVersionError extends Error {
  override readonly name = 'UnknownVersionError';

  constructor(
    chosen: string,
    readonly known: readonly string[],
  ) {
    super(
      `${JSON.stringify(chosen)} is no application version: there are ${known.join(', ')}, and the name of any upgrade plan that the chain has`,
    );
  }
}

/**
 * Names of upgrades that a process has handlers for. The application version is that of the chain's last upgrade
 * unless `chosen`: the first version, one of the package, or the name of a plan of the chain, whose handler changes
 * nothing. `state`: after the last block. Throws UnknownVersionError.
 */
export function handlersOf(
  { upgrades }: Pick<AppVersion, 'upgrades'>,
  state: StateReader,
  chosen: string | undefined,
): readonly string[] {
  const completed = Array.from(completedUpgrades(state), ({ name }) => name);
  if (chosen === undefined) return completed.slice(0, 1);
  if (upgrades.has(chosen) || getPlan(state)?.name === chosen || completed.includes(chosen)) return [chosen];
  if (chosen === FIRST_VERSION) return [];
  throw new UnknownVersionError(chosen, [FIRST_VERSION, ...upgrades.keys()]);
}
