/** JSON of messages: the command line reads its own output back as the same message. */
import { create, toBinary, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { protoFromJson } from '../../src/cli/values/proto-from-json.js';
import { protoJson } from '../../src/adapters/rest/json/proto-json.js';
import { utf8 } from '../../src/core/bytes/bytes.js';
import { DecCoinSchema } from '../../src/core/proto/cosmos/base/v1beta1/coin_pb.js';
import { MsgExecSchema } from '../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { MsgUpdateParamsSchema as MintParams } from '../../src/core/proto/cosmos/mint/v1beta1/tx_pb.js';
import { ParamsSchema as SlashingParams } from '../../src/core/proto/cosmos/slashing/v1beta1/slashing_pb.js';
import { MsgEditValidatorSchema } from '../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { anyOf } from '../support/sign-tx.js';

function roundTrip<Schema extends DescMessage>(schema: Schema, value: MessageInitShape<Schema>): void {
  const message = create(schema, value);
  const shown = protoJson(schema, message);
  expect(toBinary(schema, protoFromJson(schema, JSON.parse(JSON.stringify(shown)), 'file'))).toEqual(
    toBinary(schema, message),
  );
}

const mint = { params: { mintDenom: 'achr', inflationMax: '200000000000000000', blocksPerYear: 7n } };

test('decimals have a point in JSON, for fields of text and bytes, also inside an Any', () => {
  expect(protoJson(DecCoinSchema, create(DecCoinSchema, { denom: 'achr', amount: '1500000000000000000' }))).toEqual({
    denom: 'achr',
    amount: '1.500000000000000000',
  });
  roundTrip(DecCoinSchema, { denom: 'achr', amount: '-1500000000000000000' });
  expect(
    protoJson(SlashingParams, create(SlashingParams, { minSignedPerWindow: utf8('500000000000000000') })),
  ).toMatchObject({ min_signed_per_window: '0.500000000000000000' });
  roundTrip(SlashingParams, {
    minSignedPerWindow: utf8('500000000000000000'),
    slashFractionDoubleSign: utf8('0'),
    slashFractionDowntime: utf8('1'),
  });
  roundTrip(MsgExecSchema, {
    msgs: [
      anyOf(MintParams, {
        params: { ...mint.params, inflationMin: '0', inflationRateChange: '1', goalBonded: '670000000000000000' },
      }),
    ],
  });
});

test('an absent optional decimal is null in JSON, and absent again when read', () => {
  const edit = create(MsgEditValidatorSchema, { validatorAddress: 'v' });
  expect(protoJson(MsgEditValidatorSchema, edit)).toMatchObject({ commission_rate: null, min_self_delegation: null });
  roundTrip(MsgEditValidatorSchema, { validatorAddress: 'v' });
});

test.each([
  ['60s', 60n, 0],
  ['1m0s', 60n, 0],
  ['48h0m0s', 172_800n, 0],
  ['1h1m1.5s', 3661n, 500_000_000],
  ['0.25s', 0n, 250_000_000],
])('the duration %s is read', (text, seconds, nanos) => {
  expect(protoFromJson(SlashingParams, { downtime_jail_duration: text }, 'file')).toMatchObject({
    downtimeJailDuration: { seconds, nanos },
  });
});

test('a duration keeps its nanoseconds', () =>
  roundTrip(SlashingParams, {
    minSignedPerWindow: utf8('0'),
    slashFractionDoubleSign: utf8('0'),
    slashFractionDowntime: utf8('0'),
    downtimeJailDuration: { seconds: 3n, nanos: 5 },
  }));

test.each([
  [{ min_signed_per_window: 'half' }, 'file: min_signed_per_window: half is not a decimal'],
  [{ min_signed_per_window: '' }, 'is not a decimal'],
  [{ downtime_jail_duration: '1 minute' }, 'file: cannot decode'],
  [{ nothing: 1 }, 'file: cannot decode'],
])('%j is refused with the name of the file and field', (json, reason) => {
  expect(() => protoFromJson(SlashingParams, json, 'file')).toThrow(reason);
});
