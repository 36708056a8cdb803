/** Limits of a JSON text, such as `jsonParts`, are checked before it is parsed. */
import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../src/core/bytes/bytes.js';
import { exceededJsonBound, hasMoreJsonParts, JsonMeter } from '../../../src/core/text/json-parts.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { readCall, readOverrides } from '../../../src/core/modules/evm/call-args.js';
import { traceOptions } from '../../../src/core/modules/evm/trace-options.js';
import { TraceConfigSchema } from '../../../src/core/proto/cosmos/evm/vm/v1/evm_pb.js';

/** Objects, arrays and members of a parsed value. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children: readonly unknown[] = Object.values(value);
  return (
    1 + (Array.isArray(value) ? 0 : children.length) + children.reduce<number>((sum, child) => sum + partsOf(child), 0)
  );
}

describe('counted parts of a JSON text', () => {
  it('are its objects, arrays and members, whatever its strings contain', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) => {
        const text = JSON.stringify({ first: value, second: [{}, 'a"b:[{\\', { '\\"{': ':' }] }, undefined, indent);
        const parts = partsOf(JSON.parse(text));
        expect(hasMoreJsonParts(text, parts - 1)).toBe(true);
        expect(hasMoreJsonParts(text, parts)).toBe(false);
      }),
    );
  });

  it('exclude numbers and strings of an array', () => {
    expect(hasMoreJsonParts(`[${'1,"a",'.repeat(1_000)}1]`, 1)).toBe(false);
  });

  it('are counted only up to the limit, also in deeply nested text', () => {
    expect(hasMoreJsonParts('['.repeat(5_000_000), 10)).toBe(true);
  });
});

describe('the limits of a JSON text', () => {
  it('are exceeded equally by the text and by its bytes in chunks of any size', () => {
    const bound = fc.nat(12);
    const bounds = fc.record({ jsonDepth: bound, jsonParts: bound, jsonValues: bound, jsonSpaceBytes: bound });
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    const tricky = { 'a"b:[{\\': ['\\\\"', 'ü\\', { '\\"{': ', :' }] };
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), bounds, sizes, (value, indent, limits, lengths) => {
        const text = JSON.stringify([value, tricky], undefined, indent);
        const meter = new JsonMeter(limits);
        const bytes = utf8(text);
        let exceeded: ReturnType<JsonMeter['add']>;
        for (let at = 0, turn = 0; at < bytes.length && exceeded === undefined; turn += 1) {
          const end = at + (lengths[turn % lengths.length] ?? 1);
          exceeded = meter.add(bytes.subarray(at, end));
          at = end;
        }
        expect(exceeded).toBe(exceededJsonBound(text, limits));
      }),
    );
  });
});

it('EthCall arguments, overrides and tracer options with more than jsonParts parts are refused', () => {
  const { jsonParts } = DEFAULT_LIMITS;
  const object = (members: number): string =>
    `{${Array.from({ length: members }, (_, index) => `"${index}":1`).join(',')}}`;
  expect(readCall(utf8(object(jsonParts - 1))).to).toBeUndefined();
  expect(() => readCall(utf8(object(jsonParts)))).toThrow(`invalid args: limit jsonParts (${jsonParts}) exceeded`);
  expect(() => readOverrides(utf8(object(jsonParts)))).toThrow(
    `invalid overrides: limit jsonParts (${jsonParts}) exceeded`,
  );
  const options = (members: number) => traceOptions(create(TraceConfigSchema, { tracerJsonConfig: object(members) }));
  expect(options(jsonParts - 1)).toContain('tracerConfig');
  expect(() => options(jsonParts)).toThrow(`limit jsonParts (${jsonParts}) exceeded`);
});
