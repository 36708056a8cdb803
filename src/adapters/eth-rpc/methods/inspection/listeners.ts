/** `chronicle_actors` and `chronicle_subscriptions`: the actors of the node, and the subscriptions of its clients. */
import type {
  FilterFacts,
  InspectionApi,
  SubscriptionFacts,
  SubscriptionsView,
} from '../../../../core/inspection/api.js';
import { FIXED_LIMITS } from '../../../../core/limits/limits.js';
import { rpcErrorOf } from '../../errors.js';
import { failed, method, ok, type Method } from '../../method.js';
import { good, required, wrongKind } from '../../params/param.js';
import * as schema from '../../schema.js';
import { DECIMAL } from './options.js';

const ACTORS: schema.Schema = {
  title: 'Actors',
  ...schema.objectOf({
    mode: schema.TEXT,
    actors: schema.listOf(
      schema.objectOf({ id: schema.TEXT, mode: schema.TEXT, inbox: schema.COUNT, restarts: schema.COUNT }),
    ),
    streams: schema.listOf(schema.objectOf({ name: schema.TEXT, events: DECIMAL })),
    consumers: schema.listOf(
      schema.objectOf({ consumer: schema.TEXT, phase: schema.TEXT, hears: schema.listOf(schema.TEXT) }),
    ),
    signals: schema.listOf(schema.objectOf({ signal: schema.TEXT, says: schema.TEXT, hears: schema.TEXT })),
  }),
};

const SUBSCRIPTION = {
  id: schema.TEXT,
  face: schema.TEXT,
  client: schema.TEXT,
  kind: schema.TEXT,
  criteria: schema.TEXT,
  state: schema.TEXT,
  cursor: schema.orNull(DECIMAL),
  delivered: schema.COUNT,
  lag: schema.COUNT,
  bytesWaiting: schema.COUNT,
};

const FILTER = schema.objectOf({
  id: schema.DATA,
  client: schema.orNull(schema.TEXT),
  kind: schema.TEXT,
  criteria: schema.TEXT,
  height: DECIMAL,
  cursor: DECIMAL,
  lag: DECIMAL,
  expires: DECIMAL,
});

const { listedSubscriptions, endedSubscriptions } = FIXED_LIMITS;

const SUBSCRIPTIONS: schema.Schema = {
  title: 'Subscriptions',
  ...schema.objectOf({
    subscriptions: schema.listOf(schema.objectOf(SUBSCRIPTION), listedSubscriptions),
    filters: schema.listOf(FILTER, listedSubscriptions),
    counts: schema.objectOf({ subscriptions: schema.COUNT, filters: schema.COUNT }),
    ended: schema.listOf(schema.objectOf({ ...SUBSCRIPTION, reason: schema.TEXT }), endedSubscriptions),
  }),
};

const id = required('id', schema.TEXT, (value) =>
  typeof value === 'string' ? good(value) : wrongKind(value, 'string'),
);

const stalled = required('stalled', schema.BOOLEAN, (value) =>
  typeof value === 'boolean' ? good(value) : wrongKind(value, 'bool'),
);

/** Creates the methods; commands that change a subscription exist in dev mode only. */
export function listenerMethods(inspection: InspectionApi, isDev: boolean): readonly Method[] {
  return [
    method('chronicle_actors', 'Actors with mode, inbox and restarts; streams; who hears what', [], ACTORS, () => {
      const { streams, ...view } = inspection.actors();
      const counted = streams.map(({ name, events }) => ({ name, events: String(events) }));
      return ok(JSON.stringify({ ...view, streams: counted }));
    }),
    method(
      'chronicle_subscriptions',
      'Subscriptions and filters of every face, and those that ended lately',
      [],
      SUBSCRIPTIONS,
      () => ok(JSON.stringify(subscriptionsJson(inspection.subscriptions()))),
    ),
    ...(isDev
      ? [
          method(
            'chronicle_cutSubscription',
            'Ends a subscription or filter by its id (dev mode)',
            [id],
            schema.BOOLEAN,
            async ([wanted]) => {
              const cut = await inspection.cutSubscription(wanted);
              return cut.ok ? ok(String(cut.value)) : failed(rpcErrorOf(cut.error));
            },
          ),
          method(
            'chronicle_stallSubscription',
            'Holds back what the connection of a subscription receives, or goes on (dev mode)',
            [id, stalled],
            schema.BOOLEAN,
            ([wanted, isStalled]) => ok(String(inspection.stallSubscription(wanted, isStalled))),
          ),
        ]
      : []),
  ];
}

function subscriptionsJson({ subscriptions, filters, counts, ended }: SubscriptionsView): unknown {
  return {
    subscriptions: subscriptions.map(subscriptionJson),
    filters: filters.map(filterJson),
    counts,
    ended: ended.map((one) => ({ ...subscriptionJson(one), reason: one.reason })),
  };
}

function subscriptionJson({ cursor, ...facts }: SubscriptionFacts): object {
  return { ...facts, cursor: cursor === undefined ? null : String(cursor) };
}

function filterJson({ client, height, cursor, lag, deadline, ...facts }: FilterFacts): object {
  return {
    ...facts,
    client: client ?? null,
    height: String(height),
    cursor: String(cursor),
    lag: String(lag),
    expires: String(deadline),
  };
}
