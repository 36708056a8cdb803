import { fromCallback, setup } from 'xstate';
import type { Limits } from '../../core/limits/limits.js';
import {
  createSubscriptionTable,
  decide,
  evolve,
  forget,
  matchInput,
  type Client,
  type RequestedCriteria,
  type Matches,
  type PushInput,
  type SubscribeDecision,
  type Subscription,
  type SubscriptionTable,
} from '../../core/subscriptions/index.js';
import { READY, type StopRequested } from '../shell/child.js';
import type { Reply } from '../shell/inbox.js';

/** Commands of the registry. */
export type RegistryCommand =
  | {
      readonly type: 'subscribe';
      readonly client: Client;
      readonly requested: RequestedCriteria;
      readonly reply: Reply<SubscribeDecision>;
    }
  /** Removes ended subscriptions: `take` returns those since the last such command. At most one such command waits. */
  | { readonly type: 'forget'; readonly take: () => readonly Subscription[]; readonly reply?: never };

/** Messages of the delivery to the registry. */
export type Delivered =
  | { readonly type: 'shown'; readonly input: PushInput }
  | { readonly type: 'caughtUp' }
  | { readonly type: 'deliveryFailed'; readonly error: unknown };

export interface RegistryParts {
  readonly limits: Limits;
  /** Open subscriptions, possibly registered by a previous instance. */
  readonly held: Iterable<Subscription>;
  readonly created: (table: SubscriptionTable) => void;
  /**
   * Starts the delivery of inputs, beginning with those that the previous instance missed. Returns a function that
   * stops it.
   */
  readonly deliver: (send: (message: Delivered) => void) => () => void;
  readonly matched: (matches: Matches) => void;
}

/**
 * Owner of the subscriptions of all push APIs. Subscribe commands and inputs are processed sequentially, so each input
 * is clearly before or after a subscribe. Handles commands once it has caught up with missed inputs. Volatile: nothing
 * is logged.
 */
export const registryLogic = setup({
  types: {
    context: {} as { readonly parts: RegistryParts; readonly table: SubscriptionTable },
    events: {} as RegistryCommand | Delivered | StopRequested,
    input: {} as RegistryParts,
  },
  actors: {
    delivery: fromCallback<StopRequested, RegistryParts, Delivered>(({ input, sendBack }) => input.deliver(sendBack)),
  },
}).createMachine({
  context: ({ input }) => {
    const table = createSubscriptionTable();
    for (const subscription of input.held) evolve(table, subscription);
    input.created(table);
    return { parts: input, table };
  },
  initial: 'catchingUp',
  invoke: { src: 'delivery', input: ({ context }) => context.parts },
  on: {
    shown: {
      actions: ({ context: { parts, table }, event: { input } }) =>
        parts.matched({
          kind: input.kind,
          position: input.position,
          matches: matchInput(table.indexes, input),
        }),
    },
    subscribe: {
      actions({ context: { parts, table }, event: { client, requested, reply } }) {
        const decision = decide(table, { client, requested }, parts.limits);
        if (decision.ok) evolve(table, decision.subscription);
        reply({ ok: true, value: decision });
      },
    },
    forget: {
      actions({ context: { table }, event: { take } }) {
        for (const subscription of take()) forget(table, subscription);
      },
    },
    deliveryFailed: {
      actions({ event }) {
        throw event.error;
      },
    },
    stopRequested: '.stopped',
  },
  states: {
    catchingUp: { on: { caughtUp: 'serving' } },
    serving: { tags: [READY] },
    stopped: { type: 'final' },
  },
});
