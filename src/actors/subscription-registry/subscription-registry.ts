import type { Limits } from '../../core/limits/limits.js';
import type { Position } from '../../core/primitives.js';
import {
  evaluationsOf,
  hasSubscriptions,
  type Deliverer,
  type InputKind,
  type Matches,
  type PushFace,
  type PushHistory,
  type PushSource,
  type SubscribeDecision,
  type Subscription,
  type SubscriptionRegistry,
  type SubscriptionTable,
} from '../../core/subscriptions/index.js';
import type { ChildSpec } from '../shell/child.js';
import { Inbox } from '../shell/inbox.js';
import { catchUpAndListen } from './catch-up-and-listen.js';
import { registryLogic, type Delivered, type RegistryCommand, type RegistryParts } from './logic.js';

/** Counters for metrics and tests. */
export interface RegistryCounters {
  readonly faces: Readonly<Record<PushFace, { readonly clients: number; readonly subscriptions: number }>>;
  /** Number of exact comparisons of criteria; measures how many the indexes avoid. */
  readonly evaluations: number;
}

export interface SubscriptionRegistryOptions {
  readonly limits: Limits;
  readonly source: PushSource;
  readonly history: Pick<PushHistory, 'read'>;
}

/** The registry's shell, which outlives the actor. */
export interface SubscriptionRegistryShell<Id extends string> {
  readonly registry: SubscriptionRegistry;
  /** Specification for the supervisor. */
  readonly child: ChildSpec<Id>;
  counters(): RegistryCounters;
}

const NAME = 'subscription registry';

/** Creates the registry: as a child of the supervisor, and for the push engine. */
export function createSubscriptionRegistry<Id extends string>(
  id: Id,
  { limits, source, history }: SubscriptionRegistryOptions,
): SubscriptionRegistryShell<Id> {
  // One extra slot for the `forget` command.
  const inbox = new Inbox<RegistryCommand>({ name: NAME, maximum: limits.subscriptionInbox + 1 });
  const heard: Record<InputKind, Position> = {
    commits: source.shown('commits'),
    admissions: source.shown('admissions'),
  };
  let deliverer: Deliverer | undefined;
  let table: SubscriptionTable | undefined;
  let leave = (): void => undefined;
  /** Number of unanswered subscribes. */
  let waiting = 0;
  /** Nesting depth of input deliveries to the actor; above 1 when a receiver causes another input. */
  let delivering = 0;
  /** Commands that arrived during a delivery. */
  const deferred: RegistryCommand[] = [];
  /** Ended subscriptions that the actor has not removed yet. */
  let ended: Subscription[] = [];

  const command = (one: RegistryCommand): void => {
    if (delivering > 0) deferred.push(one);
    else inbox.tell(one);
  };
  const whileDelivering = (tell: () => void): void => {
    delivering += 1;
    try {
      tell();
    } finally {
      delivering -= 1;
      if (delivering === 0) deferred.splice(0).forEach((one) => inbox.tell(one));
    }
  };
  const matched = ({ kind, position, matches }: Matches): void => {
    // Set before the delivery: a subscription created during it reads this input from the log.
    heard[kind] = position;
    if (matches.length > 0) deliverer?.deliver({ kind, position, matches });
  };
  const deliver = (tell: (event: Delivered) => void): (() => void) => {
    // A failed instance has not unsubscribed.
    leave();
    leave = catchUpAndListen(source, history, {
      heard: (kind) => heard[kind],
      hear(input) {
        // Inputs without any matching subscription kind bypass the actor; otherwise every admission would be a
        // transition.
        if (table !== undefined && !hasSubscriptions(table.indexes, input.kind)) heard[input.kind] = input.position;
        else whileDelivering(() => tell({ type: 'shown', input }));
      },
      skip(kind, position) {
        heard[kind] = position;
      },
      caughtUp: () => tell({ type: 'caughtUp' }),
      failed: (error) => tell({ type: 'deliveryFailed', error }),
    });
    return leave;
  };
  const parts = (): RegistryParts => ({
    limits,
    held: deliverer?.held() ?? [],
    created(made) {
      table = made;
    },
    deliver,
    matched,
  });

  return {
    registry: {
      attach(one) {
        deliverer = one;
        return () => {
          if (deliverer === one) deliverer = undefined;
        };
      },
      subscribe(client, requested): SubscribeDecision | Promise<SubscribeDecision> {
        if (waiting >= limits.subscriptionInbox)
          return { ok: false, refusal: { code: 'failed', error: { code: 'busy', what: NAME } } };
        let answer: SubscribeDecision | undefined;
        let settle = (decision: SubscribeDecision): void => {
          answer = decision;
        };
        waiting += 1;
        command({
          type: 'subscribe',
          client,
          requested,
          reply(outcome) {
            waiting -= 1;
            if (outcome.ok) settle(outcome.value);
            else settle({ ok: false, refusal: { code: 'failed', error: outcome.error } });
          },
        });
        return answer ?? new Promise((resolve) => (settle = resolve));
      },
      forget(subscriptions) {
        if (subscriptions.length === 0) return;
        const isAsked = ended.length > 0;
        for (const subscription of subscriptions) ended.push(subscription);
        if (isAsked) return;
        command({
          type: 'forget',
          take() {
            const taken = ended;
            ended = [];
            return taken;
          },
        });
      },
      shown: (kind) => heard[kind],
    },
    child: { id, logic: registryLogic, input: parts, inbox },
    counters: () => ({
      faces: { consensus: countOf(table, 'consensus'), ethereum: countOf(table, 'ethereum') },
      evaluations: table === undefined ? 0 : evaluationsOf(table.indexes),
    }),
  };
}

function countOf(
  table: SubscriptionTable | undefined,
  face: PushFace,
): { readonly clients: number; readonly subscriptions: number } {
  const row = table?.faces[face];
  return { clients: row?.clients.size ?? 0, subscriptions: row?.subscriptions ?? 0 };
}
