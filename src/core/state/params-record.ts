import { fromBinary, toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import '../text/message-text.js';
import { Records, type RecordCodec, type StoreView } from './records.js';

/** Parameters of a module, as its other files read and store them. */
export interface ParamsRecord<Value, Absent> {
  /** Parameters in force; the value of `absent` before genesis stored them. */
  readonly getParams: (view: StoreView) => Value | Absent;
  /** Stores the parameters unchecked. */
  readonly setParams: (view: StoreView, params: Value) => void;
}

/** The record of the parameters under a key of a store. */
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

/** The form of records that are messages. */
export function messageCodec<Desc extends DescMessage>(schema: Desc): RecordCodec<MessageShape<Desc>, StoreView> {
  return convertedCodec(
    schema,
    (message: MessageShape<Desc>) => message,
    (message) => message,
  );
}

/** The form of records that are kept as messages and used as values of their own. */
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
