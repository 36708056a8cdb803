import { create, fromBinary, toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { AnySchema, type Any } from '@bufbuild/protobuf/wkt';
import '../../text/message-text.js';
import { lastChoices } from './last-choices.js';
import { normalizeNumbers, WrongNumber } from './message-numbers.js';
import { SdkError, sdkErrors } from '../module/sdk-error.js';

/** Packs a message under its type URL: a slash and its name. */
export function packAny<Desc extends DescMessage>(schema: Desc, value: MessageShape<Desc>): Any {
  return create(AnySchema, { typeUrl: `/${schema.typeName}`, value: toBinary(schema, value) });
}

/** Name of the type of an `Any`: what stands after the last slash. */
export function typeNameOf({ typeUrl }: Pick<Any, 'typeUrl'>): string {
  return typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
}

/** Decodes a message, with its numbers as Go writes them; SDK error 2 for bytes that are no such message. */
export function decodeMessage<Desc extends DescMessage>(schema: Desc, value: Uint8Array): MessageShape<Desc> {
  try {
    // fields that it does not have are not encoded again
    const message = fromBinary(schema, lastChoices(schema, value), { readUnknownFields: false });
    normalizeNumbers(schema, message);
    return message;
  } catch (error) {
    throw new SdkError(
      sdkErrors.txDecode,
      error instanceof WrongNumber ? error.message : `cannot decode ${schema.typeName}`,
    );
  }
}
