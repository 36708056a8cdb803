import type { ChildSpec } from '../../actors/shell/child.js';
import { createSupervisor, type Supervisor } from '../../actors/supervisor/supervisor.js';
import { NODE_STOPPING } from '../../core/errors.js';
import type { Limits } from '../../core/limits/limits.js';
import { causeOf, CommitUnknownError, CorruptionError, PoisonedError } from '../../store/errors.js';
import type { ActorId } from './actor-ids.js';
import type { NodeHost } from './node-host.js';
import type { NodeSignals } from './wiring.js';

/** The supervisor of a node, and its two final states: failed, and halted for an upgrade. */
export interface Supervision {
  readonly supervisor: Supervisor<ActorId>;
  /** Resolves with the reason when the node cannot continue. */
  readonly failed: Promise<unknown>;
  /** Resolves when the node halts for an upgrade. */
  readonly halted: Promise<void>;
  /** Stops the node after a failure: logs what failed and why. */
  readonly fail: (what: string, error: unknown) => void;
  /** A request or a consumer failed: if the cause is the storage, the node stops. */
  readonly noticed: (error: unknown) => void;
  /** The chain halts for an upgrade. */
  readonly halt: () => void;
  /** Records why the application refuses a block; the halt follows when it is in the log. */
  readonly refused: (reason: string) => void;
  /** The last reason given to `refused`. */
  readonly haltReason: () => string | undefined;
  /**
   * Stops an actor when it is idle, and rejects its queued and later commands. After a failure of the node it is
   * stopped without waiting, because idleness may depend on a write that never ends.
   */
  readonly end: (child: Pick<ChildSpec<ActorId>, 'id' | 'inbox'>) => Promise<void>;
}

/** Creates the supervisor of the actors, and handles failures that stop the node. */
export function createSupervision(
  host: Pick<NodeHost, 'timerClock' | 'timers' | 'log' | 'wrapActor'>,
  limits: Limits,
  { modes }: Pick<NodeSignals, 'modes'>,
): Supervision {
  const [failed, announceFailure] = promised<unknown>();
  const [halted, announceHalt] = promised<void>();
  let haltReason: string | undefined;
  const endWith = (error: unknown): void => {
    // Deferred, because the supervisor may be in the middle of a transition. From then on `/health` reports it.
    queueMicrotask(() => supervisor.send({ type: 'drain' }));
    announceFailure(error);
  };
  const fail = (what: string, error: unknown): void => {
    host.log.error(what, { error: textOf(error) });
    endWith(error);
  };
  const supervisor = createSupervisor<ActorId>({
    clock: host.timerClock,
    timers: host.timers,
    limits,
    isFatal: isStorageFailure,
    onRestart: (id, error) => host.log.error('actor restarted', { actor: id, error: textOf(error) }),
    onFailedAtStop: (id, error) => host.log.error('actor failed while it stopped', { actor: id, error: textOf(error) }),
    onFailed: (id, error) => fail(`actor ${id} failed`, error),
    onMode: () => modes.say({ type: 'modeChanged' }),
  });
  return {
    supervisor: { ...supervisor, start: (child) => supervisor.start(host.wrapActor?.(child) ?? child) },
    failed,
    halted,
    fail,
    noticed: (error) => {
      // The owner of the node reports the reason: a start rejects with it, a daemon prints it when it exits.
      if (isStorageFailure(error)) endWith(error);
    },
    refused: (reason) => {
      haltReason = reason;
    },
    haltReason: () => haltReason,
    halt() {
      supervisor.send({ type: 'upgradeNeeded' });
      announceHalt();
    },
    async end({ id, inbox }) {
      await Promise.race([supervisor.stop(id), failed]);
      inbox?.end(NODE_STOPPING);
    },
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * True for errors of the log and the database. After a failed write the log refuses everything, so restarting an
 * actor does not help.
 */
function isStorageFailure(error: unknown): boolean {
  return causeOf<Error>(error, PoisonedError, CommitUnknownError, CorruptionError) !== undefined;
}

/** A promise and its resolver. */
function promised<Value>(): readonly [Promise<Value>, (value: Value) => void] {
  let fulfil: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => {
    fulfil = resolve;
  });
  return [promise, (value) => fulfil(value)];
}
