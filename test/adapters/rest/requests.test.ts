import { fromBinary, type DescMessage } from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from 'vitest';
import { createToJson } from '../../../src/adapters/rest/json/to-json.js';
import { appendTexts, findField } from '../../../src/adapters/rest/request/fields.js';
import { createAppendJson } from '../../../src/adapters/rest/request/from-json.js';
import { servedFiles } from '../../../src/adapters/services/index.js';
import { QueryAccountsRequestSchema } from '../../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import {
  QueryAllBalancesRequestSchema,
  QuerySendEnabledRequestSchema,
} from '../../../src/core/proto/cosmos/bank/v1beta1/query_pb.js';
import {
  BroadcastMode,
  BroadcastTxRequestSchema,
  GetTxsEventRequestSchema,
  OrderBy,
  SimulateRequestSchema,
} from '../../../src/core/proto/cosmos/tx/v1beta1/service_pb.js';
import { ParamsSchema } from '../../../src/core/proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { recordedRegistry } from './recorded-registry.js';

const DEPTH = 32;

function fromText(
  desc: DescMessage,
  name: string,
  ...texts: readonly string[]
): { readonly bytes: Uint8Array; readonly problem: string | undefined } {
  const path = findField(desc, name);
  if (path === undefined) throw new Error(`no field ${name}`);
  const writer = new BinaryWriter();
  const problem = appendTexts(writer, path, texts);
  return { bytes: writer.finish(), problem };
}

function fromJson(
  desc: DescMessage,
  json: unknown,
): { readonly bytes: Uint8Array; readonly problem: string | undefined } {
  const writer = new BinaryWriter();
  const problem = createAppendJson(servedFiles().registry, DEPTH)(writer, desc, json);
  return { bytes: writer.finish(), problem };
}

describe('query parameters of REST requests', () => {
  it('set fields of nested messages, whose parts are merged', () => {
    const parts = [
      fromText(QueryAccountsRequestSchema, 'pagination.limit', '5'),
      fromText(QueryAccountsRequestSchema, 'pagination.countTotal', 'true'),
      fromText(QueryAccountsRequestSchema, 'pagination.key', 'YWI='),
    ];
    const request = fromBinary(
      QueryAccountsRequestSchema,
      Uint8Array.from(Buffer.concat(parts.map(({ bytes }) => bytes))),
    );
    expect(request.pagination).toMatchObject({ limit: 5n, countTotal: true, key: new Uint8Array([97, 98]) });
  });

  it('set all values of a list, and the first value of other fields', () => {
    expect(
      fromBinary(QuerySendEnabledRequestSchema, fromText(QuerySendEnabledRequestSchema, 'denoms', 'a', 'b').bytes)
        .denoms,
    ).toEqual(['a', 'b']);
    expect(
      fromBinary(QueryAllBalancesRequestSchema, fromText(QueryAllBalancesRequestSchema, 'address', 'a', 'b').bytes)
        .address,
    ).toBe('a');
  });

  it('are accepted under the proto name and the JSON name', () => {
    for (const name of ['resolve_denom', 'resolveDenom'])
      expect(
        fromBinary(QueryAllBalancesRequestSchema, fromText(QueryAllBalancesRequestSchema, name, 't').bytes)
          .resolveDenom,
      ).toBe(true);
  });

  it('accept enums by name and by number', () => {
    for (const text of ['ORDER_BY_DESC', '2'])
      expect(
        fromBinary(GetTxsEventRequestSchema, fromText(GetTxsEventRequestSchema, 'order_by', text).bytes).orderBy,
      ).toBe(OrderBy.DESC);
    for (const text of ['UP', '9'])
      expect(fromText(GetTxsEventRequestSchema, 'order_by', text).problem).toBe(`${text} is not a valid tx.OrderBy`);
  });

  it.each([
    ['pagination.limit', '-1', 'strconv.ParseUint: parsing "-1": invalid syntax'],
    [
      'pagination.limit',
      '18446744073709551616',
      'strconv.ParseUint: parsing "18446744073709551616": value out of range',
    ],
    ['pagination.reverse', 'yes', 'strconv.ParseBool: parsing "yes": invalid syntax'],
    ['pagination.key', 'YWI', 'illegal base64 data at input byte 0'],
    ['pagination.key', 'YWJjYQ=', 'illegal base64 data at input byte 7'],
    ['pagination.key', 'Y===', 'illegal base64 data at input byte 1'],
    ['pagination.key', 'YWI*', 'illegal base64 data at input byte 3'],
    ['pagination.key', '+a-b', 'illegal base64 data at input byte 0'],
    ['pagination', '1', 'field type *query.PageRequest is not supported in query parameters'],
    ['pagination.limit', '0x10000000000000000', 'strconv.ParseUint: parsing "0x10000000000000000": value out of range'],
    ['pagination.limit', '0x', 'strconv.ParseUint: parsing "0x": invalid syntax'],
    ['pagination.limit', '1__0', 'strconv.ParseUint: parsing "1__0": invalid syntax'],
    ['pagination.limit', '+1', 'strconv.ParseUint: parsing "+1": invalid syntax'],
    ['pagination.limit', '08', 'strconv.ParseUint: parsing "08": invalid syntax'],
  ])("refuse %s=%s with Go's error text", (name, text, problem) => {
    expect(fromText(QueryAccountsRequestSchema, name, text).problem).toBe(problem);
  });

  it.each([
    ['0x1F', 31n],
    ['0b101', 5n],
    ['0O17', 15n],
    ['017', 15n],
    ['0_7', 7n],
    ['1_000', 1000n],
    ['0', 0n],
  ])('accept a number with a base prefix, as in Go: %s', (text, limit) => {
    const { bytes, problem } = fromText(QueryAccountsRequestSchema, 'pagination.limit', text);
    expect(problem).toBeUndefined();
    expect(fromBinary(QueryAccountsRequestSchema, bytes).pagination?.limit).toBe(limit);
  });

  it('accept the largest number of each type exactly', () => {
    const { bytes } = fromText(QueryAccountsRequestSchema, 'pagination.limit', '18446744073709551615');
    expect(fromBinary(QueryAccountsRequestSchema, bytes).pagination?.limit).toBe(18_446_744_073_709_551_615n);
  });
});

