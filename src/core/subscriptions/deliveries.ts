/** Turns one commit into what each client receives. */
import type { ConsensusEvent } from '../websocket-events.js';
import type { CommitEvents } from '../node-api.js';
import { cursorText } from './cursor.js';
import type { Delivery, Subscription } from './ports.js';

/** Deliveries by client: events in commit order, ties by creation of the subscriptions. */
export function deliveriesOf(
  commit: CommitEvents,
  match: (event: ConsensusEvent) => readonly Subscription[],
): ReadonlyMap<number, readonly Delivery[]> {
  const matched = commit.events.flatMap((event, index) =>
    match(event).map((subscription) => ({ event, index, subscription })),
  );
  const lastIndex = new Map(matched.map(({ subscription, index }) => [subscription, index]));
  const byClient = new Map<number, Delivery[]>();
  for (const { event, index, subscription } of matched) {
    const isLast = lastIndex.get(subscription) === index;
    const cursor = event.position === undefined ? undefined : cursorText(commit.position, isLast ? undefined : index);
    const delivery = { subscription, event, cursor };
    const list = byClient.get(subscription.client);
    if (list === undefined) byClient.set(subscription.client, [delivery]);
    else list.push(delivery);
  }
  return byClient;
}
