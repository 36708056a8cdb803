import type { Position } from '../../core/primitives.js';
import {
  change,
  createIndexes,
  hasSeen,
  matchInput,
  type Cursor,
  type PushInput,
  type ReplayStart,
  type Subscription,
} from '../../core/subscriptions/index.js';
import { bodiesOf } from './bodies.js';
import type { Delivery } from './delivery.js';

export interface ReplaySteps {
  /** The inputs that were shown since `start`, in order, up to the head of the moment. */
  readonly read: (start: ReplayStart) => AsyncIterable<PushInput>;
  /** Position of the last input that was delivered live. */
  readonly shown: () => Position;
  /** Writes the texts of one input, each while its subscription is open, as the client takes them. */
  readonly write: (frames: readonly ReplayedFrame[]) => Promise<void>;
  /** Gives the event loop a turn. */
  readonly rest: () => Promise<void>;
  readonly inputsPerTurn: number;
}

/** From now on it receives what is shown; `since`: the last input that it does not receive so. */
export function goLive(delivery: Delivery, since: Position): void {
  delivery.state = 'live';
  delivery.since = since;
}

export interface ReplayedFrame {
  readonly delivery: Delivery;
  readonly position: Position;
  readonly text: string;
}

/**
 * Delivers what subscriptions of one lane missed, each after its cursor, then makes them live. It reads on until the
 * log holds nothing that was delivered live in the meantime. The last comparison and the switch to live happen in one
 * turn, and inputs are shown synchronously: no input falls between them, and none comes twice.
 */
export async function replay(
  group: ReadonlyMap<Delivery, Cursor>,
  from: ReplayStart,
  { read, shown, write, rest, inputsPerTurn }: ReplaySteps,
): Promise<void> {
  const indexes = createIndexes();
  const deliveryOf = new Map<Subscription, Delivery>();
  for (const delivery of group.keys()) {
    deliveryOf.set(delivery.subscription, delivery);
    change(indexes, 'add', delivery.subscription);
  }
  const isOpen = (): boolean => [...group.keys()].some(({ open }) => open);
  const missed = (input: PushInput): readonly ReplayedFrame[] =>
    matchInput(indexes, input).flatMap(({ item, subscriptions }) => {
      const bodyFor = bodiesOf(item, input.position);
      return subscriptions.flatMap((subscription) => {
        const delivery = deliveryOf.get(subscription);
        const cursor = delivery && group.get(delivery);
        if (delivery?.open !== true || cursor === undefined || hasSeen(cursor, input.position, item.index)) return [];
        return { delivery, position: input.position, text: delivery.prefix + bodyFor(delivery).text };
      });
    });

  let start = from;
  for (let inputs = 1; ;) {
    if (!isOpen()) return;
    const target = shown();
    if ('after' in start && target <= start.after) {
      for (const delivery of group.keys()) goLive(delivery, start.after);
      return;
    }
    for await (const input of read(start)) {
      if (!isOpen()) return;
      // It is in the log and not shown yet: it is read in the next round, or comes live.
      if (input.position > shown()) break;
      start = { after: input.position };
      await write(missed(input));
      if (inputs % inputsPerTurn === 0) await rest();
      inputs += 1;
    }
    if (!('after' in start) || start.after < target) start = { after: target };
  }
}
