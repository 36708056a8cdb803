import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callRules } from '../../../../src/core/modules/evm/precompiles/call-rules.js';
import { evmd } from '../../../../src/core/app/presets.js';
import {
  internalPage,
  type PageRefusal,
  paginate,
  paginateCollection,
} from '../../../../src/core/sdk/module/pagination.js';
import { GasMeter, MeteredStore } from '../../../../src/core/sdk/module/gas.js';
import { RecoveredPanic, SdkError } from '../../../../src/core/sdk/module/sdk-error.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import type { StateReader } from '../../../../src/core/state/state.js';
import { PageRequestSchema } from '../../../../src/core/proto/cosmos/base/query/v1beta1/pagination_pb.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { stateOf } from '../../app/support.js';

const PREFIX = Uint8Array.of(2, 9);
const NEIGHBOURS = [Uint8Array.of(2, 8, 255), Uint8Array.of(2, 10), Uint8Array.of(2)];

/** Entries under the prefix with neighbours on both sides; rows are the keys after the prefix, as numbers. */
function pages(keys: ReadonlySet<number>, cut: typeof paginate = paginate) {
  const entry = (key: Uint8Array) => ({ store: 'bank', key, value: Uint8Array.of(1) });
  const state = stateOf([...NEIGHBOURS.map(entry), ...[...keys].map((key) => entry(Uint8Array.of(...PREFIX, key)))]);
  return (request: Parameters<typeof create<typeof PageRequestSchema>>[1] | undefined) =>
    cut(
      { context: { store: state }, store: 'bank', prefix: PREFIX },
      request && create(PageRequestSchema, request),
      ({ key }) => key[PREFIX.length] ?? -1,
    );
}

const kinds = fc.constantFrom(paginate, paginateCollection);

const keys = fc.uniqueArray(fc.nat(255), { maxLength: 40 }).map((list) => new Set(list));

