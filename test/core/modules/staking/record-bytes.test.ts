/** Records of staking have the bytes that a Go node writes, and are read as they were written. */
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
import { fromHex, toHex } from '../../app/support.js';
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

describe('staking', () => {
  it('decodes a validator that it encoded', () => {
    fc.assert(
      fc.property(validator, (one) => {
        expect(decodeValidator(context, encodeValidator(context, one))).toEqual(one);
      }),
      { numRuns: 60 },
    );
  });

  it('decodes a delegation that it encoded', () => {
    fc.assert(
      fc.property(address, address, amount, (delegator, operator, shares) => {
        const delegation = { delegator, operator, shares };
        expect(decodeDelegation(context, encodeDelegation(context, delegation))).toEqual(delegation);
      }),
    );
  });
});

/** A validator at height 180 of the recorded chain: jailed, slashed, and unbonding with two unbonding ids. */
const VALIDATOR =
  '0a34636f736d6f7376616c6f70657231777a76686a757839727166646377737070333773726467777035746163377767777a' +
  '74636e3412430a1d2f636f736d6f732e63727970746f2e656432353531392e5075624b657912220a207d2184d18d18da76e3' +
  '2ccc0aa7328c28836e5b4fbb095edaa1a5a36a5027978e180120022a14313333313030303030303030303030303030303032' +
  '2631343130313031303130313031303130313031303130313031303130313031303130313031303a470a0b76616c322d6564' +
  '69746564120269641a1468747470733a2f2f76616c322e6578616d706c6522107365634076616c322e6578616d706c652a0c' +
  '6e65766572206f6e6c696e6540b4014a0b08d6d381d80610e0c9c04d524b0a3b0a1231303030303030303030303030303030' +
  '303012123230303030303030303030303030303030301a113130303030303030303030303030303030120c08d4d281d80610' +
  'afaf85e0025a01316a020407';

/** The self-delegation of the genesis validator. */
const DELEGATION =
  '0a2d636f736d6f7331306a6d7036736768346363367a743365386777303577617676656a6772357077736a736b7676' +
  '1234636f736d6f7376616c6f70657231306a6d7036736768346363367a743365386777303577617676656a677235707734787972716c' +
  '1a2831303030303030303030303030303030303030303030303030303030303030303030303030303030';

describe('staking', () => {
  it('decodes a recorded validator, and encodes it to the same bytes', () => {
    const one = decodeValidator(context, fromHex(VALIDATOR));
    expect(one).toMatchObject({
      operator: fromHex('70997970c51812dc3a010c7d01b50e0d17dc79c8'),
      consensusKey: { typeUrl: '/cosmos.crypto.ed25519.PubKey' },
      jailed: true,
      status: BondStatus.UNBONDING,
      tokens: 13_310_000_000_000_000_000n,
      shares: 14_101_010_101_010_101_010_101_010_101_010_101_010n,
      description: {
        moniker: 'val2-edited',
        identity: 'id',
        website: 'https://val2.example',
        securityContact: 'sec@val2.example',
        details: 'never online',
      },
      unbondingHeight: 180n,
      unbondingTime: 1_795_189_206_162_538_720n,
      commission: {
        rate: 100_000_000_000_000_000n,
        maxRate: 200_000_000_000_000_000n,
        maxChangeRate: 10_000_000_000_000_000n,
        updateTime: 1_795_189_076_738_285_487n,
      },
      minSelfDelegation: 1n,
      onHold: 0n,
      unbondingIds: [4n, 7n],
    });
    expect(toHex(encodeValidator(context, one))).toBe(VALIDATOR);
  });

  it('decodes a recorded delegation, and encodes it to the same bytes', () => {
    const one = decodeDelegation(context, fromHex(DELEGATION));
    expect(one).toEqual({
      delegator: fromHex('7cb61d4117ae31a12e393a1cfa3bac666481d02e'),
      operator: fromHex('7cb61d4117ae31a12e393a1cfa3bac666481d02e'),
      shares: 10n ** 39n,
    });
    expect(toHex(encodeDelegation(context, one))).toBe(DELEGATION);
  });
});
