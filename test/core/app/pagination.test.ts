import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paginate } from '../../../src/core/sdk/pagination.js';
import { SdkError } from '../../../src/core/sdk/sdk-error.js';
import { PageRequestSchema } from '../../../src/core/proto/cosmos/base/query/v1beta1/pagination_pb.js';
import { propertyRuns } from '../../support/property-runs.js';
import { stateOf } from './support.js';

const PREFIX = Uint8Array.of(2, 9);
const NEIGHBOURS = [Uint8Array.of(2, 8, 255), Uint8Array.of(2, 10), Uint8Array.of(2)];

/** Entries under the prefix with neighbours on both sides; rows are the keys behind the prefix, as numbers. */
function pages(keys: ReadonlySet<number>) {
  const entry = (key: Uint8Array) => ({ store: 'bank', key, value: Uint8Array.of(1) });
  const state = stateOf([...NEIGHBOURS.map(entry), ...[...keys].map((key) => entry(Uint8Array.of(...PREFIX, key)))]);
  return (request: Parameters<typeof create<typeof PageRequestSchema>>[1] | undefined) =>
    paginate(
      state,
      'bank',
      PREFIX,
      request && create(PageRequestSchema, request),
      ({ key }) => key[PREFIX.length] ?? -1,
    );
}

const keys = fc.uniqueArray(fc.nat(255), { maxLength: 40 }).map((list) => new Set(list));

describe('pages', () => {
  it('follow each other by key without a gap or a repetition, in both directions', () => {
    fc.assert(
      fc.property(keys, fc.bigInt(1n, 7n), fc.boolean(), (set, limit, reverse) => {
        const page = pages(set);
        const rows: number[] = [];
        let key: Uint8Array = new Uint8Array();
        do {
          const { rows: some, page: answer } = page({ key, limit, reverse });
          expect(some.length).toBeLessThanOrEqual(Number(limit));
          expect(answer.total).toBe(0n);
          rows.push(...some);
          key = answer.nextKey;
        } while (key.length > 0);
        expect(rows).toEqual([...set].toSorted((a, b) => (reverse ? b - a : a - b)));
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it('are what is at the offset, with the total when it is asked for, and a key for what follows', () => {
    fc.assert(
      fc.property(
        keys,
        fc.bigInt(0n, 45n),
        fc.bigInt(1n, 45n),
        fc.boolean(),
        fc.boolean(),
        (set, offset, limit, countTotal, reverse) => {
          const sorted = [...set].toSorted((a, b) => (reverse ? b - a : a - b));
          const { rows, page } = pages(set)({ offset, limit, countTotal, reverse });
          const end = Number(offset + limit);
          expect(rows).toEqual(sorted.slice(Number(offset), end));
          expect(page.total).toBe(countTotal ? BigInt(set.size) : 0n);
          expect([...page.nextKey]).toEqual(sorted.slice(end, end + 1));
        },
      ),
      { numRuns: propertyRuns(200) },
    );
  });

  it('count and hold a hundred when nothing is asked for', () => {
    const page = pages(new Set(Array.from({ length: 130 }, (_, index) => index)));
    for (const request of [undefined, {}, { limit: 0n }]) {
      const { rows, page: answer } = page(request);
      expect([rows.length, answer.total, [...answer.nextKey]]).toEqual([100, 130n, [100]]);
    }
  });

  it('take a key or an offset, not both', () => {
    const both = () => pages(new Set([1]))({ key: Uint8Array.of(1), offset: 1n });
    expect(both).toThrow(SdkError);
    expect(both).toThrow(
      'rpc error: code = Internal desc = invalid request, either offset or key is expected, got both: unknown request',
    );
  });

  it('hold `pageRows` rows at the most, however many are asked for, and the key of the next', () => {
    const entries = Array.from({ length: 1_001 }, (_, index) => ({
      store: 'bank',
      key: Uint8Array.of(...PREFIX, index >> 8, index & 0xff),
      value: Uint8Array.of(1),
    }));
    const { rows, page } = paginate(
      stateOf(entries),
      'bank',
      PREFIX,
      create(PageRequestSchema, { limit: 2n ** 64n - 1n }),
      () => 1,
    );
    expect(rows).toHaveLength(1_000);
    expect([...page.nextKey]).toEqual([3, 232]);
  });
});
