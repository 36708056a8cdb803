import { create, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { ResultsWriter } from '../../../src/core/comet/results-writer.js';
import { ExecTxResultSchema, ResponseFinalizeBlockSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { encode } from '../../support/encode.js';

const event = fc.record({
  type: fc.oneof(fc.constantFrom('', 'tx', 'mint'), fc.string({ maxLength: 200 })),
  attributes: fc.array(fc.record({ key: fc.string(), value: fc.string({ unit: 'grapheme' }), index: fc.boolean() }), {
    maxLength: 3,
  }),
});
const int64 = fc.oneof(
  fc.bigInt({ min: 0n, max: 40_000_000n }),
  fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
);
const text = fc.oneof(fc.constant(''), fc.string({ maxLength: 300 }));
const txResult = fc.record({
  code: fc.oneof(fc.constant(0), fc.nat({ max: 0xffff_ffff })),
  data: fc.uint8Array({ maxLength: 300 }),
  log: text,
  info: text,
  gasWanted: int64,
  gasUsed: int64,
  events: fc.array(event, { maxLength: 3 }),
  codespace: text,
});
const response: fc.Arbitrary<MessageInitShape<typeof ResponseFinalizeBlockSchema>> = fc.record({
  events: fc.array(event, { maxLength: 3 }),
  txResults: fc.array(txResult, { maxLength: 4 }),
  validatorUpdates: fc.array(fc.record({ power: fc.bigInt({ min: 0n, max: 1n << 40n }) }), { maxLength: 2 }),
  consensusParamUpdates: fc.option(fc.record({ block: fc.record({ maxBytes: int64, maxGas: int64 }) }), {
    nil: undefined,
  }),
});

describe('encoded block results', () => {
  it('decode part by part to what the generated codec reads', () => {
    fc.assert(
      fc.property(response, (init) => {
        const message = create(ResponseFinalizeBlockSchema, init);
        const read = EncodedResults.of(message);
        expect(fromBinary(ResponseFinalizeBlockSchema, read.bytes)).toEqual(message);
        expect(read.events).toEqual(message.events);
        for (const { type } of message.events)
          expect(read.lastEvent(type)).toEqual(message.events.findLast((one) => one.type === type));
        expect(read.lastEvent('no event has this type')).toBeUndefined();
        expect(read.txCount).toBe(message.txResults.length);
        expect(read.txResults).toEqual(message.txResults);
        expect(read.validatorUpdates).toEqual(message.validatorUpdates);
        expect(read.consensusParamUpdates).toEqual(message.consensusParamUpdates);
        message.txResults.forEach((result, index) => {
          const { code, data, gasWanted, gasUsed } = result;
          expect(read.txResult(index)).toEqual(result);
          expect(read.txEvents(index)).toEqual(result.events);
          expect(read.outcome(index)).toEqual({ code, data, gasUsed });
          expect(read.deterministic[index]).toEqual(encode(ExecTxResultSchema, { code, data, gasWanted, gasUsed }));
        });
        expect(read.txResult(read.txCount)).toBeUndefined();
        expect(read.outcome(read.txCount)).toBeUndefined();
        expect(read.txEvents(read.txCount)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('have the same bytes when written transaction by transaction', () => {
    fc.assert(
      fc.property(response, (init) => {
        const message = create(ResponseFinalizeBlockSchema, init);
        const writer = new ResultsWriter();
        for (const result of message.txResults) writer.add(result);
        expect(Buffer.from(writer.finish(message).bytes).equals(EncodedResults.of(message).bytes)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('have the bytes of the generated codec with and without validator updates', () => {
    const init = { consensusParamUpdates: { block: { maxBytes: 1n, maxGas: 2n } } };
    const { consensusParamUpdates } = create(ResponseFinalizeBlockSchema, init);
    for (const powers of [[], [3n], [], [4n, 5n]]) {
      const message = create(ResponseFinalizeBlockSchema, {
        ...init,
        validatorUpdates: powers.map((power) => ({ power })),
      });
      const written = new ResultsWriter().finish({ ...message, consensusParamUpdates });
      expect(Buffer.from(written.bytes).equals(EncodedResults.of(message).bytes)).toBe(true);
    }
  });

  it('may be larger than the initial buffer', () => {
    const data = new Uint8Array(50_000).fill(5);
    const message = create(ResponseFinalizeBlockSchema, {
      txResults: [{ data, log: 'é'.repeat(20_000), events: [{ type: 'x'.repeat(16_384) }] }, { log: 'y' }],
    });
    const writer = new ResultsWriter();
    for (const result of message.txResults) writer.add(result);
    expect(Buffer.from(writer.finish(message).bytes).equals(EncodedResults.of(message).bytes)).toBe(true);
  });

  it('fail an invariant when truncated', () => {
    const { bytes } = EncodedResults.of(
      create(ResponseFinalizeBlockSchema, { txResults: [{ data: Uint8Array.of(1, 2, 3) }] }),
    );
    expect(() => new EncodedResults(bytes.subarray(0, -1)).txCount).toThrow('invariant');
  });
});
