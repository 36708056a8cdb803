/** Transfer data in a v2 payload, by encoding (ibc-go v10 `modules/apps/transfer/types/packet.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FungibleTokenPacketDataSchema } from '../../proto/ibc/applications/transfer/v1/packet_pb.js';
import type { Payload } from '../../proto/ibc/core/channel/v2/packet_pb.js';
import { checkFields } from '../../sdk/codec/unknown-fields.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { ibcErrors } from '../ibc/errors.js';
import { transferErrors } from './errors.js';
import { decodeTuple, encodeTuple } from './packet-abi.js';
import {
  decodePacketData,
  encodePacketData,
  type PacketData,
  type PacketTexts,
  validatePacketData,
} from './packet-data.js';
import { VERSION } from './store.js';

export const JSON_TEXT = 'application/json';
const PROTOBUF = 'application/x-protobuf';
const ABI = 'application/x-solidity-abi';

/** Encodings supported for transfers from a client. */
export const ENCODINGS = [JSON_TEXT, PROTOBUF, ABI] as const;

function refuseEncoding(encoding: string, known: readonly string[]): SdkError {
  const names = known.map((each) => `"${each}"`).join(', ');
  return new SdkError(
    ibcErrors.invalidType,
    `invalid encoding provided, must be either empty or one of [${names}], got ${encoding}`,
  );
}

/** Encodes a payload; throws for an unsupported encoding. */
export function encodePayload(texts: PacketTexts, encoding: string): Uint8Array {
  switch (encoding) {
    case JSON_TEXT:
      return encodePacketData(texts);
    case PROTOBUF:
      return toBinary(FungibleTokenPacketDataSchema, create(FungibleTokenPacketDataSchema, texts));
    case ABI:
      return encodeTuple(texts);
    default:
      // Go lists only two of the three.
      throw refuseEncoding(encoding, [JSON_TEXT, PROTOBUF]);
  }
}

/** Decodes a payload; throws when it is not a transfer. */
export function decodePayload({ value, version, encoding }: Payload): PacketData {
  if (version !== VERSION) throw new SdkError(transferErrors.invalidVersion, version);
  switch (encoding) {
    case JSON_TEXT:
      return decodePacketData(value);
    case PROTOBUF:
      return validatePacketData(
        reading(() => decodeProtobuf(value)),
        INVALID,
      );
    case ABI:
      return validatePacketData(
        reading(() => decodeTuple(value)),
        INVALID,
      );
    default:
      throw refuseEncoding(encoding, ENCODINGS);
  }
}

const INVALID = 'invalid packet data';

/** Decodes protobuf; rejects unknown fields. */
function decodeProtobuf(bytes: Uint8Array): PacketTexts {
  checkFields(FungibleTokenPacketDataSchema, bytes, { chain: undefined, nonCritical: false });
  return fromBinary(FungibleTokenPacketDataSchema, bytes);
}

/** Runs `read` and converts its errors. */
function reading(read: () => PacketTexts): PacketTexts {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new SdkError(ibcErrors.invalidType, `cannot unmarshal ICS20-V1 transfer packet data: ${error.message}`);
  }
}
