/** Query language of CometBFT subscriptions and searches. */
export { conditionsOf, parseQuery } from './parser.js';
export type { Comparison, Condition, Operand, ParseResult, Query } from './parser.js';
export { canonicalText, matches, matchesValue, valuesOf } from './match.js';
export type { Attributes } from './match.js';
export { utf8Bytes } from './utf8.js';
