import { createActor, type AnyActorRef, type AnyMachineSnapshot } from 'xstate';
import { refusalOfFailure, type DomainError } from '../../core/errors.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Clock, Timers } from '../../core/ports/time.js';
import { ENDING, READY, type ChildSpec } from '../shell/child.js';
import { actorClock } from '../shell/actor-clock.js';
import type { Command } from '../shell/inbox.js';
import { supervisorMachine, type NodeEvent, type SupervisorMode } from './machine.js';
import { NS_PER_MS } from '../../core/primitives.js';

export type { NodeEvent, SupervisorMode } from './machine.js';

export interface SupervisorOptions<Id extends string> {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: Pick<Limits, 'actorRestarts' | 'actorRestartWindowMs'>;
  /** True for failures that a restart cannot repair, such as a failed storage. */
  readonly isFatal: (error: unknown) => boolean;
  /** Called when a failed actor is restarted. */
  readonly onRestart: (id: Id, error: unknown) => void;
  /** Called when an actor fails during a requested stop; it is not restarted. */
  readonly onFailedAtStop: (id: Id, error: unknown) => void;
  /** Called when an actor has failed permanently: the node must stop. */
  readonly onFailed: (id: Id, error: unknown) => void;
  /** Called when the mode changes. */
  readonly onMode: (mode: SupervisorMode) => void;
}

export interface Supervisor<Id extends string> {
  mode(): SupervisorMode;
  /** Reports an event of the node; ignored when unexpected in the current mode. */
  send(event: NodeEvent): void;
  /** Starts an actor; resolves when it is ready. Rejects with its error when it fails permanently before. */
  start(child: ChildSpec<Id>): Promise<void>;
  /**
   * Stops an actor at its next quiescent point and starts it again; resolves when it is ready. Does not count as a
   * failure. Rejects when the actor is not running.
   */
  restart(id: Id): Promise<void>;
  /** Stops an actor permanently at its next quiescent point. Resolves at once when it is not running. */
  stop(id: Id): Promise<void>;
  /** Number of restarts after failures since the start. */
  restarts(): number;
  /** All started actors, in order, with state and queue length. */
  actors(): readonly ActorState<Id>[];
}

/** State of an actor. */
export interface ActorState<Id extends string> {
  readonly id: Id;
  /** State of its statechart; `ended` when it is not running. */
  readonly mode: string;
  /** Number of waiting commands. */
  readonly inbox: number;
  /** Restarts after failures. */
  readonly restarts: number;
}

const FAILED: DomainError = { code: 'halted', reason: 'an actor of the node failed' };

/** A caller waiting for an actor. */
interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Commands that an actor accepts in its current state. */
type AcceptedCommands = 'nothing' | 'endings' | 'all';

function acceptedCommands(snapshot: AnyMachineSnapshot): AcceptedCommands {
  if (snapshot.status !== 'active') return 'nothing';
  if (snapshot.hasTag(READY)) return 'all';
  return snapshot.hasTag(ENDING) ? 'endings' : 'nothing';
}

