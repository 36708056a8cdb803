/**
 * The content of an `Any` of a transaction, as Go encodes it again after it unpacked it: canonical, without fields that
 * its type does not have, and so in the messages in it, too (cosmos-sdk v0.53 `codec/types/interface_registry.go`
 * UnpackAny).
 */
import { create, isMessage, type Message, type Registry, toBinary } from '@bufbuild/protobuf';
import { isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { concat } from '../../bytes/bytes.js';
import { MsgEthereumTxSchema } from '../../proto/cosmos/evm/vm/v1/tx_pb.js';
import { decodeMessage } from './any.js';
import { complete } from './complete-message.js';

/**
 * Encodes the message anew, or returns `any` as it is where `types` lack its type. Throws SdkError for bytes that are
 * no message.
 */
export function encodedAnew(types: Registry, { typeUrl, value }: Any): Any {
  const schema = types.getMessage(typeUrl.slice(1));
  if (schema === undefined) return create(AnySchema, { typeUrl, value });
  const message = complete(schema, decodeMessage(schema, value));
  encodeNestedAnys(types, reflect(schema, message));
  const encoded = toBinary(schema, message);
  return create(AnySchema, { typeUrl, value: isEmptyTransaction(message) ? concat(encoded, EMPTY_RAW) : encoded });
}

/** The last field of an Ethereum message, which Go writes always (cosmos/evm v0.6 `cosmos/evm/vm/v1/tx.proto`). */
const EMPTY_RAW = Uint8Array.of(0x32, 0);

const isEmptyTransaction = (message: Message): boolean =>
  isMessage(message, MsgEthereumTxSchema) && message.raw.length === 0;

/** Encodes what the message's own `Any` hold; how deep they nest was bounded when the transaction was decoded. */
function encodeNestedAnys(types: Registry, message: ReflectMessage): void {
  for (const field of message.fields) {
    if (field.fieldKind === 'list' && field.listKind === 'message') {
      for (const item of message.get(field)) if (isReflectMessage(item)) encodeIn(types, item);
    } else if (field.fieldKind === 'message' && message.isSet(field)) encodeIn(types, message.get(field));
  }
}

function encodeIn(types: Registry, held: ReflectMessage): void {
  const { message } = held;
  if (isMessage(message, AnySchema)) message.value = encodedAnew(types, message).value;
  else encodeNestedAnys(types, held);
}
