import { create, fromBinary, type JsonValue, toBinary } from '@bufbuild/protobuf';
import { type Tx, TxSchema } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { protoFromJson } from './proto-from-json.js';
import { protoJson } from '../../adapters/rest/json/proto-json.js';

/** JSON of a transaction with its `@type`, as the SDK prints it in an answer. */
export function txJson(bytes: Uint8Array): JsonValue {
  return { '@type': '/cosmos.tx.v1beta1.Tx', ...transactionJson(fromBinary(TxSchema, bytes)) };
}

/** JSON of a transaction as the `tx` commands print and read it: `{body, auth_info, signatures}`. */
export function transactionJson(tx: Tx): { readonly [name: string]: JsonValue } {
  const json = protoJson(TxSchema, tx);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Error('invariant: a transaction is an object');
  return json;
}

/** Parses a transaction in the format of the `tx` commands; `file` names its source in errors. */
export function parseTransaction(text: string, file: string): Tx {
  return protoFromJson(TxSchema, parseJson(text, file), file);
}

/**
 * Parses JSON. Integers that a JavaScript number cannot represent exactly become strings, which proto JSON also
 * accepts.
 */
export function parseJson(text: string, file: string): JsonValue {
  try {
    JSON.parse(text);
    return JSON.parse(text.replaceAll(STRING_OR_WHOLE, exact));
  } catch (error) {
    throw new CommandError(EXIT.usage, `${file}: ${error instanceof Error ? error.message : 'not JSON'}`);
  }
}

/** Encodes a transaction as TxRaw; Tx and TxRaw have the same wire format. */
export function encodeTransaction(tx: Tx): Uint8Array {
  return toBinary(TxSchema, create(TxSchema, tx));
}

/** Decodes TxRaw bytes; throws a usage error for any other bytes. */
export function decodeTransaction(bytes: Uint8Array): Tx {
  try {
    return fromBinary(TxSchema, bytes);
  } catch (error) {
    throw new CommandError(EXIT.usage, `not an encoded transaction: ${error instanceof Error ? error.message : ''}`);
  }
}

/** Matches a JSON string, or an integer that is not part of a decimal number. */
const STRING_OR_WHOLE = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d+(?![\d.eE])/g;

function exact(part: string): string {
  return part.startsWith('"') || Number.isSafeInteger(Number(part)) ? part : `"${part}"`;
}
