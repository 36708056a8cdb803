/**
 * Converts transactions in genesis JSON to the bytes that their signers signed (cosmos-sdk v0.53
 * `x/auth/tx/decoder.go`, DefaultJSONTxDecoder).
 */
import { create, toBinary, type DescMessage, type Message, type Registry } from '@bufbuild/protobuf';
import { isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { AnySchema, type Any } from '@bufbuild/protobuf/wkt';
import { fromBase64 } from '../../bytes/base64.js';
import { asObject } from '../../text/json-object.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../proto/cosmos/tx/v1beta1/tx_pb.js';
import { GenesisError, readSection } from '../../sdk/module/genesis-section.js';
import { readDecimalSection } from '../../sdk/codec/proto-dec.js';

/**
 * Encodes a transaction; `types` are those of its messages. Throws GenesisError with the path of an invalid field.
 */
export function txOfJson(path: string, json: unknown, types: Registry): Uint8Array {
  const { body, auth_info: authInfo, signatures } = asObject(json) ?? {};
  const { messages, ...restOfBody } = asObject(body) ?? {};
  if (!Array.isArray(messages)) throw new GenesisError(`${path}.body.messages`, 'is not a list');
  const content = withPlainTypes(TxBodySchema, readSection(`${path}.body`, TxBodySchema, restOfBody));
  content.messages = messages.map((message: unknown, index) =>
    messageOfJson(`${path}.body.messages[${index}]`, message, types),
  );
  const info = withPlainTypes(AuthInfoSchema, readSection(`${path}.auth_info`, AuthInfoSchema, authInfo ?? {}));
  const tx = create(TxRawSchema, {
    bodyBytes: toBinary(TxBodySchema, content),
    authInfoBytes: toBinary(AuthInfoSchema, info),
    signatures: readSignatures(`${path}.signatures`, signatures),
  });
  return toBinary(TxRawSchema, tx);
}

function messageOfJson(path: string, json: unknown, types: Registry): Any {
  const { '@type': typeUrl, ...fields } = asObject(json) ?? {};
  const schema = typeof typeUrl === 'string' ? types.getMessage(typeUrl.slice(1)) : undefined;
  if (typeof typeUrl !== 'string' || schema === undefined)
    throw new GenesisError(`${path}.@type`, `no message of this chain: ${String(typeUrl)}`);
  const value = toBinary(schema, withPlainTypes(schema, readDecimalSection(path, schema, fields)));
  return create(AnySchema, { typeUrl, value });
}

function readSignatures(path: string, signatures: unknown): Uint8Array[] {
  if (!Array.isArray(signatures)) throw new GenesisError(path, 'is not a list');
  return signatures.map((signature: unknown, index) => {
    try {
      return fromBase64(String(signature));
    } catch {
      throw new GenesisError(`${path}[${index}]`, 'is not base64');
    }
  });
}

/** Removes the host from type URLs: the JSON codec adds one, the Cosmos SDK has only a slash. */
function withPlainTypes<Shape extends Message>(schema: DescMessage, message: Shape): Shape {
  setPlainTypes(reflect(schema, message));
  return message;
}

function setPlainTypes(message: ReflectMessage): void {
  for (const field of message.fields) {
    if (field.fieldKind === 'message' && message.isSet(field)) setPlainTypes(message.get(field));
    else if (field.fieldKind === 'list' && field.listKind === 'message')
      for (const item of message.get(field)) if (isReflectMessage(item)) setPlainTypes(item);
  }
  const { typeName, fields } = message.desc;
  const [typeUrl] = fields;
  if (typeName !== AnySchema.typeName || typeUrl === undefined) return;
  const text: unknown = message.get(typeUrl);
  if (typeof text === 'string') message.set(typeUrl, text.slice(text.lastIndexOf('/')));
}
