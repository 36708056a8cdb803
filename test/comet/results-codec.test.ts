/** The written-out codec of results against the codec by descriptors, which makes the bytes that peers and proofs know. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { assert, constant, array, bigInt, boolean, integer, oneof, option, property, record, string, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeResults, encodeAgreed, encodeResults } from '../../src/core/comet/results-codec.js';
import { ExecTxResultSchema, ResponseFinalizeBlockSchema } from '../../src/core/proto/tendermint/abci/types_pb.js';

const text = oneof(string({ maxLength: 40 }), string({ unit: 'grapheme', maxLength: 40 }), constant(''), constant('x'.repeat(200)));
const event = record({ type: text, attributes: array(record({ key: text, value: text, index: boolean() }), { maxLength: 4 }) });
const gas = oneof(bigInt({ min: 0n, max: 1n << 40n }), bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), constant(0n));
const txResult = record({
  code: integer({ min: 0, max: 0xffff_ffff }), data: uint8Array({ maxLength: 300 }), log: text, info: text, gasWanted: gas, gasUsed: gas,
  events: array(event, { maxLength: 4 }), codespace: text,
});
const results = record({
  events: array(event, { maxLength: 4 }),
  txResults: array(txResult, { maxLength: 3 }),
  validatorUpdates: array(record({ power: gas, pubKey: record({ sum: record({ case: constant('ed25519' as const), value: uint8Array({ maxLength: 40 }) }) }) }), { maxLength: 2 }),
  consensusParamUpdates: option(record({ block: record({ maxBytes: gas, maxGas: gas }) }), { nil: undefined }),
}).map(({ consensusParamUpdates, ...rest }) =>
  create(ResponseFinalizeBlockSchema, { ...rest, ...(consensusParamUpdates && { consensusParamUpdates }) }));

describe('the codec of block results', () => {
  it('writes the bytes of the codec by descriptors, and reads them back', () => {
    assert(property(results, (message) => {
      const bytes = toBinary(ResponseFinalizeBlockSchema, message);
      expect(encodeResults(message)).toEqual(bytes);
      expect(decodeResults(bytes)).toEqual(fromBinary(ResponseFinalizeBlockSchema, bytes));
    }), { numRuns: 200 });
  });

  it('writes what nodes agree on of a result', () => {
    assert(property(txResult, (result) => {
      const { code, data, gasWanted, gasUsed } = result;
      expect(encodeAgreed(create(ExecTxResultSchema, result))).toEqual(toBinary(ExecTxResultSchema, create(ExecTxResultSchema, { code, data, gasWanted, gasUsed })));
    }));
  });

  it('reads any bytes as the codec by descriptors does, or fails as it does', () => {
    const valid = results.map((message) => toBinary(ResponseFinalizeBlockSchema, message));
    const changed = record({ bytes: valid, at: integer({ min: 0, max: 10_000 }), byte: integer({ min: 0, max: 255 }), cut: integer({ min: 0, max: 20 }) })
      .map(({ bytes, at, byte, cut }) => {
        const copy = bytes.slice(0, Math.max(0, bytes.length - cut));
        if (copy.length > 0) copy[at % copy.length] = byte;
        return copy;
      });
    const tried = (read: () => unknown): unknown => {
      try {
        return read();
      } catch (error) {
        return error instanceof Error ? error.message : error;
      }
    };
    assert(property(oneof(changed, uint8Array({ maxLength: 60 })), (bytes) => {
      expect(tried(() => decodeResults(bytes))).toEqual(tried(() => fromBinary(ResponseFinalizeBlockSchema, bytes)));
    }), { numRuns: 500 });
  });
});
