/** A supervisor on virtual time that restarts one actor after each of its failures. */
import type { ChildSpec } from '../../src/actors/shell/child.js';
import { createSupervisor, type Supervisor } from '../../src/actors/supervisor/supervisor.js';
import type { Timers } from '../../src/core/ports/time.js';
import type { VirtualTime } from '../support/simulated-time.js';

export interface Supervised<Id extends string> {
  readonly supervisor: Supervisor<Id>;
  /** The errors with which the actor failed. */
  readonly failures: unknown[];
}

export async function supervised<Id extends string>(
  child: ChildSpec<Id>,
  time: VirtualTime,
  timers: Timers = time,
  isFatal = (_error: unknown): boolean => false,
): Promise<Supervised<Id>> {
  const failures: unknown[] = [];
  const supervisor = createSupervisor<Id>({
    clock: time,
    timers,
    limits: { actorRestarts: Number.MAX_SAFE_INTEGER, actorRestartWindowMs: 1 },
    isFatal,
    onRestart: (_id, error) => failures.push(error),
    onFailedAtStop: () => undefined,
    onFailed: (_id, error) => failures.push(error),
    onMode: () => undefined,
  });
  await supervisor.start(child);
  return { supervisor, failures };
}
