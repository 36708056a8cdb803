import type { JsonValue } from '@bufbuild/protobuf';
import { base64 } from '@scure/base';

/**
 * JSON of a scalar; `meaning` is its `cosmos_proto.scalar`. 64-bit numbers are strings, as are SDK integers and
 * decimals.
 */
export function scalarJson(value: unknown, meaning: string): JsonValue {
  if (value instanceof Uint8Array)
    return meaning === 'cosmos.Dec' ? decimalText(new TextDecoder().decode(value)) : base64.encode(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') {
    if (meaning === 'cosmos.Dec') return decimalText(value);
    return meaning === 'cosmos.Int' && value === '' ? '0' : value;
  }
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** JSON of a decimal in go-amino; an absent one has no fractional digits. */
export function goDecimalJson(value: unknown): JsonValue {
  const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
  return text === '' ? '0' : scalarJson(text, 'cosmos.Dec');
}

/** Text of a decimal that the SDK stores as an integer multiple of 10^-18. */
export function decimalText(units: string): string {
  if (!/^-?[0-9]+$/.test(units)) return units === '' ? '0.000000000000000000' : units;
  const digits = units.replace('-', '').padStart(19, '0');
  return `${units.startsWith('-') ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`;
}
