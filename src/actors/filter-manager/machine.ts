import { refusalOfFailure } from '../../core/errors.js';
import { assertEvent, assign, fromPromise, setup } from 'xstate';
import { FILTER_IDLE_MS } from '../../core/filters/index.js';
import type { Admitted, ConsumerStream } from '../../streams/index.js';
import { ENDING, READY, type StopRequested } from '../shell/child.js';
import { heard, type Started } from '../shell/heard.js';
import type { Reply } from '../shell/inbox.js';
import type { FilterManagerCommand } from './commands.js';
import { InstalledFilters, type InstalledFiltersOptions } from './installed-filters.js';
import type { PollQueues } from './poll-queues.js';

export interface FilterManagerMachineOptions extends InstalledFiltersOptions {
  readonly stream: ConsumerStream<Admitted>;
  /** Polls in progress, of this actor instance and a failed predecessor. */
  readonly polls: Pick<PollQueues, 'begin' | 'hasBegun' | 'ended'>;
  /** Called when the filters are loaded. */
  readonly show: (filters: InstalledFilters) => void;
}

/** A write, or a read of the log, failed. */
interface StorageFailed {
  readonly type: 'storageFailed';
  readonly error: unknown;
}

type ManagerEvent = FilterManagerCommand | Admitted | Started | StorageFailed | StopRequested;

/**
 * Statechart of the filter manager. An instance loads the rows, then handles commands; a storage failure fails it.
 * `stopping` waits for polls in progress; rows being written need no waiting. A timer runs until the nearest deadline.
 */
export function filterManagerMachine(options: FilterManagerMachineOptions) {
  const { stream, polls, rows, show } = options;
  return setup({
    types: {
      context: {} as { readonly filters: InstalledFilters },
      events: {} as ManagerEvent,
    },
    actors: {
      restore: fromPromise(() => rows.read()),
      pollsEnded: fromPromise(() => polls.ended()),
      heard: heard<Admitted>(),
    },
    delays: { nearestDeadline: ({ context }) => context.filters.nextDeadlineMs ?? FILTER_IDLE_MS },
    guards: {
      hasDeadline: ({ context }) => context.filters.nextDeadlineMs !== undefined,
      hasPolls: () => polls.hasBegun,
    },
    actions: {
      show: ({ context }) => show(context.filters),
      admit: ({ context, event }) => {
        assertEvent(event, 'admitted');
        context.filters.admitted(event);
      },
      create: ({ context, event, self }) => {
        assertEvent(event, 'create');
        failOnError(self, context.filters.create(event), event.reply);
      },
      poll: ({ context, event, self }) => {
        assertEvent(event, 'poll');
        polls.begin(event.id);
        failOnError(self, context.filters.poll(event), event.reply);
      },
      polled: ({ context, event, self }) => {
        assertEvent(event, 'polled');
        failOnError(self, context.filters.polled(event), event.reply);
      },
      touch: ({ context, event }) => {
        assertEvent(event, 'touch');
        context.filters.touch(event);
      },
      uninstall: ({ context, event, self }) => {
        assertEvent(event, 'uninstall');
        failOnError(self, context.filters.uninstall(event), event.reply);
      },
      expire: ({ context, self }) => failOnError(self, context.filters.expire(), () => undefined),
      fail: ({ event }) => {
        throw 'error' in event ? event.error : new Error(`unexpected ${event.type}`);
      },
    },
  }).createMachine({
    context: { filters: new InstalledFilters(options, []) },
    initial: 'restoring',
    on: { stopRequested: '.stopped', storageFailed: { actions: 'fail' } },
    states: {
      restoring: {
        invoke: {
          src: 'restore',
          onDone: {
            target: 'serving',
            actions: assign(({ event }) => ({ filters: new InstalledFilters(options, event.output) })),
          },
          onError: { actions: 'fail' },
        },
      },
      serving: {
        tags: [READY],
        entry: 'show',
        invoke: {
          src: 'heard',
          input: ({ self }) => ({ sources: [stream.live], consumer: self }),
          onError: { actions: 'fail' },
        },
        on: {
          admitted: { actions: 'admit' },
          create: { actions: 'create' },
          poll: { actions: 'poll' },
          polled: { actions: 'polled' },
          touch: { actions: 'touch' },
          uninstall: { actions: 'uninstall' },
          stopRequested: [{ guard: 'hasPolls', target: 'stopping' }, { target: 'stopped' }],
        },
        initial: 'unhurried',
        states: {
          unhurried: { always: { guard: 'hasDeadline', target: 'waiting' } },
          waiting: { after: { nearestDeadline: { target: 'unhurried', actions: 'expire' } } },
        },
      },
      stopping: {
        tags: [ENDING],
        invoke: { src: 'pollsEnded', onDone: 'stopped' },
        on: { polled: { actions: 'polled' } },
      },
      stopped: { type: 'final' },
    },
  });
}

/** The part of the actor that its commands use. */
interface ActiveActor {
  getSnapshot(): { readonly status: string };
  send(event: StorageFailed): void;
}

/**
 * Reports the failure of a command to its actor, if that is still active, and refuses the command. The client's next
 * request is handled by a restarted actor.
 */
function failOnError(self: ActiveActor, work: Promise<void>, refuse: Reply<never>): void {
  work.catch((error: unknown) => {
    if (self.getSnapshot().status === 'active') self.send({ type: 'storageFailed', error });
    refuse({ ok: false, error: refusalOfFailure(error) });
  });
}
