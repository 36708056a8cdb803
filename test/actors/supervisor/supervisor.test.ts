import { fromCallback, setup } from 'xstate';
import { describe, expect, test } from 'vitest';
import { READY, type ChildSpec } from '../../../src/actors/shell/child.js';
import { Inbox, type Reply } from '../../../src/actors/shell/inbox.js';
import { createSupervisor, type SupervisorMode } from '../../../src/actors/supervisor/supervisor.js';
import { VirtualTime } from '../../support/simulated-time.js';

type Ask =
  | { readonly type: 'ask'; readonly reply?: Reply<number> }
  | { readonly type: 'fail'; readonly reply?: Reply<number> };

/** An actor that answers with the number of its incarnation, fails on command, and is busy until `finish`. */
function counter(): { readonly spec: ChildSpec<'counter'>; readonly inbox: Inbox<Ask>; readonly made: () => number } {
  let made = 0;
  const inbox = new Inbox<Ask>({ name: 'counter', maximum: 100 });
  const logic = setup({
    types: {
      context: {} as { readonly incarnation: number },
      events: {} as Ask | { readonly type: 'stopRequested' },
      input: {} as number,
    },
  }).createMachine({
    context: ({ input }) => ({ incarnation: input }),
    initial: 'ready',
    states: {
      ready: {
        tags: [READY],
        on: {
          ask: { actions: ({ context, event }) => event.reply?.({ ok: true, value: context.incarnation }) },
          fail: {
            actions: () => {
              throw new Error('told to fail');
            },
          },
          stopRequested: 'stopped',
        },
      },
      stopped: { type: 'final' },
    },
  });
  return { spec: { id: 'counter', logic, input: () => (made += 1), inbox }, inbox, made: () => made };
}

function supervisor(isFatal = (_error: unknown): boolean => false) {
  const time = new VirtualTime();
  const modes: SupervisorMode[] = [];
  const failures: unknown[] = [];
  const failedAtStop: unknown[] = [];
  const made = createSupervisor<'counter'>({
    clock: time,
    timers: time,
    limits: { actorRestarts: 2, actorRestartWindowMs: 60_000 },
    isFatal,
    onRestart: () => undefined,
    onFailedAtStop: (_id, error) => failedAtStop.push(error),
    onFailed: (_id, error) => failures.push(error),
    onMode: (mode) => modes.push(mode),
  });
  return { supervisor: made, time, modes, failures, failedAtStop };
}