describe('pages', () => {
  it('follow each other by key without a gap or a repetition, in both directions', () => {
    fc.assert(
      fc.property(kinds, keys, fc.bigInt(1n, 7n), fc.boolean(), (cut, set, limit, reverse) => {
        const page = pages(set, cut);
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

  it('start at the offset, with the total on request and the key of the next entry', () => {
    fc.assert(
      fc.property(
        kinds,
        keys,
        fc.bigInt(0n, 45n),
        fc.bigInt(1n, 45n),
        fc.boolean(),
        fc.boolean(),
        (cut, set, offset, limit, countTotal, reverse) => {
          const sorted = [...set].toSorted((a, b) => (reverse ? b - a : a - b));
          const { rows, page } = pages(set, cut)({ offset, limit, countTotal, reverse });
          const end = Number(offset + limit);
          expect(rows).toEqual(sorted.slice(Number(offset), end));
          const isBeyond = cut === paginateCollection && offset > BigInt(set.size);
          expect(page.total).toBe(countTotal && !isBeyond ? BigInt(set.size) : 0n);
          expect([...page.nextKey]).toEqual(sorted.slice(end, end + 1));
        },
      ),
      { numRuns: propertyRuns(200) },
    );
  });

  it('hold a hundred entries and the total by default', () => {
    const page = pages(new Set(Array.from({ length: 130 }, (_, index) => index)));
    for (const request of [undefined, {}, { limit: 0n }]) {
      const { rows, page: answer } = page(request);
      expect([rows.length, answer.total, [...answer.nextKey]]).toEqual([100, 130n, [100]]);
    }
  });

  it('start in reverse at the key, or at the entry next to it', () => {
    const from = (cut: typeof paginate, ...key: readonly number[]) =>
      pages(new Set([10, 20, 30]), cut)({ key: Uint8Array.from(key), reverse: true, limit: 2n }).rows;
    expect([from(paginate, 15), from(paginate, 20), from(paginate, 31)]).toEqual([
      [20, 10],
      [20, 10],
      [30, 20],
    ]);
    expect([from(paginateCollection, 15), from(paginateCollection, 20), from(paginateCollection, 31)]).toEqual([
      [10],
      [20, 10],
      [30, 20],
    ]);
  });

  it('continue after a key with the next entry, or in a collection with the next match', () => {
    const odd = (cut: typeof paginate) =>
      cut(
        {
          context: {
            store: stateOf(
              [1, 2, 3, 4, 5].map((key) => ({ store: 'bank', key: Uint8Array.of(...PREFIX, key), value: PREFIX })),
            ),
          },
          store: 'bank',
          prefix: PREFIX,
        },
        create(PageRequestSchema, { key: Uint8Array.of(1), limit: 1n }),
        ({ key }) => ((key[2] ?? 0) % 2 === 1 ? key[2] : undefined),
      );
    expect(odd(paginate)).toMatchObject({ rows: [1], page: { nextKey: Uint8Array.of(2) } });
    expect(odd(paginateCollection)).toMatchObject({ rows: [1], page: { nextKey: Uint8Array.of(3) } });
  });

  it('of a collection count an offset in entries, also those that do not match', () => {
    const at = (offset: bigint) =>
      paginateCollection(
        {
          context: {
            store: stateOf(
              [1, 2, 3, 4, 5].map((key) => ({ store: 'bank', key: Uint8Array.of(...PREFIX, key), value: PREFIX })),
            ),
          },
          store: 'bank',
          prefix: PREFIX,
        },
        create(PageRequestSchema, { offset, countTotal: true, limit: 1n }),
        ({ key }) => ((key[2] ?? 0) % 2 === 1 ? key[2] : undefined),
      );
    expect(at(1n)).toMatchObject({ rows: [3], page: { nextKey: Uint8Array.of(5), total: 3n } });
    expect(at(3n)).toMatchObject({ rows: [5], page: { nextKey: new Uint8Array(), total: 4n } });
    expect(at(6n)).toMatchObject({ rows: [], page: { nextKey: new Uint8Array(), total: 0n } });
  });

  it('take a key or an offset, not both', () => {
    const both = (refuse?: PageRefusal) =>
      paginate(
        { context: { store: stateOf([]) }, store: 'bank', prefix: PREFIX, ...(refuse && { refuse }) },
        create(PageRequestSchema, { key: PREFIX, offset: 1n }),
        () => 1,
      );
    expect(() => both()).toThrow(SdkError);
    expect(() => both()).toThrow(/^invalid request, either offset or key is expected, got both$/);
    expect(() => both(internalPage)).toThrow(
      'rpc error: code = Internal desc = invalid request, either offset or key is expected, got both: unknown request',
    );
  });

  it('hold at most `pageRows` rows, however many are asked for, and the key of the next', () => {
    const entries = Array.from({ length: 1_001 }, (_, index) => ({
      store: 'bank',
      key: Uint8Array.of(...PREFIX, index >> 8, index & 0xff),
      value: Uint8Array.of(1),
    }));
    const { rows, page } = paginate(
      { context: { store: stateOf(entries) }, store: 'bank', prefix: PREFIX },
      create(PageRequestSchema, { limit: 2n ** 64n - 1n }),
      () => 1,
    );
    expect(rows).toHaveLength(1_000);
    expect([...page.nextKey]).toEqual([3, 232]);
  });

  it('in reverse from the last key panic in precompiles, as in the SDK', () => {
    const asked = (reader: StateReader, key: number) => () =>
      paginate(
        { context: { store: reader }, store: 'bank', prefix: PREFIX },
        create(PageRequestSchema, { key: Uint8Array.of(key), reverse: true }),
        (entry) => entry.key[PREFIX.length],
      ).rows;
    const entry = (key: number) => ({ store: 'bank', key: Uint8Array.of(...PREFIX, key), value: Uint8Array.of(1) });
    const state = new CacheStore(stateOf([entry(3), entry(5)]));
    const panics = callRules.of({ version: evmd }).meteredStore(state, new GasMeter(1_000_000n));
    expect(asked(panics, 5)).toThrow('prefixIterator invalid, cannot call Key()');
    expect(asked(panics, 4)).toThrow(RecoveredPanic);
    expect(asked(panics, 3)()).toEqual([3]);
    expect(asked(panics, 6)()).toEqual([5, 3]);
    for (const answers of [state, new MeteredStore(state, new GasMeter(1_000_000n))])
      expect(asked(answers, 5)()).toEqual([5, 3]);
  });
});
