import type { Event, EventAttribute } from '../../proto/tendermint/abci/types_pb.js';
import type { Context } from './context.js';

type Attributes = readonly (readonly [key: string, value: string])[];

/** ABCI event whose attributes are all indexed, in the given order. */
export function abciEvent(type: string, attributes: Attributes): Event {
  return {
    $typeName: 'tendermint.abci.Event',
    type,
    // Accessed by index, because destructuring a pair costs as much as creating the attribute.
    attributes: attributes.map((pair) => attribute(pair[0], pair[1])),
  };
}

/** Emits an event. CheckTx returns no events, so nothing is created there. */
export function emit(
  { mode, events }: Pick<Context, 'mode' | 'events'>,
  type: string,
  attributes: () => Attributes,
): void {
  if (mode !== 'check') events.push(abciEvent(type, attributes()));
}

/** Returns the event with an attribute appended (`msg_index` of messages, `mode` of block phases). */
export function withAttribute(event: Event, last: EventAttribute): Event {
  return {
    $typeName: 'tendermint.abci.Event',
    type: event.type,
    attributes: [...event.attributes, last],
  };
}

/**
 * Creates an indexed attribute, which several events may share. A literal, because `create` is 20 times slower and a
 * transaction has about fifty attributes.
 */
export function attribute(key: string, value: string): EventAttribute {
  return { $typeName: 'tendermint.abci.EventAttribute', key, value, index: true };
}
