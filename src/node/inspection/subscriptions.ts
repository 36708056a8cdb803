import type { Delivery, PushEngine } from '../../adapters/push/index.js';
import type { FilterManager } from '../../actors/filter-manager/index.js';
import { criteriaText, filterText } from '../../core/inspection/criteria-text.js';
import type { FilterFacts, InspectionApi, SubscriptionFacts, SubscriptionsView } from '../../core/inspection/api.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Head } from '../../core/node-api.js';

/** The parts of a node that hold subscriptions and filters. */
export interface SubscriptionSource {
  readonly engine: Pick<PushEngine, 'deliveries' | 'ended'>;
  readonly filters: Pick<FilterManager, 'installed' | 'counters' | 'filters'>;
  readonly head: () => Head;
}

/** Prefix of subscription ids; filters keep their Ethereum ids. */
const PREFIX = 'sub-';

const CUT = 'cut by a command of dev mode';

/** Creates the methods that list subscriptions and polling filters, and that cut one off. */
export function inspectSubscriptions({
  engine,
  filters,
  head,
}: SubscriptionSource): Pick<InspectionApi, 'subscriptions' | 'cutSubscription' | 'stallSubscription'> {
  const find = (id: string): Delivery | undefined => {
    for (const delivery of engine.deliveries()) if (idOf(delivery) === id) return delivery;
    return undefined;
  };
  return {
    subscriptions(): SubscriptionsView {
      const deliveries = [...engine.deliveries()];
      return {
        subscriptions: listed(deliveries, factsOf),
        filters: filtersOf(filters, head()),
        counts: { subscriptions: deliveries.length, filters: filters.counters().filters },
        ended: listed(engine.ended(), ({ delivery, reason }) => ({ ...factsOf(delivery), state: 'ended', reason })),
      };
    },
    cutSubscription(id) {
      if (!id.startsWith(PREFIX)) return filters.filters.uninstall(id.replace(/^0x/, ''));
      const delivery = find(id);
      delivery?.cut(CUT);
      return Promise.resolve({ ok: true, value: delivery !== undefined });
    },
    stallSubscription(id, isStalled) {
      const delivery = find(id);
      delivery?.writer.hold(isStalled);
      return delivery !== undefined;
    },
  };
}

/** The first items, as many as fit into an answer. */
function listed<Item, Facts extends { readonly criteria: string }>(
  items: Iterable<Item>,
  factsOfItem: (item: Item) => Facts,
): readonly Facts[] {
  const { listedSubscriptions, listedCharacters } = FIXED_LIMITS;
  const found: Facts[] = [];
  let characters = 0;
  for (const item of items) {
    if (found.length >= listedSubscriptions || characters >= listedCharacters) break;
    const facts = factsOfItem(item);
    found.push(facts);
    characters += facts.criteria.length;
  }
  return found;
}

function filtersOf(filters: SubscriptionSource['filters'], { height, position }: Head): readonly FilterFacts[] {
  return listed(filters.installed(), ({ filter, client }) => {
    const { criteria } = filter;
    const lag = criteria.kind === 'pending' ? position - filter.position : height - filter.height;
    return {
      id: `0x${filter.id}`,
      client,
      kind: criteria.kind,
      criteria: filterText(criteria),
      height: filter.height,
      cursor: filter.position,
      lag: lag > 0n ? lag : 0n,
      deadline: filter.deadline,
    };
  });
}

function idOf({ subscription }: Delivery): string {
  return `${PREFIX}${subscription.order}`;
}

function factsOf(delivery: Delivery): SubscriptionFacts {
  const { subscription, client, writer, made, sent, newest, open } = delivery;
  return {
    id: idOf(delivery),
    face: subscription.client.face,
    client: `ws-${client}`,
    kind: subscription.criteria.kind,
    criteria: criteriaText(subscription.criteria),
    state: writer.isHeld() ? 'stalled' : delivery.state,
    cursor: newest,
    delivered: sent,
    lag: made - sent,
    bytesWaiting: open ? delivery.waiting() : 0,
  };
}
