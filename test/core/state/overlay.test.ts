import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prefixEnd } from '../../../src/core/bytes/key-order.js';
import { compare } from '../../../src/core/bytes/bytes.js';
import { CacheStore, EMPTY_STATE } from '../../../src/core/state/overlay.js';
import type { StateEntry, StateRange } from '../../../src/core/state/state.js';

type Model = Map<string, Map<string, Uint8Array>>;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

const key = fc
  .uint8Array({ minLength: 0, maxLength: 2 })
  .map((value) => value.map((byte) => [0, 1, 0x7f, 0xff][byte % 4] ?? 0));
const store = fc.constantFrom('bank', 'acc');
const level = fc.nat(2);
const operation = fc.oneof(
  fc.record({ do: fc.constant('set' as const), level, store, key, value: fc.uint8Array({ maxLength: 2 }) }),
  fc.record({ do: fc.constant('delete' as const), level, store, key }),
  fc.record({ do: fc.constant('commit' as const), level }),
  fc.record({ do: fc.constant('discard' as const), level }),
  fc.record({
    do: fc.constant('range' as const),
    level,
    store,
    reverse: fc.boolean(),
    start: fc.option(key, { nil: undefined }),
    end: fc.option(key, { nil: undefined }),
  }),
);

function modelRange(model: Model, name: string, { start, end, reverse }: StateRange): readonly StateEntry[] {
  const entries = [...(model.get(name) ?? [])]
    .sort(([left], [right]) => compare(bytes(left), bytes(right)))
    .map(([text, value]) => ({ key: bytes(text), value }))
    .filter(
      (entry) =>
        (start === undefined || compare(entry.key, start) >= 0) && (end === undefined || compare(entry.key, end) < 0),
    );
  return reverse === true ? entries.reverse() : entries;
}

const copyOf = (model: Model): Model => new Map([...model].map(([name, entries]) => [name, new Map(entries)]));
const shown = (entries: Iterable<StateEntry>): string[] =>
  [...entries].map((entry) => `${hex(entry.key)}=${hex(entry.value)}`);

describe('state overlay', () => {
  it('behaves as a stack of sorted maps', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const bottom = new CacheStore(EMPTY_STATE);
        const middle = bottom.branch();
        const caches = [bottom, middle, middle.branch()];
        // The writes of each level; the model of a level is the union of all levels up to it.
        const written: Map<string, Map<string, Uint8Array | undefined>>[] = [new Map(), new Map(), new Map()];
        const model = (top: number): Model => {
          const seen: Model = new Map();
          for (const layer of written.slice(0, top + 1)) {
            for (const [name, entries] of layer) {
              const target = seen.get(name) ?? new Map<string, Uint8Array>();
              seen.set(name, target);
              for (const [text, value] of entries) {
                if (value === undefined) target.delete(text);
                else target.set(text, value);
              }
            }
          }
          return copyOf(seen);
        };
        const record = (at: number, name: string, text: string, value: Uint8Array | undefined): void => {
          const layer = written[at] ?? new Map();
          const entries = layer.get(name) ?? new Map<string, Uint8Array | undefined>();
          layer.set(name, entries);
          entries.set(text, value);
        };
        for (const step of operations) {
          const cache = caches[step.level] ?? bottom;
          if (step.do === 'set') {
            cache.set(step.store, step.key, step.value);
            record(step.level, step.store, hex(step.key), step.value);
          } else if (step.do === 'delete') {
            cache.delete(step.store, step.key);
            record(step.level, step.store, hex(step.key), undefined);
          } else if (step.do === 'discard') {
            cache.discard();
            written[step.level]?.clear();
          } else if (step.do === 'commit') {
            const parent = caches[step.level - 1];
            if (parent === undefined) continue;
            cache.commitTo(parent);
            for (const [name, entries] of written[step.level] ?? [])
              for (const [text, value] of entries) record(step.level - 1, name, text, value);
            written[step.level]?.clear();
          } else {
            const range = {
              reverse: step.reverse,
              ...(step.start === undefined ? {} : { start: step.start }),
              ...(step.end === undefined ? {} : { end: step.end }),
            };
            expect(shown(cache.range(step.store, range))).toEqual(
              shown(modelRange(model(step.level), step.store, range)),
            );
          }
          caches.forEach((each, at) => {
            for (const name of ['acc', 'bank'])
              expect(shown(each.range(name, {}))).toEqual(shown(modelRange(model(at), name, {})));
            for (const [name, entries] of model(at))
              for (const [text, value] of entries) expect(each.get(name, bytes(text))).toEqual(value);
          });
        }
      }),
      { numRuns: 200 },
    );
  });

  it('lists its writes by store name, then key, deletions and unchanged values included', () => {
    const base = new CacheStore(EMPTY_STATE);
    base.set('bank', bytes('01'), bytes('aa'));
    const cache = base.branch();
    cache.set('mint', bytes('ff'), bytes('01'));
    cache.delete('acc', bytes('02'));
    cache.set('bank', bytes('0100'), bytes('02'));
    cache.set('bank', bytes('01'), bytes('aa'));
    expect(cache.writes().map((write) => [write.store, hex(write.key), write.value && hex(write.value)])).toEqual([
      ['acc', '02', undefined],
      ['bank', '01', 'aa'],
      ['bank', '0100', '02'],
      ['mint', 'ff', '01'],
    ]);
  });

  it('iterates a range as it was at the start, even when the loop writes', () => {
    const cache = new CacheStore(EMPTY_STATE);
    for (const text of ['01', '03', '05']) cache.set('bank', bytes(text), bytes(text));
    const seen: string[] = [];
    for (const entry of cache.range('bank', {})) {
      seen.push(hex(entry.key));
      cache.set('bank', bytes('04'), bytes('04'));
      cache.delete('bank', bytes('05'));
    }
    expect(seen).toEqual(['01', '03', '05']);
    expect(shown(cache.range('bank', {}))).toEqual(['01=01', '03=03', '04=04']);
  });

  it('computes the end of a prefix range', () => {
    expect(prefixEnd(bytes('01ff'))).toEqual(bytes('02'));
    expect(prefixEnd(bytes('0102'))).toEqual(bytes('0103'));
    expect(prefixEnd(bytes('ffff'))).toBeUndefined();
    expect(prefixEnd(bytes(''))).toBeUndefined();
  });
});
