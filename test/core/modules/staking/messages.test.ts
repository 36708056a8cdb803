/** Refusals of staking's messages, with codespace, code and text of the SDK; a refused message changes nothing. */
import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { anyPack, type Any } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { parseTime } from '../../../../src/core/comet/time.js';
import { stakingModule } from '../../../../src/core/modules/staking/module.js';
import { PubKeySchema as Ed25519Schema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { PubKeySchema as Secp256k1Schema } from '../../../../src/core/proto/cosmos/crypto/secp256k1/keys_pb.js';
import { PubKeySchema as EthereumSchema } from '../../../../src/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import * as pb from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { SdkError } from '../../../../src/core/sdk/module/sdk-error.js';
import { hasGolden } from '../../../support/golden.js';
import { toHex } from '../../app/support.js';
import { emptyContext, load } from './context.js';
import { encode } from '../../../support/encode.js';

const NOW = parseTime('2026-11-20T15:38:11Z') ?? 0n;
const VALIDATOR = 'cosmosvaloper10jmp6sgh4cc6zt3e8gw05wavvejgr5pw4xyrql';
const OTHER = 'cosmosvaloper1wzvhjux9rqfdcwspp37srdgwp5tac7wgwztcn4';
const UNKNOWN = encodeAddress('cosmosvaloper', new Uint8Array(20).fill(3));
const DELEGATOR = 'cosmos1jcltmuhplrdcwp7stlr4hlhlhgd4htqhnu0t2g';
const STRANGER = 'cosmos1fx944mzagwdhx0wz7k9tfztc8g3lkfk6pzezqh';
/** The Go node panics with a nil pointer when a number is left out. */
const NIL = 'undefined 111222: recovered: runtime error: invalid memory address or nil pointer dereference: panic';
const one = { denom: 'atest', amount: '1000000000000000000' };

const plainKey = (any: Any): Any => ({ ...any, typeUrl: any.typeUrl.slice(any.typeUrl.lastIndexOf('/')) });
const ed25519 = (fill: number, length = 32): Any =>
  plainKey(anyPack(Ed25519Schema, create(Ed25519Schema, { key: new Uint8Array(length).fill(fill) })));
const secp256k1Of = (length: number): Any =>
  plainKey(anyPack(Secp256k1Schema, create(Secp256k1Schema, { key: new Uint8Array(length).fill(2) })));
const secp256k1 = secp256k1Of(33);
/** The generator of the curve. */
const ethereum = plainKey(
  anyPack(
    EthereumSchema,
    create(EthereumSchema, {
      key: Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex'),
    }),
  ),
);
/** Key of the recorded validator. */
const known = plainKey(
  anyPack(
    Ed25519Schema,
    create(Ed25519Schema, { key: Buffer.from('DsS4h53SOQ7NIx2VGT8lvnHOoVOFqIPc+VE+uBPYBXw=', 'base64') }),
  ),
);

/** The recorded chain after block 40. */
function recorded(): Context {
  const context = emptyContext(41n, NOW);
  load(context, 'state-000040', ['staking', 'bank', 'acc', 'consensus']);
  return context;
}

function run<Desc extends DescMessage>(context: Context, schema: Desc, init: MessageInitShape<Desc>): string {
  const handler = stakingModule.messages.find(({ typeUrl }) => typeUrl === `/${schema.typeName}`);
  try {
    handler?.handle(context, encode(schema, init));
    return 'done';
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    return `${error.registered.codespace} ${error.registered.code}: ${error.message}`;
  }
}

const dump = ({ store }: Context): string[] =>
  Array.from(store.range('staking', {}), ({ key, value }) => `${toHex(key)} ${toHex(value)}`);

describe.skipIf(!hasGolden)('staking', () => {
  const creation = {
    description: { moniker: 'm' },
    commission: { rate: '100000000000000000', maxRate: '200000000000000000', maxChangeRate: '10000000000000000' },
    minSelfDelegation: '1',
    validatorAddress: UNKNOWN,
    pubkey: ed25519(7),
    value: one,
  };
  const rates = (change: Partial<typeof creation.commission>) => ({
    commission: { ...creation.commission, ...change },
  });

  it.each([
    [
      'an invalid operator address',
      { validatorAddress: 'x' },
      'sdk 7: invalid validator address: unknown address format: x: unknown address: invalid address',
    ],
    ['no public key', { pubkey: undefined }, 'staking 39: empty validator public key'],
    ['no coins', { value: { denom: 'atest', amount: '0' } }, 'sdk 18: invalid delegation amount: invalid request'],
    [
      'a negative amount',
      { value: { denom: 'atest', amount: '-1' } },
      'sdk 18: invalid delegation amount: invalid request',
    ],
    [
      'another coin',
      { value: { denom: 'other', amount: '5' } },
      'sdk 18: invalid coin denomination: got other, expected atest: invalid request',
    ],
    ['an empty description', { description: {} }, 'sdk 18: empty description: invalid request'],
    [
      'a long moniker',
      { description: { moniker: 'm'.repeat(71) } },
      'sdk 18: invalid moniker length; got: 71, max: 70: invalid request',
    ],
    ['no commission', { commission: undefined }, 'sdk 18: empty commission: invalid request'],
    [
      'a maximum rate above 1',
      rates({ maxRate: '1000000000000000001' }),
      'staking 10: commission cannot be more than 100%',
    ],
    ['a negative maximum rate', rates({ maxRate: '-1' }), 'staking 9: commission must be positive'],
    ['a negative rate', rates({ rate: '-1' }), 'staking 9: commission must be positive'],
    [
      'a rate above its maximum',
      rates({ rate: '200000000000000001' }),
      'staking 11: commission cannot be more than the max rate',
    ],
    [
      'a negative maximum change',
      rates({ maxChangeRate: '-1' }),
      'staking 13: commission change rate must be positive',
    ],
    [
      'a maximum change above the maximum rate',
      rates({ maxChangeRate: '200000000000000001' }),
      'staking 14: commission change rate cannot be more than the max rate',
    ],
    [
      'a rate with a point',
      rates({ rate: '0.1' }),
      'sdk 2: math/big: cannot unmarshal "0.1" into a *big.Int: tx parse error',
    ],
    ['an empty commission', { commission: {} }, 'sdk 18: empty commission: invalid request'],
    ['an empty rate', rates({ rate: '' }), NIL],
    [
      'an empty rate and a negative maximum rate',
      rates({ rate: '', maxRate: '-1' }),
      'staking 9: commission must be positive',
    ],
    ['an empty maximum change', rates({ maxChangeRate: '' }), NIL],
    [
      'an empty minimum self delegation',
      { minSelfDelegation: '' },
      'sdk 18: minimum self delegation must be a positive integer: invalid request',
    ],
    [
      'minimum self delegation 0',
      { minSelfDelegation: '0' },
      'sdk 18: minimum self delegation must be a positive integer: invalid request',
    ],
    [
      'a minimum above the self delegation',
      { minSelfDelegation: '1000000000000000001' },
      "staking 16: validator's self delegation must be greater than their minimum self delegation",
    ],
    [
      'a known operator',
      { validatorAddress: VALIDATOR },
      'staking 4: validator already exist for this operator address; must use new validator operator address',
    ],
    [
      'a known public key',
      { pubkey: known },
      'staking 5: validator already exist for this pubkey; must use new validator pubkey',
    ],
    [
      'a secp256k1 key',
      { pubkey: secp256k1 },
      'staking 6: got: secp256k1, expected: [ed25519]: validator pubkey type is not supported',
    ],
    // the Go node computes the address of the key first, which panics
    [
      'an ed25519 key of 31 bytes',
      { pubkey: ed25519(1, 31) },
      'undefined 111222: recovered: pubkey is incorrect size: panic',
    ],
    [
      'a secp256k1 key of 32 bytes',
      { pubkey: secp256k1Of(32) },
      'undefined 111222: recovered: length of pubkey is incorrect: panic',
    ],
    [
      'an Ethereum key',
      { pubkey: ethereum },
      'staking 6: got: eth_secp256k1, expected: [ed25519]: validator pubkey type is not supported',
    ],
    // the type of the key is checked last
    [
      'a secp256k1 key and another coin',
      { pubkey: secp256k1, value: { denom: 'other', amount: one.amount } },
      'sdk 18: invalid coin denomination: got other, expected atest: invalid request',
    ],
    [
      'a secp256k1 key and a long moniker',
      { pubkey: secp256k1, description: { moniker: 'm'.repeat(71) } },
      'sdk 18: invalid moniker length; got: 71, max: 70: invalid request',
    ],
  ])('refuses MsgCreateValidator with %s', (_, change, refusal) => {
    const context = recorded();
    const before = dump(context);
    expect(run(context, pb.MsgCreateValidatorSchema, { ...creation, ...change })).toBe(refusal);
    expect(dump(context)).toEqual(before);
  });

  const edit = { description: { moniker: 'm' }, validatorAddress: VALIDATOR };
  it.each([
    ['an unknown validator', { validatorAddress: UNKNOWN }, 'staking 3: validator does not exist'],
    ['an empty description', { description: {} }, 'sdk 18: empty description: invalid request'],
    [
      'minimum self delegation 0',
      { minSelfDelegation: '0' },
      'sdk 18: minimum self delegation must be a positive integer: invalid request',
    ],
    [
      'a lower minimum self delegation',
      { minSelfDelegation: '1' },
      'staking 17: minimum self delegation cannot be decrease',
    ],
    [
      'a minimum above the self delegation',
      { minSelfDelegation: '9000000000000000000000' },
      "staking 16: validator's self delegation must be greater than their minimum self delegation",
    ],
    [
      'a commission above 1',
      { commissionRate: '1000000000000000001' },
      'sdk 18: commission rate must be between 0 and 1 (inclusive): invalid request',
    ],
    [
      'a negative commission',
      { commissionRate: '-1' },
      'sdk 18: commission rate must be between 0 and 1 (inclusive): invalid request',
    ],
    [
      'a second commission in a day',
      { commissionRate: '1' },
      'staking 12: commission cannot be changed more than once in 24h',
    ],
  ])('refuses MsgEditValidator with %s', (_, change, refusal) => {
    const context = recorded();
    const before = dump(context);
    expect(run(context, pb.MsgEditValidatorSchema, { ...edit, ...change })).toBe(refusal);
    expect(dump(context)).toEqual(before);
  });

  it.each([
    [
      'MsgDelegate of an invalid delegator',
      pb.MsgDelegateSchema,
      { delegatorAddress: 'x' },
      'sdk 7: invalid delegator address: unknown address format: x: unknown address: invalid address',
    ],
    [
      'MsgDelegate without coins',
      pb.MsgDelegateSchema,
      { amount: undefined },
      'sdk 18: invalid delegation amount: invalid request',
    ],
    [
      'MsgDelegate of another coin',
      pb.MsgDelegateSchema,
      { amount: { denom: 'other', amount: '1' } },
      'sdk 18: invalid coin denomination: got other, expected atest: invalid request',
    ],
    [
      'MsgDelegate to an unknown validator',
      pb.MsgDelegateSchema,
      { validatorAddress: UNKNOWN },
      'staking 3: validator does not exist',
    ],
    [
      'MsgUndelegate of no coins',
      pb.MsgUndelegateSchema,
      { amount: { denom: 'atest', amount: '0' } },
      'sdk 18: invalid shares amount: invalid request',
    ],
    [
      'MsgUndelegate of another delegator',
      pb.MsgUndelegateSchema,
      { delegatorAddress: STRANGER },
      'staking 19: no delegation for (address, validator) tuple',
    ],
    [
      'MsgUndelegate of too many coins',
      pb.MsgUndelegateSchema,
      { amount: { denom: 'atest', amount: '9'.repeat(30) } },
      'sdk 18: invalid shares amount: invalid request',
    ],
    [
      'MsgUndelegate of an amount that overflows',
      pb.MsgUndelegateSchema,
      { amount: { denom: 'atest', amount: `1${'0'.repeat(77)}` } },
      'undefined 111222: recovered: Int overflow: panic',
    ],
    [
      'MsgCancelUnbondingDelegation at height 0',
      pb.MsgCancelUnbondingDelegationSchema,
      { creationHeight: 0n },
      'sdk 18: invalid height: invalid request',
    ],
    [
      'MsgCancelUnbondingDelegation at another height',
      pb.MsgCancelUnbondingDelegationSchema,
      { creationHeight: 3n },
      'sdk 38: unbonding delegation entry is not found at block height 3: not found',
    ],
    [
      'MsgCancelUnbondingDelegation of too many coins',
      pb.MsgCancelUnbondingDelegationSchema,
      { creationHeight: 37n, amount: { denom: 'atest', amount: '9'.repeat(30) } },
      'sdk 18: amount is greater than the unbonding delegation entry balance: invalid request',
    ],
    [
      'MsgCancelUnbondingDelegation of another delegator',
      pb.MsgCancelUnbondingDelegationSchema,
      { creationHeight: 37n, delegatorAddress: STRANGER },
      `undefined 1: rpc error: code = NotFound desc = unbonding delegation with delegator ${STRANGER} not found for validator ${VALIDATOR}`,
    ],
  ])('refuses %s', (_, schema, change, refusal) => {
    const context = recorded();
    const before = dump(context);
    const message = { delegatorAddress: DELEGATOR, validatorAddress: VALIDATOR, amount: one, ...change };
    expect(run(context, schema, message)).toBe(refusal);
    expect(dump(context)).toEqual(before);
  });

  const move = { delegatorAddress: DELEGATOR, validatorSrcAddress: VALIDATOR, validatorDstAddress: OTHER, amount: one };
  it.each([
    ['the same validator', { validatorDstAddress: VALIDATOR }, 'staking 29: cannot redelegate to the same validator'],
    [
      'an unknown destination',
      { validatorDstAddress: UNKNOWN },
      'staking 31: redelegation destination validator not found',
    ],
    ['an unknown source', { validatorSrcAddress: UNKNOWN }, 'staking 3: validator does not exist'],
    [
      'a redelegation in progress',
      { validatorSrcAddress: OTHER, validatorDstAddress: VALIDATOR },
      'staking 32: redelegation to this validator already in progress; first redelegation to this validator must complete before next redelegation',
    ],
  ])('refuses MsgBeginRedelegate with %s', (_, change, refusal) => {
    expect(run(recorded(), pb.MsgBeginRedelegateSchema, { ...move, ...change })).toBe(refusal);
  });

  it('refuses more redelegation entries than the parameters allow', () => {
    const context = recorded();
    const message = { ...move, amount: { denom: 'atest', amount: '1000' } };
    const answers = Array.from({ length: 7 }, () => run(context, pb.MsgBeginRedelegateSchema, message));
    expect(answers.slice(0, 6)).toEqual(Array(6).fill('done'));
    expect(answers[6]).toBe(
      'staking 33: too many redelegation entries for (delegator, src-validator, dst-validator) tuple',
    );
  });

  it('refuses parameters of a stranger, and invalid ones', () => {
    const authority = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn';
    const params = { unbondingTime: { seconds: 1n }, maxValidators: 1, maxEntries: 1, bondDenom: 'atest' };
    const update = (change: object, by = authority): string =>
      run(recorded(), pb.MsgUpdateParamsSchema, { authority: by, params: { ...params, ...change } });
    expect(update({}, DELEGATOR)).toBe(
      `gov 13: invalid authority; expected ${authority}, got ${DELEGATOR}: expected gov account as only signer for proposal message`,
    );
    expect(update({ unbondingTime: { seconds: -1n } })).toBe(
      'undefined 1: unbonding time must be positive: -1000000000',
    );
    expect(update({ maxEntries: 0 })).toBe('undefined 1: max entries must be positive: 0');
    expect(update({ minCommissionRate: '-5' })).toContain(
      'minimum commission rate cannot be negative: -0.000000000000000005',
    );
    expect(update({ minCommissionRate: '1000000000000000001' })).toContain('cannot be greater than 100%');
    expect(update({})).toBe('done');
  });
});
