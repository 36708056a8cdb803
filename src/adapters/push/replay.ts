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
  /** Reads the inputs since `start`, in order, up to the current head. */
  readonly read: (start: ReplayStart) => AsyncIterable<PushInput>;
  /** Position of the last input delivered live. */
  readonly shown: () => Position;
  /** Writes the frames of one input to open subscriptions, at the client's pace. */
  readonly write: (frames: readonly ReplayedFrame[]) => Promise<void>;
  /** Lets the event loop run. */
  readonly rest: () => Promise<void>;
  readonly inputsPerTurn: number;
}

/** Switches a delivery to live: it receives inputs after `since`. */
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
 * Replays missed inputs to subscriptions, each after its cursor, then switches them to live. It repeats reading until
 * it has caught up with live delivery. The final check and the switch happen in one turn, and inputs are published
 * synchronously, so no input is lost or duplicated.
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
      // Not published yet: it is read in the next round, or delivered live.
      if (input.position > shown()) break;
      start = { after: input.position };
      await write(missed(input));
      if (inputs % inputsPerTurn === 0) await rest();
      inputs += 1;
    }
    if (!('after' in start) || start.after < target) start = { after: target };
  }
}
