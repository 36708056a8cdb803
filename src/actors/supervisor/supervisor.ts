import { createActor, setup } from 'xstate';

export type SupervisorMode = 'booting' | 'replaying' | 'running' | 'halted' | 'draining' | 'stopped';

export type SupervisorEvent =
  | { readonly type: 'opened' }
  | { readonly type: 'replayed' }
  | { readonly type: 'upgradeNeeded' }
  | { readonly type: 'drain' }
  | { readonly type: 'drained' };

const machine = setup({ types: { events: {} as SupervisorEvent } }).createMachine({
  initial: 'booting',
  states: {
    booting: { on: { opened: 'replaying', drain: 'draining' } },
    replaying: { on: { replayed: 'running', upgradeNeeded: 'halted', drain: 'draining' } },
    running: { on: { upgradeNeeded: 'halted', drain: 'draining' } },
    halted: { on: { drain: 'draining' } },
    draining: { on: { drained: 'stopped' } },
    stopped: { type: 'final' },
  },
});

export interface Supervisor {
  mode(): SupervisorMode;
  /** Tells the supervisor what happened; an event that its mode does not expect changes nothing. */
  send(event: SupervisorEvent): void;
}

/** The node's life: which mode it is in decides what the faces may promise (design section 6). */
export function createSupervisor(): Supervisor {
  const actor = createActor(machine);
  actor.start();
  return { mode: () => actor.getSnapshot().value, send: (event) => actor.send(event) };
}
