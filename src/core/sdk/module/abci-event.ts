import type { Event, EventAttribute } from '../../proto/tendermint/abci/types_pb.js';
import type { Context } from './context.js';

type Attributes = readonly (readonly [key: string, value: string])[];

/** ABCI event whose attributes are all indexed, in the given order. */
export function abciEvent(type: string, attributes: Attributes): Event {
  return {
    $typeName: 'tendermint.abci.Event',
    type,
    // by index: to take a pair apart as a list costs as much as the attribute
    attributes: attributes.map((pair) => attribute(pair[0], pair[1])),
  };
}

/** Emits the event that `abciEvent` makes, except in CheckTx, which answers no events: there nothing is made. */
export function emit(
  { mode, events }: Pick<Context, 'mode' | 'events'>,
  type: string,
  attributes: () => Attributes,
): void {
  if (mode !== 'check') events.push(abciEvent(type, attributes()));
}

/** Returns the event with one more attribute at the end (`msg_index` of messages, `mode` of block phases). */
export function withAttribute(event: Event, last: EventAttribute): Event {
  return {
    $typeName: 'tendermint.abci.Event',
    type: event.type,
    attributes: [...event.attributes, last],
  };
}

/**
 * An indexed attribute, which several events may share. Written as a plain message, because `create` takes 20 times as
 * long and every transaction makes some fifty attributes.
 */
export function attribute(key: string, value: string): EventAttribute {
  return { $typeName: 'tendermint.abci.EventAttribute', key, value, index: true };
}
