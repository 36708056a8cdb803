import { abciEvent } from '../../sdk/module/abci-event.js';
import { attempt } from '../../sdk/module/branch.js';
import type { Context } from '../../sdk/module/context.js';
import type { EpochHooks } from '../../sdk/module/hooks.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { allEpochs, epochAt, setEpoch } from './epoch-info.js';
import { NS_PER_SECOND } from '../../primitives.js';

/**
 * Starts and ends epochs, at most one step of each per block even if several durations passed (evmos v3.0.0
 * `x/epochs/keeper/abci.go`). A hook that fails leaves no changes, and the epoch continues, as in cosmos-sdk v0.53
 * `x/epochs/types/hooks.go`.
 */
export function beginBlock(context: Context): void {
  for (const before of allEpochs(context)) {
    const epoch = epochAt(before, context.time, context.height);
    if (epoch === before) continue;
    if (before.hasStarted) {
      // Like evmos, which increments the epoch before it emits the end.
      emit(context, 'epoch_end', [['epoch_number', epoch.current.toString()]]);
      callHooks(context, (hooks, inner) => hooks.afterEpochEnd?.(inner, epoch.identifier, epoch.current));
    }
    setEpoch(context, epoch);
    emit(context, 'epoch_start', [
      ['epoch_number', epoch.current.toString()],
      ['start_time', (epoch.currentStartTime / NS_PER_SECOND).toString()],
    ]);
    callHooks(context, (hooks, inner) => hooks.beforeEpochStart?.(inner, epoch.identifier, epoch.current));
  }
}

function emit(context: Context, type: string, attributes: Parameters<typeof abciEvent>[1]): void {
  context.events.push(abciEvent(type, attributes));
}

function callHooks(context: Context, call: (hooks: EpochHooks, inner: Context) => void): void {
  for (const hooks of versionOf(context).hooks.epochs ?? []) attempt(context, (inner) => call(hooks, inner));
}
