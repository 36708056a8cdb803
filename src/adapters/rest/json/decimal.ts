/** The SDK's LegacyDec with 18 decimal places: decimal text in JSON, an integer in units of 10^-18 on the wire. */

const PLACES = 18;
const WHOLE = /^-?[0-9]{1,100}$/;
const DECIMAL = /^(-?)([0-9]{1,80})(?:\.([0-9]{1,18}))?$/;

/** `1500000000000000000` -> `1.500000000000000000`; any other text is returned unchanged. */
export function decimalOfWire(wire: string): string {
  if (!WHOLE.test(wire)) return wire;
  const negative = wire.startsWith('-');
  const digits = (negative ? wire.slice(1) : wire).padStart(PLACES + 1, '0');
  const point = digits.length - PLACES;
  return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** `1.5` -> `1500000000000000000`; undefined unless the text is a decimal with at most 18 places. */
export function wireOfDecimal(text: string): string | undefined {
  const [, sign = '', whole, places = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${places.padEnd(PLACES, '0')}`.replace(/^0+(?=[0-9])/, '');
  return digits === '0' ? digits : `${sign}${digits}`;
}
