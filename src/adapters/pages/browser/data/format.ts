/** Formats amounts, times, ids and sizes. */

/** Default number of decimal places of amounts. */
const SHOWN_PLACES = 6;

/** Formats an amount in units of 10^-decimals, with thousands separators and at most `places` decimal places. */
export function amountText(amount: bigint, decimals: number, places = SHOWN_PLACES): string {
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const whole = groupedText(digits.slice(0, digits.length - decimals));
  const all = digits.slice(digits.length - decimals);
  const shown = all.slice(0, places).replace(/0+$/, '');
  if (shown !== '') return `${sign}${whole}.${shown}`;
  // a small amount is never shown as 0
  return whole === '0' && /[1-9]/.test(all) ? `${sign}<0.${'0'.repeat(Math.max(places - 1, 0))}1` : `${sign}${whole}`;
}

/** Digits with thousands separators. */
export function groupedText(digits: string | bigint | number): string {
  return digits.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A number of things, such as `1 block` or `1,200 blocks`. */
export function countText(count: bigint | number, thing: string): string {
  return `${groupedText(count)} ${thing}${count.toString() === '1' ? '' : 's'}`;
}

/** Parses an amount such as `1.5` to units of 10^-decimals; undefined for any other text. */
export function amountOf(text: string, decimals: number): bigint | undefined {
  const [, whole, places = ''] = /^([0-9]{1,60})(?:\.([0-9]{1,60}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || places.length > decimals) return undefined;
  return BigInt(whole + places.padEnd(decimals, '0'));
}

/** Shortens an id to its beginning and end. */
export function shortText(id: string, start = 8, end = 6): string {
  return id.length <= start + end + 3 ? id : `${id.slice(0, start)}…${id.slice(-end)}`;
}

/** Formats an age in one unit: `12 s`, `3 min`, `5 h`, `2 days`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  const days = Math.floor(seconds / 86_400);
  return days === 1 ? '1 day' : `${groupedText(days)} days`;
}

/** Local date and time as `2026-01-31 23:59:59`. */
export function dateText(milliseconds: number): string {
  // this locale's date format is sortable
  return new Date(milliseconds).toLocaleString('sv-SE');
}

/** Formats bytes in a unit with at most four digits. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1_024 && unit < units.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** Formats a gas price in gwei, or in wei if it is small. */
export function gweiText(wei: bigint): string {
  if (wei < 1_000_000n) return `${groupedText(wei)} wei`;
  return `${amountText(wei, 9, 3)} gwei`;
}

/** The last part of a message's or type's name: `MsgSend` of `/cosmos.bank.v1beta1.MsgSend`. */
export function lastName(typeUrl: string): string {
  return typeUrl.slice(Math.max(typeUrl.lastIndexOf('.'), typeUrl.lastIndexOf('/')) + 1);
}

/** Formats a share in percent with two decimal places. */
export function shareText(part: bigint, whole: bigint): string {
  return whole === 0n ? '0%' : `${(Number((part * 10_000n) / whole) / 100).toFixed(2)}%`;
}

/** A sentence that explains an unclear error of the node; empty for others. */
export function meaningOf(message: string): string {
  if (/^the method \w+ does not exist/.test(message))
    return 'This node keeps the method closed: its option --json-rpc.api names what is open. ';
  return /prun|no longer kept|height \d+ is not available|version does not exist|missing trie node/i.test(message)
    ? 'This moment is pruned: the node no longer keeps its state. '
    : '';
}
