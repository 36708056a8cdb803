import type { Event, EventAttribute } from '../proto/tendermint/abci/types_pb.js';

/** ABCI event whose attributes are all indexed, in the given order. */
export function abciEvent(type: string, attributes: readonly (readonly [key: string, value: string])[]): Event {
  return {
    $typeName: 'tendermint.abci.Event',
    type,
    attributes: attributes.map(([key, value]) => indexed(key, value)),
  };
}

/** The same event with one more attribute at the end (`msg_index` of messages, `mode` of block phases). */
export function withAttribute(event: Event, key: string, value: string): Event {
  return {
    $typeName: 'tendermint.abci.Event',
    type: event.type,
    attributes: [...event.attributes, indexed(key, value)],
  };
}

/**
 * Written as a plain message, because `create` takes 20 times as long and every transaction makes some fifty
 * attributes.
 */
function indexed(key: string, value: string): EventAttribute {
  return { $typeName: 'tendermint.abci.EventAttribute', key, value, index: true };
}
