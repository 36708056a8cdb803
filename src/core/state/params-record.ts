import { fromBinary, toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import '../text/message-text.js';
import { Records, type RecordCodec, type StoreView } from './records.js';

/** Accessors for a module's parameters. */
export interface ParamsRecord<Value, Absent> {
  /** Returns the stored parameters, or `absent` before genesis stored them. */
  readonly getParams: (view: StoreView) => Value | Absent;
  /** Stores the parameters without validation. */
  readonly setParams: (view: StoreView, params: Value) => void;
}

/** Creates the accessors for parameters stored under a key of a store. */
export function paramsRecord<Value extends object, Absent>(
  store: string,
  key: Uint8Array,
  codec: RecordCodec<Value, StoreView>,
  absent: () => Absent,
): ParamsRecord<Value, Absent> {
  const records = new Records<Value>(store, codec);
  return {
    getParams: (view) => records.get(view, key) ?? absent(),
    setParams: (view, params) => records.set(view, key, params),
  };
}

/** Codec of records that are protobuf messages. */
export function messageCodec<Desc extends DescMessage>(schema: Desc): RecordCodec<MessageShape<Desc>, StoreView> {
  return convertedCodec(
    schema,
    (message: MessageShape<Desc>) => message,
    (message) => message,
  );
}

/** Codec of records that are stored as protobuf messages and used as another type. */
export function convertedCodec<Desc extends DescMessage, Value>(
  schema: Desc,
  toMessage: (value: Value) => MessageShape<Desc>,
  ofMessage: (message: MessageShape<Desc>) => Value,
): RecordCodec<Value, StoreView> {
  return {
    encode: (value) => toBinary(schema, toMessage(value)),
    decode: (bytes) => ofMessage(fromBinary(schema, bytes)),
  };
}
