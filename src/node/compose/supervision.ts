import type { ChildSpec } from '../../actors/shell/child.js';
import { createSupervisor, type Supervisor } from '../../actors/supervisor/supervisor.js';
import { NODE_STOPPING } from '../../core/errors.js';
import type { Limits } from '../../core/limits/limits.js';
import { causeOf, CommitUnknownError, CorruptionError, PoisonedError } from '../../store/errors.js';
import type { ActorId } from './actor-ids.js';
import type { NodeHost } from './node-host.js';
import type { NodeSignals } from './wiring.js';

/** The supervisor of a node, and its two ways to stand still. */
export interface Supervision {
  readonly supervisor: Supervisor<ActorId>;
  /** Resolves with the reason when the node cannot continue. */
  readonly failed: Promise<unknown>;
  /** Resolves when the node halts for an upgrade. */
  readonly halted: Promise<void>;
  /** The node cannot continue: logs what failed and why. */
  readonly fail: (what: string, error: unknown) => void;
  /** A request or a hearer failed: when the reason is the storage, the node cannot continue. */
  readonly noticed: (error: unknown) => void;
  /** The chain halts for an upgrade. */
  readonly halt: () => void;
  /** The application refuses a block, with its reason; the halt follows when the log has it. */
  readonly refused: (reason: string) => void;
  /** The last such reason. */
  readonly haltReason: () => string | undefined;
  /**
   * The node stops: ends an actor at its quiet point, and refuses the commands that wait for it or come later. When the
   * node has failed the quiet point is not awaited: it may depend on a write that never ends.
   */
  readonly end: (child: Pick<ChildSpec<ActorId>, 'id' | 'inbox'>) => Promise<void>;
}

/** Makes the supervisor of the actors, with the reasons for which the node ends. */
export function createSupervision(
  host: Pick<NodeHost, 'timerClock' | 'timers' | 'log' | 'wrapActor'>,
  limits: Limits,
  { modes }: Pick<NodeSignals, 'modes'>,
): Supervision {
  const [failed, announceFailure] = promised<unknown>();
  const [halted, announceHalt] = promised<void>();
  let haltReason: string | undefined;
  const endWith = (error: unknown): void => {
    // `/health` says so from here on; the supervisor itself may be in the middle of a transition.
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
      // The owner of the node names the reason: a start rejects with it, a daemon prints it at its end.
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

/** The log refuses everything after a failed write: no restart of an actor mends that. */
function isStorageFailure(error: unknown): boolean {
  return causeOf<Error>(error, PoisonedError, CommitUnknownError, CorruptionError) !== undefined;
}

/** A promise, and the function that fulfils it. */
function promised<Value>(): readonly [Promise<Value>, (value: Value) => void] {
  let fulfil: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => {
    fulfil = resolve;
  });
  return [promise, (value) => fulfil(value)];
}
