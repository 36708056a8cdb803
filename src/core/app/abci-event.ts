import { create } from '@bufbuild/protobuf';
import { EventSchema, type Event } from '../proto/tendermint/abci/types_pb.js';

/** ABCI event whose attributes are all indexed, in the given order. */
export function abciEvent(type: string, attributes: readonly (readonly [key: string, value: string])[]): Event {
  return create(EventSchema, { type, attributes: attributes.map(([key, value]) => ({ key, value, index: true })) });
}

/** The same event with one more attribute at the end (`msg_index` of messages, `mode` of block phases). */
export function withAttribute(event: Event, key: string, value: string): Event {
  return create(EventSchema, { type: event.type, attributes: [...event.attributes, { key, value, index: true }] });
}
