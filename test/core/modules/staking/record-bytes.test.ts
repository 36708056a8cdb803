/** Records of staking are read as they were written. */
import { create } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeDelegation, encodeDelegation } from '../../../../src/core/modules/staking/delegations.js';
import {
  BondStatus,
  decodeValidator,
  encodeValidator,
  type Validator,
} from '../../../../src/core/modules/staking/validator.js';
import { toTimeNs } from '../../../../src/core/primitives.js';
import { DescriptionSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/staking_pb.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { emptyContext } from './context.js';
import { encode } from '../../../support/encode.js';

const context = emptyContext();
const address = fc.uint8Array({ minLength: 20, maxLength: 20 });
const amount = fc.bigInt({ min: 0n, max: 1n << 200n });
const text = fc.string({ unit: 'grapheme', maxLength: 200 });
const time = fc.bigInt({ min: -62_135_596_800_000_000_000n, max: 1n << 62n }).map(toTimeNs);
const unknown = [{ no: 9, wireType: 0, data: Uint8Array.of(1) }];

const validator: fc.Arbitrary<Validator> = fc.record({
  operator: address,
  consensusKey: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((key) =>
    create(AnySchema, {
      typeUrl: '/cosmos.crypto.ed25519.PubKey',
      value: encode(PubKeySchema, { key }),
    }),
  ),
  jailed: fc.boolean(),
  status: fc.constantFrom(BondStatus.BONDED, BondStatus.UNBONDED, BondStatus.UNBONDING, BondStatus.UNSPECIFIED),
  tokens: amount,
  shares: amount,
  description: fc
    .record({ moniker: text, identity: text, website: text, securityContact: text, details: text })
    .chain((fields) =>
      fc.constantFrom(
        create(DescriptionSchema, fields),
        { ...create(DescriptionSchema, fields), $unknown: unknown },
        create(DescriptionSchema),
      ),
    ),
  unbondingHeight: fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }),
  unbondingTime: time,
  commission: fc.record({ rate: amount, maxRate: amount, maxChangeRate: amount, updateTime: time }),
  minSelfDelegation: amount,
  onHold: fc.bigInt({ min: 0n, max: 3n }),
  unbondingIds: fc.array(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), { maxLength: 2 }),
});

describe('staking reads what it wrote', () => {
  it('a validator', () => {
    fc.assert(
      fc.property(validator, (one) => {
        expect(decodeValidator(context, encodeValidator(context, one))).toEqual(one);
      }),
      { numRuns: 60 },
    );
  });

  it('a delegation', () => {
    fc.assert(
      fc.property(address, address, amount, (delegator, operator, shares) => {
        const delegation = { delegator, operator, shares };
        expect(decodeDelegation(context, encodeDelegation(context, delegation))).toEqual(delegation);
      }),
    );
  });
});
