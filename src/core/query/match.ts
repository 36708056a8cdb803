/** Decides whether an event matches a query, like CometBFT v0.38 (`libs/pubsub/query/query.go`). */
import type { AliasedKey } from './aliases.js';
import { compareDecimals, leadingDecimal } from './decimal.js';
import type { Comparison, Condition, Operand, Query } from './parser.js';
import { parseDate, parseTime } from './time.js';

export type Attributes = ReadonlyMap<string, readonly string[]>;

/**
 * True when some value of each condition's key satisfies it; different conditions may be satisfied by different
 * events. Never throws: a value that cannot be converted does not match.
 */
export function matches(query: Query, attributes: Attributes): boolean {
  return query.conditions.every((condition) => holds(condition, attributes));
}

function holds(condition: Condition, attributes: Attributes): boolean {
  const satisfied = (value: string): boolean => matchesValue(condition, value);
  return (
    valuesOf(condition.target, attributes).some(satisfied) ||
    (satisfied('') && isEventType(condition.target, attributes))
  );
}

/** True when one value satisfies one condition. */
export function matchesValue(condition: Condition, value: string): boolean {
  switch (condition.op) {
    case 'EXISTS':
      return true;
    case 'CONTAINS':
      return value.includes(condition.operand.text);
    case '=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compares(condition.op, condition.operand, value);
  }
}

function compares(op: Comparison, operand: Operand, value: string): boolean {
  switch (operand.kind) {
    case 'string':
      return equalText(operand.text, value);
    case 'number': {
      const number = leadingDecimal(value);
      return number !== undefined && ordered(op, compareDecimals(number, operand.value));
    }
    case 'time':
    case 'date': {
      const parsed = operand.kind === 'time' ? parseTime(value) : parseDate(value);
      if (!parsed.ok) return false;
      return ordered(op, parsed.instant === operand.instant ? 0 : parsed.instant < operand.instant ? -1 : 1);
    }
  }
}

function ordered(op: Comparison, order: number): boolean {
  switch (op) {
    case '=':
      return order === 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

const HEX = /^0[xX][0-9a-fA-F]+$/u;

/**
 * Canonical form for comparing strings: hex with 0x in lower case, so checksummed and lower-case addresses are equal.
 */
export function canonicalText(text: string): string {
  return text.startsWith('0') && HEX.test(text) ? text.toLowerCase() : text;
}

function equalText(left: string, right: string): boolean {
  return left === right || canonicalText(left) === canonicalText(right);
}

const NONE: readonly string[] = [];
const MODE = 'mode';

/**
 * Values of a key. With a phase, only values whose event has that `mode`: by index when all events have both, else
 * all.
 */
export function valuesOf(target: AliasedKey, attributes: Attributes): readonly string[] {
  const values = attributes.get(target.key) ?? NONE;
  if (target.phase === undefined) return values;
  const { phase } = target;
  const modes = attributes.get(`${typeOf(target.key)}.${MODE}`) ?? NONE;
  if (modes.length === values.length) return values.filter((_, index) => modes[index] === phase);
  return modes.includes(phase) ? values : NONE;
}

/**
 * True for a tag that equals an event type: it is matched against the empty string, so that `transfer EXISTS` works.
 */
function isEventType(target: AliasedKey, attributes: Attributes): boolean {
  for (const [key, values] of attributes) {
    if (values.length === 0) continue;
    if (target.phase === undefined) {
      if (typeOf(key) === target.key) return true;
    } else if (
      key.endsWith(`.${MODE}`) &&
      (target.key === '' || typeOf(key) === target.key) &&
      values.includes(target.phase)
    ) {
      return true;
    }
  }
  return false;
}

function typeOf(key: string): string {
  const dot = key.lastIndexOf('.');
  return dot < 0 ? '' : key.slice(0, dot);
}
