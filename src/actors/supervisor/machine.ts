import { assign, setup, type AnyActorLogic, type AnyActorRef } from 'xstate';
import type { StopRequested } from '../shell/child.js';

/** Mode of the node; it determines what the APIs may promise. */
export type SupervisorMode =
  | 'booting'
  | 'replaying'
  | 'running'
  | 'reverting'
  | 'diskFull'
  | 'halted'
  | 'draining'
  | 'stopped';

/** Events that change the node's mode. */
export type NodeEvent =
  | { readonly type: 'opened' }
  | { readonly type: 'replayed' }
  | { readonly type: 'upgradeNeeded' }
  /** A revert starts; it has ended, successfully or not. */
  | { readonly type: 'revert' }
  | { readonly type: 'reverted' }
  /** The disk has too little free space for further blocks; it has enough again. */
  | { readonly type: 'diskFilled' }
  | { readonly type: 'diskFreed' }
  | { readonly type: 'drain' }
  | { readonly type: 'drained' };

/** Requests concerning one child actor. */
type ChildEvent<Id> =
  | { readonly type: 'startChild'; readonly id: Id }
  | { readonly type: 'restartChild'; readonly id: Id }
  | { readonly type: 'stopChild'; readonly id: Id };

/** Events with which xstate reports the end of a child. */
type EndOfChild =
  | { readonly type: `xstate.done.actor.${string}`; readonly actorId: string }
  | { readonly type: `xstate.error.actor.${string}`; readonly actorId: string; readonly error: unknown };

interface Child {
  readonly actor: AnyActorRef;
  /** The requested kind of stop; undefined when none is requested. */
  readonly stop: 'restart' | 'final' | undefined;
  /** Times of recent failures within the window, milliseconds. */
  readonly failures: readonly number[];
}

export interface SupervisorMachineOptions<Id extends string> {
  /** Most failures within the window for which a child is restarted. */
  readonly maximum: number;
  readonly windowMs: number;
  /** Milliseconds. */
  readonly now: () => number;
  readonly isFatal: (error: unknown) => boolean;
  readonly logicOf: (id: Id) => AnyActorLogic | undefined;
  readonly inputOf: (id: Id) => unknown;
  readonly onSpawned: (id: Id, actor: AnyActorRef) => void;
  readonly onRestart: (id: Id, error: unknown) => void;
  readonly onEnded: (id: Id) => void;
  /** Called when a child fails during a final stop; `onEnded` follows. */
  readonly onFailedAtStop: (id: Id, error: unknown) => void;
  readonly onFailed: (id: Id, error: unknown) => void;
}

const STOP_ASKED: StopRequested = { type: 'stopRequested' };

/**
 * Statechart of the node, and the lifecycle of its child actors. A child stops at a quiescent point on request, and is
 * restarted after a failure until it fails too often, except during a final stop.
 */
export function supervisorMachine<Id extends string>(options: SupervisorMachineOptions<Id>) {
  type Context = { readonly children: ReadonlyMap<string, Child> };
  type Spawn = (logic: AnyActorLogic, how: { id: string; systemId: string; input: unknown }) => AnyActorRef;

  const make = (children: Context['children'], id: Id, spawn: Spawn, failures: Child['failures']): Context => {
    const logic = options.logicOf(id);
    if (logic === undefined || children.get(id)?.actor.getSnapshot().status === 'active') return { children };
    const actor = spawn(logic, { id, systemId: id, input: options.inputOf(id) });
    options.onSpawned(id, actor);
    return { children: new Map(children).set(id, { actor, stop: undefined, failures }) };
  };
  const without = (children: Context['children'], id: Id): Context => {
    const left = new Map(children);
    left.delete(id);
    return { children: left };
  };
  /** Requests a child to stop, and records whether it is restarted afterwards. */
  const requestStop = (children: Context['children'], id: Id, stop: 'restart' | 'final'): Context => {
    const child = children.get(id);
    if (child === undefined) return { children };
    child.actor.send(STOP_ASKED);
    return { children: new Map(children).set(id, { ...child, stop }) };
  };
  const ended = (children: Context['children'], id: Id, spawn: Spawn): Context => {
    const child = children.get(id);
    const left = without(children, id).children;
    if (child?.stop === 'restart') return make(left, id, spawn, child.failures);
    options.onEnded(id);
    return { children: left };
  };
  const failed = (children: Context['children'], id: Id, error: unknown, spawn: Spawn): Context => {
    const now = options.now();
    const recent = [...(children.get(id)?.failures ?? []), now].filter((at) => now - at < options.windowMs);
    const left = without(children, id).children;
    if (options.isFatal(error) || recent.length > options.maximum) {
      options.onFailed(id, error);
      return { children: left };
    }
    if (children.get(id)?.stop === 'final') {
      options.onFailedAtStop(id, error);
      options.onEnded(id);
      return { children: left };
    }
    options.onRestart(id, error);
    return make(left, id, spawn, recent);
  };

  return setup({
    types: {
      context: {} as Context,
      events: {} as NodeEvent | ChildEvent<Id> | EndOfChild,
      children: {} as Record<string, 'child'>,
    },
    // Type placeholder; the logic comes from `logicOf`.
    actors: { child: {} as AnyActorLogic },
  }).createMachine({
    context: { children: new Map() },
    initial: 'booting',
    on: {
      startChild: { actions: assign(({ context, event, spawn }) => make(context.children, event.id, spawn, [])) },
      restartChild: { actions: assign(({ context, event }) => requestStop(context.children, event.id, 'restart')) },
      stopChild: { actions: assign(({ context, event }) => requestStop(context.children, event.id, 'final')) },
      'xstate.done.actor.*': {
        actions: assign(({ context, event, spawn }) => ended(context.children, event.actorId as Id, spawn)),
      },
      'xstate.error.actor.*': {
        actions: assign(({ context, event, spawn }) =>
          failed(context.children, event.actorId as Id, event.error, spawn),
        ),
      },
    },
    states: {
      booting: { on: { opened: 'replaying', drain: 'draining' } },
      replaying: { on: { replayed: 'running', upgradeNeeded: 'halted', drain: 'draining' } },
      running: { on: { revert: 'reverting', diskFilled: 'diskFull', upgradeNeeded: 'halted', drain: 'draining' } },
      reverting: { on: { reverted: 'running', upgradeNeeded: 'halted', drain: 'draining' } },
      diskFull: { on: { diskFreed: 'running', upgradeNeeded: 'halted', drain: 'draining' } },
      halted: { on: { drain: 'draining' } },
      draining: { on: { drained: 'stopped' } },
      stopped: {},
    },
  });
}
