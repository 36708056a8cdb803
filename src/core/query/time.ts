/**
 * Parses dates and times of queries and event values, with the error texts of Go's time.Parse (CometBFT v0.38
 * `libs/pubsub/query/syntax/parser.go`).
 */
import { NS_PER_SECOND } from '../primitives.js';

export type ParsedTime =
  /** Nanoseconds since 1970 UTC, and the year as written. */
  | { readonly ok: true; readonly instant: bigint; readonly year: number }
  | { readonly ok: false; readonly message: string };

type Element = {
  readonly text: string;
  readonly digits: 2 | 4;
  readonly name: string;
  readonly low: number;
  readonly high: number;
};

const YEAR: Element = { text: '2006', digits: 4, name: 'year', low: 0, high: 9999 };
const MONTH: Element = { text: '01', digits: 2, name: 'month', low: 1, high: 12 };
const DAY: Element = { text: '02', digits: 2, name: 'day', low: 0, high: 99 };
const HOUR: Element = { text: '15', digits: 2, name: 'hour', low: 0, high: 23 };
const MINUTE: Element = { text: '04', digits: 2, name: 'minute', low: 0, high: 59 };
const SECOND: Element = { text: '05', digits: 2, name: 'second', low: 0, high: 59 };

const DATE_LAYOUT = [YEAR, '-', MONTH, '-', DAY] as const;
const TIME_LAYOUT = [...DATE_LAYOUT, 'T', HOUR, ':', MINUTE, ':', SECOND] as const;
const ZONE = 'Z07:00';

/** Parses YYYY-MM-DD as midnight UTC. */
export function parseDate(text: string): ParsedTime {
  const walked = walk(text, DATE_LAYOUT, '2006-01-02');
  if (!walked.ok) return walked;
  if (walked.rest !== '') return extraText(text, walked.rest);
  return finish(text, walked.numbers, 0n);
}

/** Parses an RFC 3339 time; fractions down to nanoseconds. */
export function parseTime(text: string): ParsedTime {
  const layout = `2006-01-02T15:04:05${ZONE}`;
  const walked = walk(text, TIME_LAYOUT, layout);
  if (!walked.ok) return walked;
  const fraction = /^[.,][0-9]+/u.exec(walked.rest)?.[0] ?? '';
  const rest = walked.rest.slice(fraction.length);
  const zone = /^(?:Z|([+-])([0-9]{2}):([0-9]{2}))/u.exec(rest);
  if (zone === null) return cannotParse(text, layout, rest, ZONE);
  const hours = Number(zone[2] ?? '0');
  const minutes = Number(zone[3] ?? '0');
  if (hours > 24) return outOfRange(text, 'time zone offset hour');
  if (minutes > 60) return outOfRange(text, 'time zone offset minute');
  if (rest.length > zone[0].length) return extraText(text, rest.slice(zone[0].length));
  const ahead = BigInt((hours * 60 + minutes) * 60) * (zone[1] === '-' ? -1n : 1n);
  const nanos = BigInt(fraction.slice(1, 10).padEnd(9, '0'));
  return finish(text, walked.numbers, nanos - ahead * NS_PER_SECOND);
}

type Walked =
  | { readonly ok: true; readonly numbers: readonly number[]; readonly rest: string }
  | { readonly ok: false; readonly message: string };

/** Reads the numbers of a layout from the beginning of `text`. */
function walk(text: string, layout: readonly (Element | string)[], layoutText: string): Walked {
  const numbers: number[] = [];
  let rest = text;
  for (const element of layout) {
    if (typeof element === 'string') {
      if (!rest.startsWith(element)) return cannotParse(text, layoutText, rest, element);
      rest = rest.slice(element.length);
      continue;
    }
    const digits = rest.slice(0, element.digits);
    if (digits.length < element.digits || !/^[0-9]+$/u.test(digits))
      return cannotParse(text, layoutText, rest, element.text);
    const number = Number(digits);
    if (number < element.low || number > element.high) return outOfRange(text, element.name);
    numbers.push(number);
    rest = rest.slice(element.digits);
  }
  return { ok: true, numbers, rest };
}

function finish(text: string, numbers: readonly number[], nanos: bigint): ParsedTime {
  const [year = 0, month = 1, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  if (day < 1 || day > daysIn(year, month)) return outOfRange(text, 'day');
  const seconds = daysSinceEpoch(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
  return { ok: true, instant: BigInt(seconds) * NS_PER_SECOND + nanos, year };
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar; years start in March internally. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((marchMonth * 153 + 2) / 5) + day - 1 - 719_468;
}

function cannotParse(
  text: string,
  layout: string,
  rest: string,
  element: string,
): { readonly ok: false; readonly message: string } {
  return { ok: false, message: `parsing time "${text}" as "${layout}": cannot parse "${rest}" as "${element}"` };
}

function outOfRange(text: string, name: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message: `parsing time "${text}": ${name} out of range` };
}

function extraText(text: string, rest: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message: `parsing time "${text}": extra text: "${rest}"` };
}
