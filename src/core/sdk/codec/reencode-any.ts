/**
 * Re-encodes the content of an `Any` in a transaction like Go, which unpacks and re-encodes it: canonical and without
 * unknown fields, nested messages included (cosmos-sdk v0.53 `codec/types/interface_registry.go` UnpackAny).
 */
import { create, isMessage, type Message, type Registry, toBinary } from '@bufbuild/protobuf';
import { isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { concat } from '../../bytes/bytes.js';
import { MsgEthereumTxSchema } from '../../proto/cosmos/evm/vm/v1/tx_pb.js';
import { decodeMessage } from './any.js';
import { complete } from './complete-message.js';

/**
 * Re-encodes the message; returns `any` unchanged when `types` lacks its type. Throws SdkError for malformed bytes.
 */
export function reencodeAny(types: Registry, { typeUrl, value }: Any): Any {
  const schema = types.getMessage(typeUrl.slice(1));
  if (schema === undefined) return create(AnySchema, { typeUrl, value });
  const message = complete(schema, decodeMessage(schema, value));
  encodeNestedAnys(types, reflect(schema, message));
  const encoded = toBinary(schema, message);
  return create(AnySchema, { typeUrl, value: isEmptyTransaction(message) ? concat(encoded, EMPTY_RAW) : encoded });
}

/** Last field of an Ethereum message, which Go always writes (cosmos/evm v0.6 `cosmos/evm/vm/v1/tx.proto`). */
const EMPTY_RAW = Uint8Array.of(0x32, 0);

const isEmptyTransaction = (message: Message): boolean =>
  isMessage(message, MsgEthereumTxSchema) && message.raw.length === 0;

/** Re-encodes nested `Any` fields; the transaction's decoder has limited their depth. */
function encodeNestedAnys(types: Registry, message: ReflectMessage): void {
  for (const field of message.fields) {
    if (field.fieldKind === 'list' && field.listKind === 'message') {
      for (const item of message.get(field)) if (isReflectMessage(item)) encodeIn(types, item);
    } else if (field.fieldKind === 'message' && message.isSet(field)) encodeIn(types, message.get(field));
  }
}

function encodeIn(types: Registry, held: ReflectMessage): void {
  const { message } = held;
  if (isMessage(message, AnySchema)) message.value = reencodeAny(types, message).value;
  else encodeNestedAnys(types, held);
}