describe('JSON bodies of REST requests', () => {
  it('accept bytes as base64 of both alphabets, or as numbers', () => {
    for (const tx_bytes of ['-_8=', '+/8=', [251, 255]]) {
      const { bytes, problem } = fromJson(BroadcastTxRequestSchema, { tx_bytes, mode: 'BROADCAST_MODE_SYNC' });
      expect(problem).toBeUndefined();
      expect(fromBinary(BroadcastTxRequestSchema, bytes)).toMatchObject({
        txBytes: new Uint8Array([251, 255]),
        mode: BroadcastMode.SYNC,
      });
    }
  });

  it('accept numbers in decimal only', () => {
    const limit = (text: string): unknown => ({ tx: { auth_info: { fee: { gas_limit: text } } } });
    expect(fromJson(SimulateRequestSchema, limit('0x10')).problem).toBe(
      'strconv.ParseUint: parsing "0x10": invalid syntax',
    );
  });

  it('scale a decimal for the wire', () => {
    expect(
      fromBinary(ParamsSchema, fromJson(ParamsSchema, { base_fee: '1.5', min_gas_price: '0' }).bytes),
    ).toMatchObject({ baseFee: '1500000000000000000', minGasPrice: '0' });
    expect(fromJson(ParamsSchema, { base_fee: '1.5e3' }).problem).toBe('failed to set decimal string: "1.5e3"');
  });

  it.each([
    [{ tx_bytes: 5 }, 'json: cannot unmarshal number into Go value of type []uint8'],
    [{ tx_bytes: [256] }, 'json: cannot unmarshal array into Go value of type []uint8'],
    [{ tx_bytes: '+a-b' }, 'illegal base64 data at input byte 2'],
    [{ mode: {} }, 'json: cannot unmarshal object into Go value of type int32'],
    [{ mode: 'X' }, 'unknown value "X" for enum cosmos.tx.v1beta1.BroadcastMode'],
    [[], 'json: cannot unmarshal array into Go value of type map[string]json.RawMessage'],
    ['text', 'json: cannot unmarshal string into Go value of type map[string]json.RawMessage'],
  ])("%j is refused with Go's error text", (json, problem) => {
    expect(fromJson(BroadcastTxRequestSchema, json).problem).toBe(problem);
  });

  it('refuse a number that JSON cannot represent exactly, and accept it as a text', () => {
    const auth = (gas_limit: unknown): unknown => ({ tx: { auth_info: { fee: { gas_limit } } } });
    expect(fromJson(SimulateRequestSchema, auth(2 ** 53)).problem).toBe(
      'json: cannot unmarshal number into Go value of type uint64',
    );
    expect(
      fromBinary(SimulateRequestSchema, fromJson(SimulateRequestSchema, auth('9007199254740993')).bytes).tx?.authInfo
        ?.fee?.gasLimit,
    ).toBe(9_007_199_254_740_993n);
  });

  it('refuse an unknown type of an Any, and endless nesting', () => {
    expect(fromJson(SimulateRequestSchema, { tx: { body: { messages: [{ '@type': '/no.Such' }] } } }).problem).toBe(
      'unable to resolve type URL "/no.Such"',
    );
    let info: unknown = { single: { mode: 1 } };
    for (let level = 0; level < 100; level++) info = { multi: { mode_infos: [info] } };
    expect(
      fromJson(SimulateRequestSchema, { tx: { auth_info: { signer_infos: [{ mode_info: info }] } } }).problem,
    ).toBe(`nested deeper than ${DEPTH} (limit jsonDepth)`);
  });
});

describe.skipIf(!hasGolden)('JSON of encoded answers', () => {
  it('every recorded answer of every module is the same after JSON and back', () => {
    const registry = recordedRegistry();
    const toJson = createToJson(registry);
    const appendJson = createAppendJson(registry, DEPTH);
    let read = 0;
    for (const { method = '', response_hex: hex } of goldenLines<{
      readonly method?: string;
      readonly response_hex?: string;
    }>('faces/grpc.jsonl')) {
      const slash = method.indexOf('/');
      const desc = registry
        .getService(method.slice(0, slash))
        ?.methods.find(({ name }) => name === method.slice(slash + 1))?.output;
      // The descriptors of Go's code have fields whose defaults are not zero.
      if (desc === undefined || hex === undefined || method.includes('eflection')) continue;
      const text = toJson(desc, Buffer.from(hex, 'hex'));
      const writer = new BinaryWriter();
      expect(appendJson(writer, desc, JSON.parse(text)), method).toBeUndefined();
      expect(toJson(desc, writer.finish()), method).toBe(text);
      read += 1;
    }
    expect(read).toBeGreaterThan(200);
  });
});
