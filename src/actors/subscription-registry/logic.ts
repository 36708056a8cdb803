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

/** The commands that the registry answers. */
export type RegistryCommand =
  | {
      readonly type: 'subscribe';
      readonly client: Client;
      readonly requested: RequestedCriteria;
      readonly reply: Reply<SubscribeDecision>;
    }
  /** Takes the subscriptions that ended since the last such command; at most one of these commands waits. */
  | { readonly type: 'forget'; readonly take: () => readonly Subscription[]; readonly reply?: never };

/** The messages that the registry hears. */
export type Heard =
  | { readonly type: 'shown'; readonly input: PushInput }
  | { readonly type: 'caughtUp' }
  | { readonly type: 'hearingFailed'; readonly error: unknown };

export interface RegistryParts {
  readonly limits: Limits;
  /** The open subscriptions, which an earlier incarnation may have registered. */
  readonly held: Iterable<Subscription>;
  readonly created: (table: SubscriptionTable) => void;
  /** Delivers inputs, first those that the earlier incarnation missed. Returns a function that ends the delivery. */
  readonly hear: (tell: (heard: Heard) => void) => () => void;
  readonly matched: (matches: Matches) => void;
}

/**
 * The owner of all subscriptions of all push faces. It is a mailbox, without modes that differ in what they do:
 * subscribes and inputs pass through it one after another, so that an input is either before or after a subscribe, and
 * all parts agree on which. It takes commands once it has heard what was shown while it was away. Volatile: nothing of
 * it is logged.
 */
export const registryLogic = setup({
  types: {
    context: {} as { readonly parts: RegistryParts; readonly table: SubscriptionTable },
    events: {} as RegistryCommand | Heard | StopRequested,
    input: {} as RegistryParts,
  },
  actors: {
    hearing: fromCallback<StopRequested, RegistryParts, Heard>(({ input, sendBack }) => input.hear(sendBack)),
  },
}).createMachine({
  context: ({ input }) => {
    const table = createSubscriptionTable();
    for (const subscription of input.held) evolve(table, subscription);
    input.created(table);
    return { parts: input, table };
  },
  initial: 'hearing',
  invoke: { src: 'hearing', input: ({ context }) => context.parts },
  on: {
    shown: {
      actions: ({ context: { parts, table }, event: { input } }) =>
        parts.matched({
          lane: input.lane,
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
    hearingFailed: {
      actions({ event }) {
        throw event.error;
      },
    },
    stopRequested: '.stopped',
  },
  states: {
    hearing: { on: { caughtUp: 'serving' } },
    serving: { tags: [READY] },
    stopped: { type: 'final' },
  },
});
