import { create, toBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { concat, utf8 } from '../../../src/core/bytes/bytes.js';
import { describeChange } from '../../../src/core/inspection/describe-row.js';
import type { Spelling } from '../../../src/core/inspection/row-form.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { balanceKey } from '../../../src/core/modules/bank/balances.js';
import { validatorKey } from '../../../src/core/modules/staking/keys.js';
import { ValidatorSchema } from '../../../src/core/proto/cosmos/staking/v1beta1/staking_pb.js';

const account = new Uint8Array(20).fill(7);
const spelling: Spelling = {
  bech32Prefix: 'chron',
  nameOf: (address) => (address.every((byte) => byte === 7) ? 'dev1' : undefined),
};

test('a changed balance is described by account, denom and both amounts', () => {
  const described = describeChange(
    { store: 'bank', key: balanceKey(account, 'achr'), before: utf8('10'), after: utf8('9') },
    spelling,
  );
  expect(described.line).toBe('bank: dev1 achr 10 -> 9');
  expect(described.fields).toEqual([{ name: '', before: '10', after: '9' }]);
  expect(described.key.map(({ name, text }) => [name, text])).toEqual([
    ['account', 'chron1qurswpc8qurswpc8qurswpc8qurswpc88e75rz'],
    ['denom', 'achr'],
  ]);
});

test('a changed protobuf row is described by the fields that differ, with decimal points in decimals', () => {
  const validator = (tokens: string, rate: string): Uint8Array =>
    toBinary(ValidatorSchema, create(ValidatorSchema, { tokens, commission: { commissionRates: { rate } } }));
  const described = describeChange(
    {
      store: 'staking',
      key: validatorKey(account),
      before: validator('10', '100000000000000000'),
      after: validator('9', '200000000000000000'),
    },
    spelling,
  );
  expect(described.kind).toBe('changed');
  expect(described.fields).toEqual([
    { name: 'tokens', before: '10', after: '9' },
    {
      name: 'commission.commission_rates.rate',
      before: '0.100000000000000000',
      after: '0.200000000000000000',
    },
  ]);
});

test('created and deleted rows are described with "none" on the missing side', () => {
  const key = balanceKey(account, 'achr');
  const made = describeChange({ store: 'bank', key, before: undefined, after: utf8('1') }, spelling);
  expect([made.kind, made.line]).toEqual(['created', 'bank: dev1 achr none -> 1']);
  const gone = describeChange({ store: 'bank', key, before: utf8('1'), after: undefined }, spelling);
  expect([gone.kind, gone.line]).toEqual(['deleted', 'bank: dev1 achr 1 -> none']);
});

test('keys and values that do not decode are described as bytes', () => {
  const unknown = describeChange(
    { store: 'another', key: Uint8Array.of(1, 2), before: undefined, after: Uint8Array.of(3) },
    spelling,
  );
  expect([unknown.row, unknown.line]).toEqual([undefined, 'another: 0x0102 none -> 0x03']);
  // A key that is longer than its form, and a value that does not decode.
  const longer = describeChange(
    { store: 'staking', key: concat(validatorKey(account), Uint8Array.of(0)), before: undefined, after: undefined },
    spelling,
  );
  expect(longer.row).toBeUndefined();
  const damaged = describeChange(
    { store: 'staking', key: validatorKey(account), before: undefined, after: Uint8Array.of(0xff) },
    spelling,
  );
  expect(damaged.fields).toEqual([{ name: '', before: undefined, after: '0xff' }]);
});

test('long values are shortened in a description', () => {
  const value = utf8('9'.repeat(FIXED_LIMITS.fieldCharacters + 1));
  const { fields } = describeChange(
    { store: 'bank', key: balanceKey(account, 'achr'), before: undefined, after: value },
    spelling,
  );
  expect(fields[0]?.after?.length).toBeLessThan(FIXED_LIMITS.fieldCharacters + 40);
  expect(fields[0]?.after).toContain(`... (${value.length} characters)`);
});
