import { create, fromBinary, toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { AnySchema, type Any } from '@bufbuild/protobuf/wkt';
import '../../text/message-text.js';
import { keepLastOneofMembers } from './last-oneof-members.js';
import { normalizeNumbers, WrongNumber } from './message-numbers.js';
import { SdkError, sdkErrors } from '../module/sdk-error.js';

/** Packs a message into an `Any`; the type URL is a slash and its name. */
export function packAny<Desc extends DescMessage>(schema: Desc, value: MessageShape<Desc>): Any {
  return create(AnySchema, { typeUrl: `/${schema.typeName}`, value: toBinary(schema, value) });
}

/** Type name of an `Any`: the part after the last slash. */
export function typeNameOf({ typeUrl }: Pick<Any, 'typeUrl'>): string {
  return typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
}

/** Decodes a message and normalizes its numbers like Go; throws SDK error 2 for malformed bytes. */
export function decodeMessage<Desc extends DescMessage>(schema: Desc, value: Uint8Array): MessageShape<Desc> {
  try {
    // Unknown fields are dropped, because Go does not re-encode them.
    const message = fromBinary(schema, keepLastOneofMembers(schema, value), { readUnknownFields: false });
    normalizeNumbers(schema, message);
    return message;
  } catch (error) {
    throw new SdkError(
      sdkErrors.txDecode,
      error instanceof WrongNumber ? error.message : `cannot decode ${schema.typeName}`,
    );
  }
}
