import { refusalOfFailure } from '../../core/errors.js';
import { assertEvent, assign, fromPromise, setup } from 'xstate';
import { FILTER_IDLE_MS } from '../../core/filters/index.js';
import type { Admitted, Hearing } from '../../streams/index.js';
import { ENDING, READY, type StopRequested } from '../shell/child.js';
import { heard, type Started } from '../shell/heard.js';
import type { Reply } from '../shell/inbox.js';
import type { FilterManagerCommand } from './commands.js';
import { InstalledFilters, type InstalledFiltersOptions } from './installed-filters.js';
import type { PollTurns } from './poll-turns.js';

export interface FilterManagerMachineOptions extends InstalledFiltersOptions {
  readonly hearing: Hearing<Admitted>;
  /** The polls in hand, of this incarnation and of one that failed. */
  readonly polls: Pick<PollTurns, 'begin' | 'hasBegun' | 'ended'>;
  /** The filters of this incarnation are complete. */
  readonly show: (filters: InstalledFilters) => void;
}

/** A write, or a read of the log, failed. */
interface StorageFailed {
  readonly type: 'storageFailed';
  readonly error: unknown;
}

type ManagerEvent = FilterManagerCommand | Admitted | Started | StorageFailed | StopRequested;

/**
 * Filters over time. An incarnation begins with the rows, then takes commands; a storage failure fails it. A requested
 * stop waits for the polls in hand, which `stopping` brings to their end; rows in transit to the store are complete at
 * any time. It waits for the nearest deadline, if there is one.
 */
export function filterManagerMachine(options: FilterManagerMachineOptions) {
  const { hearing, polls, rows, show } = options;
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
        attend(self, context.filters.create(event), event.reply);
      },
      poll: ({ context, event, self }) => {
        assertEvent(event, 'poll');
        polls.begin(event.id);
        attend(self, context.filters.poll(event), event.reply);
      },
      polled: ({ context, event, self }) => {
        assertEvent(event, 'polled');
        attend(self, context.filters.polled(event), event.reply);
      },
      touch: ({ context, event }) => {
        assertEvent(event, 'touch');
        context.filters.touch(event);
      },
      uninstall: ({ context, event, self }) => {
        assertEvent(event, 'uninstall');
        attend(self, context.filters.uninstall(event), event.reply);
      },
      expire: ({ context, self }) => attend(self, context.filters.expire(), () => undefined),
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
          input: ({ self }) => ({ sources: [hearing.live], hearer: self }),
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

/** An actor as its own commands see it. */
interface Living {
  getSnapshot(): { readonly status: string };
  send(event: StorageFailed): void;
}

/**
 * A command that fails ends its incarnation, if that still lives, and is then refused. The client's next request goes
 * to the incarnation that was made of the rows.
 */
function attend(self: Living, work: Promise<void>, refuse: Reply<never>): void {
  work.catch((error: unknown) => {
    if (self.getSnapshot().status === 'active') self.send({ type: 'storageFailed', error });
    refuse({ ok: false, error: refusalOfFailure(error) });
  });
}
