import { expect, it } from 'vitest';
import { perPageOf } from '../../../src/adapters/comet-rpc/answers.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';

it('a page has at most searchPerPage results, and the default number where none is asked for', () => {
  const { searchPerPage, searchPerPageDefault } = DEFAULT_LIMITS;
  const most = BigInt(searchPerPage);
  expect([most - 1n, most, most + 1n, 1n << 63n].map((asked) => perPageOf(asked, DEFAULT_LIMITS))).toEqual([
    searchPerPage - 1,
    searchPerPage,
    searchPerPage,
    searchPerPage,
  ]);
  expect([undefined, 0n, -1n].map((asked) => perPageOf(asked, DEFAULT_LIMITS))).toEqual(
    Array.from({ length: 3 }, () => searchPerPageDefault),
  );
});
