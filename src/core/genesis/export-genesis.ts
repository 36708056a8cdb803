import { modulesAfter } from '../modules/upgrade/modules-of.js';
import { completedUpgrades } from '../modules/upgrade/plan-store.js';
import { readingContext, type ReadingOptions } from '../sdk/module/reading-context.js';
import type { StateReader } from '../state/state.js';

/**
 * `app_state` of a genesis that starts a chain from this state: one section for each module in order of names, a JSON
 * value.
 */
export function exportGenesis(state: StateReader, options: ReadingOptions): Readonly<Record<string, unknown>> {
  const context = readingContext(state, options);
  return Object.fromEntries(
    modulesAfter(options.version, Array.from(completedUpgrades(state), ({ name }) => name).toReversed())
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((module) => [module.name, module.exportGenesis(context)]),
  );
}
