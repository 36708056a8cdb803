/** Whether two reads of the explorer saw the same chain. */
import { expect, it } from 'vitest';
import { judge, type Look } from '../../../src/adapters/pages/browser/data/identity.js';

const first: Look = {
  chainId: 'a-1',
  evmChainId: '0x1',
  genesis: '0x0',
  head: 5n,
  headHash: '0x5',
  hashAtPrevious: undefined,
};

it.each([
  ['first', undefined, {}],
  ['same', first, { hashAtPrevious: '0x5' }],
  ['forward', first, { head: 7n, headHash: '0x7', hashAtPrevious: '0x5' }],
  // the previous head was pruned meanwhile
  ['forward', first, { head: 7n, headHash: '0x7', hashAtPrevious: undefined }],
  ['back', first, { head: 7n, headHash: '0x7', hashAtPrevious: '0x55' }],
  ['back', first, { head: 3n, headHash: '0x3', hashAtPrevious: undefined }],
  ['back', first, { head: 5n, headHash: '0x55', hashAtPrevious: '0x55' }],
  ['replaced', first, { chainId: 'b-1', head: 7n, headHash: '0x7', hashAtPrevious: '0x5' }],
  ['replaced', first, { evmChainId: '0x2', head: 7n, headHash: '0x7', hashAtPrevious: '0x5' }],
  ['replaced', first, { genesis: '0x1', head: 7n, headHash: '0x7', hashAtPrevious: '0x5' }],
] as const)('%s', (judgement, before, now) => {
  expect(judge(before, { ...first, ...now })).toBe(judgement);
});
