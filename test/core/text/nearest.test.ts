import { expect, test } from 'vitest';
import { nearest } from '../../../src/core/text/nearest.js';

const COMMANDS = ['dev', 'start', 'open', 'query', 'json-rpc.address', 'keys'];

test.each([
  ['devv', 'dev'],
  ['strat', 'start'],
  ['json-rpc.adress', 'json-rpc.address'],
  ['qurry', 'query'],
  ['key', 'keys'],
  // Three of four letters differ.
  ['kiwi', undefined],
  ['foo', undefined],
  ['x', undefined],
  ['', undefined],
])('the nearest command to %j is %j', (word, near) => {
  expect(nearest(word, COMMANDS)).toBe(near);
});
