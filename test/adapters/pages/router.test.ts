/** URLs of the explorer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ACCOUNT_PARTS,
  momentOf,
  pathOf,
  type Route,
  routeOf,
} from '../../../src/adapters/pages/browser/data/router.js';
import { APP_VIEWS } from '../../../src/adapters/pages/index.js';

const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((one) => !/^[./]*$/.test(one));
const route: fc.Arbitrary<Route> = fc.oneof(
  fc.constantFrom<Route>(
    { view: 'home' },
    { view: 'blocks' },
    { view: 'txs' },
    { view: 'validators' },
    { view: 'proposals' },
    { view: 'upgrades' },
    { view: 'log' },
    { view: 'inside' },
    { view: 'health' },
  ),
  text.map((id): Route => ({ view: 'block', id })),
  text.map((hash): Route => ({ view: 'tx', hash })),
  text.map((denom): Route => ({ view: 'denom', denom })),
  text.map((address): Route => ({ view: 'validator', address })),
  text.map((id): Route => ({ view: 'proposal', id })),
  text.map((one): Route => ({ view: 'search', text: one })),
  text.map((method): Route => ({ view: 'api', method })),
  fc.tuple(text, text).map(([from, to]): Route => ({ view: 'changes', from, to })),
  fc
    .tuple(text, fc.constantFrom(...ACCOUNT_PARTS))
    .map(([address, part]): Route => ({ view: 'account', address, part })),
);

describe('URLs of the explorer', () => {
  it('lead back to their views, whatever an id contains', () => {
    fc.assert(
      fc.property(route, (one) => {
        expect(routeOf(pathOf(one))).toEqual(one);
      }),
    );
  });

  it('begin with a segment for which the server returns the explorer', () => {
    fc.assert(
      fc.property(route, (one) => {
        const [, first = ''] = pathOf(one).split('/');
        expect(first === '' || APP_VIEWS.has(first)).toBe(true);
      }),
    );
  });

  it('that are unknown lead to the not-found view, and never throw', () => {
    for (const path of ['/tx', '/block', '/blocks/1', '/nothing', '/address/0x1/other', '/tx/1/2', '/block/%zz'])
      expect(routeOf(path)).toEqual({ view: 'lost', path });
    fc.assert(
      fc.property(fc.string(), (path) => {
        expect(routeOf(`/${path}`)).toHaveProperty('view');
      }),
    );
  });

  it('contain a height only when it is above 0', () => {
    expect(['?at=12', '?at=0', '?at=-1', '?at=1e3', '?at=', '', '?at=99999999999999999999'].map(momentOf)).toEqual([
      12n,
      ...Array.from({ length: 6 }, () => undefined),
    ]);
  });
});
