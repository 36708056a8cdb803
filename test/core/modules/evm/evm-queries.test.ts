import { describe, expect, it, test } from 'vitest';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { QueryValidatorAccountRequestSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/query_pb.js';
import type { StateWrite } from '../../../../src/core/state/state.js';
import { goldenLines, hasGolden } from '../../../support/golden.js';
import { newApp, timeOf, type RecordedBlock, type RecordedWrites } from '../../app/recorded-evm.js';
import { fromHex, stateOf, toHex } from '../../app/support.js';
import { encode } from '../../../support/encode.js';
import { recordedWrites } from '../../app/recorded-state.js';

interface Call {
  readonly method: string;
  readonly request: unknown;
  readonly request_hex?: string;
  readonly code: string;
  readonly message?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly response_hex?: string;
}

const SERVICES = /^cosmos\.evm\.(vm|feemarket)\.v1\.Query\//;
const STORES = ['acc', 'bank', 'consensus', 'evm', 'feemarket', 'staking'];
const STATUS: Readonly<Record<string, string>> = { INVALID_ARGUMENT: 'InvalidArgument' };
/** The Go decoder's texts for broken JSON are not reproduced. */
const GO_WORDS = /invalid character/;
const ENDED = 224;

describe.skipIf(!hasGolden)('recorded queries of the EVM and the fee market', () => {
  const calls = hasGolden
    ? goldenLines<Partial<Call>>('faces/grpc.jsonl').filter((call): call is Call => SERVICES.test(call.method ?? ''))
    : [];
  const heights = calls.map(({ header }) => Number(header?.['x-cosmos-block-height'] ?? 0));
  const newest = Math.max(...heights, ENDED);
  const base = hasGolden ? recordedWrites(`state-000${ENDED}`).filter(({ store }) => STORES.includes(store)) : [];
  const later = hasGolden
    ? goldenLines<RecordedWrites>('chain-a/writes.jsonl').filter(({ height }) => height > ENDED && height <= newest)
    : [];
  const times = new Map(
    (hasGolden ? goldenLines<RecordedBlock>('chain-a/blocks.jsonl') : []).map(({ height, block }) => [
      height,
      timeOf(block.block.header.time),
    ]),
  );
  const app = newApp();

  it('there are queries to compare', () => expect(calls.length).toBeGreaterThan(20));

  it.each(calls.map((call) => ({ title: `${call.method} ${JSON.stringify(call.request)}`, call })))(
    'answers as recorded: $title (query %#)',
    ({ call }) => {
      const height = Number(call.header?.['x-cosmos-block-height'] ?? newest);
      const state = stateOf([
        ...base,
        ...later
          .filter((line) => line.height <= height)
          .flatMap(({ writes }) =>
            STORES.flatMap((store) =>
              (writes[store] ?? []).map(([key, value]): StateWrite => ({
                store,
                key: fromHex(key),
                value: value === null ? undefined : fromHex(value),
              })),
            ),
          ),
      ]);
      const at = { chainId: '9001', height: toHeight(BigInt(height)), time: toTimeNs(times.get(height) ?? 0n) };
      const answer = app.query(state, at, `/${call.method}`, fromHex(call.request_hex ?? ''));
      if (call.code === 'OK') {
        expect(answer.ok ? toHex(answer.value) : answer.log).toBe(call.response_hex ?? '');
        return;
      }
      const text = GO_WORDS.test(call.message ?? '') ? '' : (call.message ?? '');
      expect(answer).toMatchObject({
        ok: false,
        log: expect.stringContaining(`rpc error: code = ${STATUS[call.code] ?? ''} desc = ${text}`),
      });
    },
  );
});

test.each([
  ['', 'empty address string is not allowed'],
  [
    'cosmosvalcons1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq',
    'decoding bech32 failed: invalid checksum (expected zy8k80 got qqqqqq)',
  ],
  ['cosmos1jcltmuhplrdcwp7stlr4hlhlhgd4htqhnu0t2g', 'invalid Bech32 prefix; expected cosmosvalcons, got cosmos'],
])('query ValidatorAccount refuses %j: %s', (consAddress, reason) => {
  const request = encode(QueryValidatorAccountRequestSchema, { consAddress });
  const at = { chainId: '9001', height: toHeight(1n), time: toTimeNs(0n) };
  expect(newApp().query(stateOf([]), at, '/cosmos.evm.vm.v1.Query/ValidatorAccount', request)).toMatchObject({
    ok: false,
    log: `rpc error: code = InvalidArgument desc = ${reason}: invalid request`,
  });
});

test('query ValidatorAccount refuses a validator that the chain does not have', () => {
  const consAddress = 'cosmosvalcons19cw2jv596ky59w3wyt7cj0x2clyjfsapgmwnjd';
  const request = encode(QueryValidatorAccountRequestSchema, { consAddress });
  const at = { chainId: '9001', height: toHeight(1n), time: toTimeNs(0n) };
  expect(newApp().query(stateOf([]), at, '/cosmos.evm.vm.v1.Query/ValidatorAccount', request)).toMatchObject({
    ok: false,
    codespace: 'undefined',
    log: `error while getting validator ${consAddress}. validator does not exist`,
  });
});