/** Creates the parent of all actors: it starts them, restarts failed ones, and stops them at quiescent points. */
export function createSupervisor<Id extends string>(options: SupervisorOptions<Id>): Supervisor<Id> {
  const specs = new Map<Id, ChildSpec<Id>>();
  const awaitReady = new Map<Id, Waiting[]>();
  const awaitEnd = new Map<Id, Waiting[]>();
  const restarts = new Map<Id, number>();

  const settle = (waiting: Map<Id, Waiting[]>, id: Id, how: (one: Waiting) => void): void => {
    const list = waiting.get(id) ?? [];
    waiting.delete(id);
    for (const one of list) how(one);
  };
  const wait = (waiting: Map<Id, Waiting[]>, id: Id): Promise<void> =>
    new Promise((resolve, reject) => waiting.set(id, [...(waiting.get(id) ?? []), { resolve, reject }]));

  /** Opens and closes the inbox as the actor becomes ready or not. */
  const watchReadiness = (id: Id, actor: AnyActorRef): void => {
    const inbox = specs.get(id)?.inbox;
    let taking: AcceptedCommands = 'nothing';
    const close = (): void => {
      if (taking !== 'nothing') inbox?.close();
      taking = 'nothing';
    };
    actor.subscribe({
      next(snapshot) {
        const now = acceptedCommands(snapshot);
        if (now === taking) return;
        close();
        if (now === 'nothing') return;
        taking = now;
        const only = now === 'endings' ? now : undefined;
        if (only === undefined) settle(awaitReady, id, ({ resolve }) => resolve());
        const deliver = (command: Command): boolean => {
          actor.send(command);
          return actor.getSnapshot().status !== 'error';
        };
        // The actor is in a transition: a command delivered now would be queued in its mailbox, and be lost unanswered
        // if the actor fails.
        if (inbox?.waiting === 0) return inbox.open(deliver, only);
        queueMicrotask(() => {
          if (taking === now) inbox?.open(deliver, only);
        });
      },
      error: close,
      complete: close,
    });
  };

  const root = createActor(
    supervisorMachine<Id>({
      maximum: options.limits.actorRestarts,
      windowMs: options.limits.actorRestartWindowMs,
      now: () => Number(options.clock.now() / NS_PER_MS),
      isFatal: options.isFatal,
      logicOf: (id) => specs.get(id)?.logic,
      inputOf: (id) => specs.get(id)?.input(),
      onSpawned: watchReadiness,
      onRestart(id, error) {
        restarts.set(id, (restarts.get(id) ?? 0) + 1);
        options.onRestart(id, error);
      },
      onFailedAtStop: options.onFailedAtStop,
      onEnded: (id) => settle(awaitEnd, id, ({ resolve }) => resolve()),
      onFailed(id, error) {
        // No further instance will handle the waiting commands.
        specs.get(id)?.inbox?.end(options.isFatal(error) ? refusalOfFailure(error) : FAILED);
        settle(awaitReady, id, ({ reject }) => reject(error));
        settle(awaitEnd, id, ({ resolve }) => resolve());
        options.onFailed(id, error);
      },
    }),
    { clock: actorClock(options.timers) },
  );
  let mode: SupervisorMode = 'booting';
  root.subscribe((snapshot) => {
    if (snapshot.value === mode) return;
    mode = snapshot.value;
    options.onMode(mode);
  });
  root.start();

  const runs = (id: Id): boolean => root.getSnapshot().context.children.has(id);
  return {
    mode: () => mode,
    send: (event) => root.send(event),
    start(child) {
      specs.set(child.id, child);
      const ready = wait(awaitReady, child.id);
      root.send({ type: 'startChild', id: child.id });
      return ready;
    },
    restart(id) {
      if (!runs(id)) return Promise.reject(new Error(`actor ${id} does not run`));
      const ready = wait(awaitReady, id);
      root.send({ type: 'restartChild', id });
      return ready;
    },
    stop(id) {
      if (!runs(id)) return Promise.resolve();
      const ended = wait(awaitEnd, id);
      root.send({ type: 'stopChild', id });
      return ended;
    },
    restarts: () => [...restarts.values()].reduce((sum, count) => sum + count, 0),
    actors: () =>
      [...specs.values()].map(({ id, inbox }) => {
        const snapshot = root.getSnapshot().context.children.get(id)?.actor.getSnapshot();
        return {
          id,
          mode: snapshot === undefined ? 'ended' : modeText(snapshot.value),
          inbox: inbox?.waiting ?? 0,
          restarts: restarts.get(id) ?? 0,
        };
      }),
  };
}

/** A statechart state as text, for example `running` or `running.mining` for a nested state. */
function modeText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return 'running';
  return Object.entries(value)
    .map(([name, inner]: [string, unknown]) =>
      typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0
        ? name
        : `${name}.${modeText(inner)}`,
    )
    .join(' ');
}
