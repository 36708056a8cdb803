import type { DaemonOptions } from '../../config/daemon-options.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { toHeight } from '../../core/primitives.js';
import { firstEvent } from '../../runtime/chain/open-chain.js';
import { floorOf } from '../../runtime/chain/pruner.js';
import { lowestHeight } from '../../store/state/latest.js';
import { pruneState } from '../../store/state/prune.js';
import { stateBounds } from '../../store/state/tables.js';
import { withStoppedHome } from './stopped-home.js';
import type { CommandOutput } from './command-output.js';

/**
 * `prune`: deletes the earlier states of a stopped home that `--pruning` does not keep, and gives their room back
 * (cosmos-sdk v0.53 `client/pruning/main.go`). Killed at any moment it leaves a whole home, and can run again.
 */
export function prune(options: DaemonOptions, output: CommandOutput): Promise<number> {
  return withStoppedHome(options, output, async ({ store, log }) => {
    const floor = floorOf(options.pruning, log.head().executed);
    const before = lowestHeight(store);
    const first = toHeight((await firstEvent(log)).initialHeight - 1n);
    if (floor === undefined || floor < first || floor < before) {
      output.stdout(`nothing to prune: states are kept from height ${before} on\n`);
      return 0;
    }
    output.stdout(`pruning heights up to ${floor - 1n}\n`);
    await pruneState(store, { first, floor, rows: FIXED_LIMITS.derivedPrunedRows });
    const { start, end } = stateBounds();
    await store.compact?.(start, end);
    output.stdout(`states are kept from height ${lowestHeight(store)} on\n`);
    return 0;
  });
}
