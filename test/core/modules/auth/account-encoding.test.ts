import { create, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Account,
  encodeAccount,
  packAccount,
  sequenceOfPlain,
} from '../../../../src/core/modules/auth/accounts.js';
import { BaseAccountSchema, ModuleAccountSchema } from '../../../../src/core/proto/cosmos/auth/v1beta1/auth_pb.js';

const uint64 = fc.oneof(fc.bigInt({ min: 0n, max: 1_000n }), fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }));
const base = fc
  .record({
    address: fc.string({ unit: 'grapheme', maxLength: 50 }),
    pubKey: fc.option(fc.record({ typeUrl: fc.string(), value: fc.uint8Array() }), { nil: undefined }),
    accountNumber: uint64,
    sequence: uint64,
  })
  .map((init) => create(BaseAccountSchema, init));
const account: fc.Arbitrary<Account> = fc.oneof(
  base.map((one) => ({ kind: 'base', base: one }) as const),
  base
    .map((one) => ({ ...one, $unknown: [{ no: 9, wireType: 0, data: Uint8Array.of(1) }] }))
    .map((one) => ({
      kind: 'base' as const,
      base: one,
    })),
  base.map((one) => ({
    kind: 'module' as const,
    base: one,
    module: create(ModuleAccountSchema, { baseAccount: one, name: 'mint', permissions: ['minter'] }),
  })),
);

it('encodeAccount writes the bytes of the generated codec', () => {
  fc.assert(
    fc.property(account, (one) => {
      expect(encodeAccount(one)).toEqual(toBinary(AnySchema, packAccount(one)));
      expect(sequenceOfPlain(encodeAccount(one))).toBe(one.kind === 'base' ? one.base.sequence : undefined);
    }),
    { numRuns: 1_000 },
  );
});