describe('children of the supervisor', () => {
  test('a requested restart makes a new incarnation, and commands wait for it', async () => {
    const { supervisor: parent } = supervisor();
    const { spec, inbox } = counter();
    const early = inbox.ask<number>((reply) => ({ type: 'ask', reply }));
    await parent.start(spec);
    expect(await early).toEqual({ ok: true, value: 1 });
    for (let incarnation = 2; incarnation < 10; incarnation += 1) {
      await parent.restart('counter');
      expect(await inbox.ask<number>((reply) => ({ type: 'ask', reply }))).toEqual({ ok: true, value: incarnation });
    }
    expect(parent.restarts()).toBe(0);
  });

  test('a child that fails is restarted twice within a minute; the third failure is reported to the node', async () => {
    const { supervisor: parent, failures } = supervisor();
    const { spec, inbox, made } = counter();
    await parent.start(spec);
    for (const incarnation of [2, 3]) {
      expect(await inbox.ask<number>((reply) => ({ type: 'fail', reply }))).toMatchObject({ error: { code: 'busy' } });
      expect(await inbox.ask<number>((reply) => ({ type: 'ask', reply }))).toEqual({ ok: true, value: incarnation });
    }
    expect(failures).toEqual([]);
    await inbox.ask<number>((reply) => ({ type: 'fail', reply }));
    expect(failures).toEqual([new Error('told to fail')]);
    expect([made(), parent.restarts()]).toEqual([3, 2]);
    // No later incarnation will take commands: they are refused at once.
    expect(await inbox.ask<number>((reply) => ({ type: 'ask', reply }))).toMatchObject({ error: { code: 'halted' } });
  });

  test('a command that waited for the actor and during which the actor fails is answered', async () => {
    const { supervisor: parent } = supervisor();
    const inbox = new Inbox<Ask>({ name: 'late', maximum: 100 });
    const logic = setup({
      types: { events: {} as Ask | { readonly type: 'stopRequested' | 'prepared' } },
      actors: { preparation: fromCallback(({ sendBack }) => void setImmediate(() => sendBack({ type: 'prepared' }))) },
    }).createMachine({
      initial: 'preparing',
      states: {
        preparing: { invoke: { src: 'preparation' }, on: { prepared: 'ready' } },
        ready: {
          tags: [READY],
          on: {
            fail: {
              actions: () => {
                throw new Error('told to fail');
              },
            },
          },
        },
      },
    });
    const failing = inbox.ask<number>((reply) => ({ type: 'fail', reply }));
    await parent.start({ id: 'counter', logic, input: () => undefined, inbox });
    expect(await failing).toMatchObject({ ok: false, error: { code: 'busy' } });
  });

  test('failures more than a minute ago do not count', async () => {
    const { supervisor: parent, time, failures } = supervisor();
    const { spec, inbox } = counter();
    await parent.start(spec);
    for (let round = 0; round < 6; round += 1) {
      await inbox.ask<number>((reply) => ({ type: 'fail', reply }));
      await time.advance(31_000);
    }
    expect(failures).toEqual([]);
    expect(parent.restarts()).toBe(6);
  });

  test('a fatal failure never causes a restart', async () => {
    const { supervisor: parent, failures } = supervisor(() => true);
    const { spec, inbox, made } = counter();
    await parent.start(spec);
    await inbox.ask<number>((reply) => ({ type: 'fail', reply }));
    expect([failures.length, made()]).toEqual([1, 1]);
  });

  test('an actor that fails during its creation rejects its start', async () => {
    const { supervisor: parent } = supervisor();
    const { spec } = counter();
    const broken = setup({ types: { input: {} as number } }).createMachine({
      context: () => {
        throw new Error('no rows');
      },
    });
    await expect(parent.start({ ...spec, logic: broken })).rejects.toThrow('no rows');
  });

  test.each(['restart', 'stop'] as const)(
    'a child that fails while a %s waits for its quiet point ends that wait',
    async (asked) => {
      const { supervisor: parent, failures, failedAtStop } = supervisor();
      const inbox = new Inbox<Ask>({ name: 'busy', maximum: 100 });
      let made = 0;
      const logic = setup({
        types: { events: {} as Ask | { readonly type: 'stopRequested' }, input: {} as number },
      }).createMachine({
        initial: 'ready',
        states: {
          ready: {
            tags: [READY],
            on: {
              fail: {
                actions: () => {
                  throw new Error('told to fail');
                },
              },
            },
          },
        },
      });
      await parent.start({ id: 'counter', logic, input: () => (made += 1), inbox });
      const over = parent[asked]('counter');
      await inbox.ask<number>((reply) => ({ type: 'fail', reply }));
      await over;
      // A restart continues as after any failure; after a final stop the actor stays away, and the node continues.
      expect([made, parent.restarts()]).toEqual(asked === 'restart' ? [2, 1] : [1, 0]);
      expect(failedAtStop).toEqual(asked === 'restart' ? [] : [new Error('told to fail')]);
      expect(failures).toEqual([]);
      await (asked === 'restart'
        ? Promise.resolve()
        : expect(parent.restart('counter')).rejects.toThrow('does not run'));
    },
  );

  test('a child that was stopped cannot be restarted', async () => {
    const { supervisor: parent } = supervisor();
    const { spec } = counter();
    await parent.start(spec);
    await parent.stop('counter');
    await expect(parent.restart('counter')).rejects.toThrow('does not run');
  });
});

test('a running node can revert and run again, and can stop during a revert', () => {
  const { supervisor: parent, modes } = supervisor();
  const events = [
    'opened',
    'revert',
    'reverted',
    'replayed',
    'reverted',
    'revert',
    'reverted',
    'revert',
    'drain',
  ] as const;
  for (const type of [...events, 'reverted'] as const) parent.send({ type });
  expect(modes).toEqual(['replaying', 'running', 'reverting', 'running', 'reverting', 'draining']);
});

test('the modes of the node follow each other in the allowed order only', () => {
  const { supervisor: parent, modes } = supervisor();
  for (const type of ['opened', 'replayed', 'replayed', 'upgradeNeeded', 'drain', 'drained'] as const)
    parent.send({ type });
  expect(modes).toEqual(['replaying', 'running', 'halted', 'draining', 'stopped']);
  expect(parent.mode()).toBe('stopped');
});
