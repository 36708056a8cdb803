/**
 * Parser of the query language; `src/core/query/scanner.ts` has the grammar. Error texts are CometBFT's (v0.38
 * `libs/pubsub/query/syntax/parser.go`).
 */
import { resolveAlias, type AliasedKey } from './aliases.js';
import { leadingDecimal, type Decimal } from './decimal.js';
import { createScanner, type Scanner, type Token, type TokenKind } from './scanner.js';
import { utf8Bytes } from './utf8.js';

export type Comparison = '=' | '<' | '<=' | '>' | '>=';

export type Operand =
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string; readonly value: Decimal }
  /** `instant` is in nanoseconds since 1970. */
  | { readonly kind: 'time' | 'date'; readonly text: string; readonly instant: bigint };

export type Condition = {
  /** Key as written. */
  readonly tag: string;
  /** Composite key of the tag (`src/core/query/aliases.ts`). */
  readonly target: AliasedKey;
} & (
  | { readonly op: Comparison; readonly operand: Operand }
  | { readonly op: 'CONTAINS'; readonly operand: Operand & { readonly kind: 'string' } }
  | { readonly op: 'EXISTS' }
);

/** A query: one or more conditions, ANDed. */
export interface Query {
  /** Text as given; notifications contain it. */
  readonly text: string;
  /** Joined tokens: texts with equal normal forms are the same subscription. */
  readonly normal: string;
  readonly conditions: readonly Condition[];
}

export type ParseResult =
  | { readonly ok: true; readonly query: Query }
  | { readonly ok: false; readonly message: string };

const OPERATORS: readonly TokenKind[] = [
  '<= operator',
  '>= operator',
  '< operator',
  '> operator',
  '= operator',
  'CONTAINS operator',
  'EXISTS operator',
];
const ORDERED: readonly TokenKind[] = ['number', 'timestamp', 'datestamp'];
const ANY: readonly TokenKind[] = [...ORDERED, 'string'];
const COMPARISONS: ReadonlyMap<TokenKind, Comparison> = new Map([
  ['= operator', '='],
  ['< operator', '<'],
  ['<= operator', '<='],
  ['> operator', '>'],
  ['>= operator', '>='],
]);

type Accepted = Extract<Token, { readonly text: string }>;
type Step<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly message: string };

/** Parses a query. Callers limit its length (`limits.cometQueryBytes`). */
export function parseQuery(text: string): ParseResult {
  const scanner = createScanner(text);
  const conditions: Condition[] = [];
  for (;;) {
    const condition = parseCondition(scanner);
    if (!condition.ok) return condition;
    conditions.push(condition.value);
    const token = scanner.next();
    // An unterminated quote also ends the input; CometBFT ignores the rest, this parser reports it.
    if (token.kind === 'eof' && token.offset >= utf8Bytes(text)) break;
    if (token.kind === 'eof') return { ok: false, message: `offset ${token.offset}: EOF` };
    if (token.kind !== 'AND operator') {
      const got = token.kind === 'failed' ? 'invalid token' : token.kind;
      // CometBFT prints the token's number here, not its name.
      return { ok: false, message: `offset ${token.offset}: got ${got}, want 6` };
    }
  }
  return { ok: true, query: { text, normal: conditions.map(conditionText).join(' AND '), conditions } };
}

/** Conditions of a query in written order; searches turn them into index scans. */
export function conditionsOf(query: Query): readonly Condition[] {
  return query.conditions;
}

function parseCondition(scanner: Scanner): Step<Condition> {
  const tag = require(scanner.next(), ['tag']);
  if (!tag.ok) return tag;
  const key = { tag: tag.value.text, target: resolveAlias(tag.value.text) };
  const operator = require(scanner.next(), OPERATORS);
  if (!operator.ok) return operator;
  if (operator.value.kind === 'EXISTS operator') return { ok: true, value: { ...key, op: 'EXISTS' } };
  if (operator.value.kind === 'CONTAINS operator') {
    const operand = require(scanner.next(), ['string']);
    if (!operand.ok) return operand;
    return { ok: true, value: { ...key, op: 'CONTAINS', operand: { kind: 'string', text: operand.value.text } } };
  }
  const op = COMPARISONS.get(operator.value.kind) ?? '=';
  const operand = op === '=' ? require(scanner.nextOperand(), ANY) : require(scanner.next(), ORDERED);
  if (!operand.ok) return operand;
  return toOperand(operand.value, (value) => ({ ...key, op, operand: value }));
}

function toOperand(token: Accepted, wrap: (operand: Operand) => Condition): Step<Condition> {
  const { text } = token;
  if (token.instant !== undefined) {
    return {
      ok: true,
      value: wrap({ kind: token.kind === 'timestamp' ? 'time' : 'date', text, instant: token.instant }),
    };
  }
  if (token.kind !== 'number') return { ok: true, value: wrap({ kind: 'string', text }) };
  const value = leadingDecimal(text);
  if (value === undefined) return { ok: false, message: `offset ${token.offset}: number too long` };
  return { ok: true, value: wrap({ kind: 'number', text, value }) };
}

function require(token: Token, wanted: readonly TokenKind[]): Step<Accepted> {
  if (token.kind === 'eof') return { ok: false, message: `offset ${token.offset}: EOF` };
  if (token.kind === 'failed') return { ok: false, message: `offset ${token.offset}: ${token.message}` };
  if (wanted.includes(token.kind)) return { ok: true, value: token };
  return { ok: false, message: `offset ${token.offset}: got ${token.kind}, wanted ${listOf(wanted)}` };
}

function listOf(kinds: readonly TokenKind[]): string {
  const last = kinds.at(-1) ?? '';
  return kinds.length < 2 ? last : `${kinds.slice(0, -1).join(', ')} or ${last}`;
}

function conditionText(condition: Condition): string {
  if (condition.op === 'EXISTS') return `${condition.tag} EXISTS`;
  return `${condition.tag} ${condition.op} ${operandText(condition.operand)}`;
}

function operandText(operand: Operand): string {
  switch (operand.kind) {
    case 'string':
      return `'${operand.text}'`;
    case 'number':
      return operand.text;
    case 'time':
      return `TIME ${operand.text}`;
    case 'date':
      return `DATE ${operand.text}`;
  }
}
