/**
 * Decimals in messages: protobuf stores integer multiples of 10^-18, genesis JSON has a decimal point (`LegacyDec` of
 * `cosmossdk.io/math v1.5`). gogoproto options mark decimal fields.
 */
import {
  ScalarType,
  type DescField,
  type DescMessage,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { fromBase64, toBase64 } from '../../bytes/base64.js';
import { text, utf8 } from '../../bytes/bytes.js';
import { customTypeOf } from './custom-type.js';
import { formatDec, parseDec } from '../coins/dec.js';
import { GenesisError, isJson, readSection, writeSection } from '../module/genesis-section.js';
import { SdkError, sdkErrors } from '../module/sdk-error.js';

/** Value of a decimal field, undefined when absent; SDK error 2 for text that is not an integer. */
export function decOfMessage(value: string | Uint8Array): bigint | undefined {
  const digits = typeof value === 'string' ? value : text(value);
  if (digits === '') return undefined;
  if (!/^-?[0-9]{1,95}$/.test(digits)) throw new SdkError(sdkErrors.txDecode, `not a decimal: ${digits}`);
  return BigInt(digits);
}

/** Reads a genesis section like `readSection`, converting decimals to protobuf's integers. */
export function readDecimalSection<Desc extends DescMessage>(
  path: string,
  schema: Desc,
  section: unknown,
): MessageShape<Desc> {
  if (!isJson(section)) throw new GenesisError(path, 'is not a JSON value');
  return readSection(
    path,
    schema,
    replaceDecimals(schema, section, path, ({ scalar }, shown, at) => {
      const value = parseDec(shown);
      if (value === undefined) throw new GenesisError(at, `not a decimal: ${shown}`);
      return scalar === ScalarType.BYTES ? toBase64(utf8(value.toString())) : value.toString();
    }),
  );
}

/** Writes a genesis section with a point in its decimals. */
export function writeDecimalSection<Desc extends DescMessage>(
  schema: Desc,
  section: MessageInitShape<Desc>,
): JsonValue {
  return replaceDecimals(schema, writeSection(schema, section), '', ({ scalar }, held) =>
    formatDec(BigInt(scalar === ScalarType.BYTES ? text(fromBase64(held)) : held)),
  );
}

type DecimalField = DescField & { readonly fieldKind: 'scalar' };
type Replace = (field: DecimalField, value: string, path: string) => string;

function replaceDecimals(schema: DescMessage, json: JsonValue, path: string, replace: Replace): JsonValue {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      const at = `${path}.${key}`;
      const field = schema.fields.find(({ name, jsonName }) => name === key || jsonName === key);
      if (field === undefined) return [key, value];
      if (isDecimal(field) && typeof value === 'string') return [key, replace(field, value, at)];
      if (field.fieldKind === 'message') return [key, replaceDecimals(field.message, value, at, replace)];
      if (field.fieldKind !== 'list' || field.listKind !== 'message' || !Array.isArray(value)) return [key, value];
      const items = value.map((item, index) => replaceDecimals(field.message, item, `${at}[${index}]`, replace));
      return [key, items];
    }),
  );
}

function isDecimal(field: DescField): field is DecimalField {
  return field.fieldKind === 'scalar' && customTypeOf(field) === 'cosmossdk.io/math.LegacyDec';
}
