/** Refused messages of staking, slashing and distribution. */
import { setParams as setDistribution } from '../../../../src/core/modules/distribution/params.js';
import { setCommission } from '../../../../src/core/modules/distribution/records.js';
import { startingInfoKey } from '../../../../src/core/modules/distribution/keys.js';
import { getSigningInfo, setSigningInfo } from '../../../../src/core/modules/slashing/signing-info.js';
import { jailValidator } from '../../../../src/core/modules/staking/jail.js';
import { getParams, setParams } from '../../../../src/core/modules/staking/params.js';
import { consensusAddressOf } from '../../../../src/core/modules/staking/validator.js';
import { replaceValidator, requireValidator } from '../../../../src/core/modules/staking/validators.js';
import { sendFromModule } from '../../../../src/core/modules/bank/module-accounts.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { coin } from '../../../../src/core/sdk/coins/coins.js';
import { unbond } from '../../../../src/core/modules/staking/delegate.js';
import * as distribution from '../../../../src/core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { PubKeySchema as Secp256k1Schema } from '../../../../src/core/proto/cosmos/crypto/secp256k1/keys_pb.js';
import { MsgUnjailSchema } from '../../../../src/core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import * as pb from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { achr, any, bytesOf, consensusKey, moduleText, operator, person } from '../properties/people.js';
import { change, delegate, later, send, type Refused, type Step } from './stage.js';

const DEC = 10n ** 18n;
const DAY = 86_400n;
const percent = (part: bigint): string => (part * 10n ** 16n).toString();

const creation = {
  description: { moniker: 'm' },
  commission: { rate: percent(10n), maxRate: percent(50n), maxChangeRate: percent(10n) },
  minSelfDelegation: '1',
  validatorAddress: operator(4),
  pubkey: any(PubKeySchema, { key: consensusKey(9) }),
  value: achr(DEC),
};
const creates = (of: Partial<typeof creation>): Step => send(pb.MsgCreateValidatorSchema, { ...creation, ...of });
const rates = (rate: bigint, maxRate: bigint, maxChangeRate: bigint): Step =>
  creates({
    commission: { rate: percent(rate), maxRate: percent(maxRate), maxChangeRate: percent(maxChangeRate) },
  });
const edits = (of: { readonly commissionRate?: string; readonly minSelfDelegation?: string }): Step =>
  send(pb.MsgEditValidatorSchema, {
    description: { moniker: '[do-not-modify]' },
    validatorAddress: operator(0),
    commissionRate: '',
    minSelfDelegation: '',
    ...of,
  });
const at = (to: number) => ({ delegatorAddress: person(4), validatorAddress: operator(to) });
const undelegate = (from: number, amount: bigint): Step =>
  send(pb.MsgUndelegateSchema, { ...at(from), amount: achr(amount) });
const redelegate = (from: number, to: number, amount = 5n): Step =>
  send(pb.MsgBeginRedelegateSchema, {
    delegatorAddress: person(4),
    validatorSrcAddress: operator(from),
    validatorDstAddress: operator(to),
    amount: achr(amount),
  });
const cancel = (of: number, amount: bigint, creationHeight: bigint): Step =>
  send(pb.MsgCancelUnbondingDelegationSchema, { ...at(of), amount: achr(amount), creationHeight });
/** Changes the validator of account `of`. */
const changed = (of: number, parts: Partial<ReturnType<typeof requireValidator>>): Step =>
  change((context) => {
    const before = requireValidator(context, bytesOf(person(of)));
    replaceValidator(context, before, { ...before, ...parts });
  });
const jailed = (of: number): Step =>
  change((context) => jailValidator(context, requireValidator(context, bytesOf(person(of)))));
const minimumRate: Step = change((context) =>
  setParams(context, { ...getParams(context), minCommissionRate: 20n * 10n ** 16n }),
);
const unjail = (of: number): Step => send(MsgUnjailSchema, { validatorAddr: operator(of) });

/** Bech32 address of the precompile with this number. */
const contractText = (number: number): string => {
  const address = new Uint8Array(20);
  new DataView(address.buffer).setUint16(18, number);
  return encodeAddress('chron', address);
};

export const STAKING: readonly Refused[] = [
  { steps: [delegate(5)], refused: 'staking 3: validator does not exist' },
  {
    steps: [creates({ validatorAddress: operator(0) })],
    refused: 'staking 4: validator already exist for this operator address; must use new validator operator address',
  },
  {
    steps: [creates({ pubkey: any(PubKeySchema, { key: consensusKey(0) }) })],
    refused: 'staking 5: validator already exist for this pubkey; must use new validator pubkey',
  },
  {
    steps: [creates({ pubkey: any(Secp256k1Schema, { key: new Uint8Array(33).fill(2) }) })],
    refused: 'staking 6: got: secp256k1, expected: [ed25519]: validator pubkey type is not supported',
  },
  {
    steps: [creates({ pubkey: any(PubKeySchema, { key: new Uint8Array(31) }) })],
    refused: 'staking 48: consensus pubkey len is invalid',
  },
  {
    steps: [send(pb.MsgCreateValidatorSchema, { ...creation, pubkey: undefined })],
    refused: 'staking 39: empty validator public key',
  },
  { steps: [rates(10n, -1n, 1n)], refused: 'staking 9: commission must be positive' },
  { steps: [rates(10n, 101n, 1n)], refused: 'staking 10: commission cannot be more than 100%' },
  { steps: [rates(10n, 9n, 1n)], refused: 'staking 11: commission cannot be more than the max rate' },
  { steps: [rates(10n, 50n, -1n)], refused: 'staking 13: commission change rate must be positive' },
  { steps: [rates(10n, 50n, 51n)], refused: 'staking 14: commission change rate cannot be more than the max rate' },
  {
    steps: [minimumRate, rates(10n, 50n, 5n)],
    refused:
      'staking 40: cannot set validator commission to less than minimum rate of 0.200000000000000000: ' +
      'commission cannot be less than min rate',
  },
  {
    steps: [creates({ minSelfDelegation: (2n * DEC).toString() })],
    refused: "staking 16: validator's self delegation must be greater than their minimum self delegation",
  },
  {
    steps: [creates({ value: achr(2n ** 256n) })],
    refused: 'sdk 2: integer out of range; got: 257, max: 256: tx parse error',
  },
  {
    steps: [creates({ value: achr(2n ** 255n) })],
    refused:
      'sdk 5: failed to delegate; 10000000000000000000000achr is smaller than ' +
      '57896044618658097711785492504343953926634992332820282019728792003956564819968achr: insufficient funds',
  },
  {
    steps: [edits({ commissionRate: percent(11n) })],
    refused: 'staking 12: commission cannot be changed more than once in 24h',
  },
  {
    steps: [later(DAY), edits({ commissionRate: percent(51n) })],
    refused: 'staking 11: commission cannot be more than the max rate',
  },
  {
    steps: [later(DAY), edits({ commissionRate: percent(21n) })],
    refused: 'staking 15: commission cannot be changed more than max change rate',
  },
  { steps: [edits({ minSelfDelegation: '1' })], refused: 'staking 17: minimum self delegation cannot be decrease' },
  {
    steps: [edits({ minSelfDelegation: (10n ** 24n).toString() })],
    refused: "staking 16: validator's self delegation must be greater than their minimum self delegation",
  },
  { steps: [undelegate(0, 5n)], refused: 'staking 19: no delegation for (address, validator) tuple' },
  { steps: [delegate(0), undelegate(0, 2n * DEC)], refused: 'sdk 18: invalid shares amount: invalid request' },
  {
    steps: [delegate(1), ...[1, 2, 3].flatMap(() => [undelegate(1, 1n), later(1n)]), undelegate(1, 1n)],
    refused: 'staking 27: too many unbonding delegation entries for (delegator, validator) tuple',
  },
  {
    steps: [changed(0, { tokens: 0n }), delegate(0)],
    refused: 'staking 34: cannot delegate to validators with invalid (zero) ex-rate',
  },
  {
    steps: [delegate(0), changed(0, { tokens: 0n }), undelegate(0, 1n)],
    refused: 'staking 22: insufficient delegation shares',
  },
  {
    steps: [change((context) => unbond(context, bytesOf(person(5)), bytesOf(person(0)), 1n))],
    refused: 'staking 21: delegator does not contain delegation',
  },
  {
    steps: [delegate(0), change((context) => unbond(context, bytesOf(person(4)), bytesOf(person(0)), 10n ** 40n))],
    refused: 'staking 24: 1000000000000000000.000000000000000000: not enough delegation shares',
  },
  { steps: [delegate(0), redelegate(0, 0)], refused: 'staking 29: cannot redelegate to the same validator' },
  { steps: [delegate(0), redelegate(0, 5)], refused: 'staking 31: redelegation destination validator not found' },
  {
    steps: [delegate(1), redelegate(1, 2), redelegate(2, 3)],
    refused:
      'staking 32: redelegation to this validator already in progress; first redelegation to this ' +
      'validator must complete before next redelegation',
  },
  {
    steps: [delegate(1), ...[1, 2, 3].map(() => redelegate(1, 2)), redelegate(1, 2)],
    refused: 'staking 33: too many redelegation entries for (delegator, src-validator, dst-validator) tuple',
  },
  {
    steps: [delegate(0, 2n), changed(0, { tokens: 3n * 10n ** 20n + 100n }), redelegate(0, 1, 1n)],
    refused: 'staking 30: too few tokens to redelegate (truncates to zero tokens)',
  },
  {
    steps: [delegate(0), undelegate(0, 5n), jailed(0), cancel(0, 5n, 1n)],
    refused: 'staking 7: validator for this address is currently jailed',
  },
  {
    steps: [cancel(0, 5n, 1n)],
    refused:
      'undefined 1: rpc error: code = NotFound desc = unbonding delegation with delegator (account 4) ' +
      'not found for validator (validator 0)',
  },
  {
    steps: [delegate(0), undelegate(0, 5n), cancel(0, 5n, 9n)],
    refused: 'sdk 38: unbonding delegation entry is not found at block height 9: not found',
  },
  {
    steps: [delegate(0), undelegate(0, 5n), cancel(0, 6n, 1n)],
    refused: 'sdk 18: amount is greater than the unbonding delegation entry balance: invalid request',
  },
  {
    steps: [delegate(0), undelegate(0, 5n), later(13n), cancel(0, 5n, 1n)],
    refused: 'sdk 18: unbonding delegation is already processed: invalid request',
  },
  { steps: [delegate(0, 2n ** 256n)], refused: 'sdk 2: integer out of range; got: 257, max: 256: tx parse error' },
  { steps: [delegate(0, -1n)], refused: 'sdk 18: invalid delegation amount: invalid request' },
  { steps: [unjail(0)], refused: 'slashing 5: validator not jailed; cannot be unjailed' },
  {
    steps: [jailed(0), changed(0, { minSelfDelegation: 10n ** 24n }), unjail(0)],
    refused:
      "slashing 7: 300000000000000000000 less than 1000000000000000000000000: validator's self " +
      'delegation less than minimum; cannot be unjailed',
  },
  {
    steps: [
      jailed(1),
      change((context) => {
        const consensus = consensusAddressOf(context.crypto, requireValidator(context, bytesOf(person(1))));
        const info = getSigningInfo(context, consensus);
        if (info !== undefined) setSigningInfo(context, { ...info, tombstoned: true });
      }),
      unjail(1),
    ],
    refused: 'slashing 4: validator still jailed; cannot be unjailed',
  },
  {
    steps: [send(distribution.MsgWithdrawDelegatorRewardSchema, at(0))],
    refused: 'staking 19: no delegation for (address, validator) tuple',
  },
  {
    steps: [
      delegate(0),
      change((context) =>
        context.store.delete('distribution', startingInfoKey(bytesOf(person(0)), bytesOf(person(4)))),
      ),
      undelegate(0, 5n),
    ],
    refused: 'distribution 5: no delegation distribution info',
  },
  {
    steps: [
      change((context) => setCommission(context, bytesOf(person(0)), [])),
      send(distribution.MsgWithdrawValidatorCommissionSchema, { validatorAddress: operator(0) }),
    ],
    refused: 'distribution 7: no validator commission to withdraw',
  },
  {
    steps: [
      change((context) => setDistribution(context, { communityTax: 0n, withdrawAddrEnabled: false })),
      send(distribution.MsgSetWithdrawAddressSchema, { delegatorAddress: person(0), withdrawAddress: person(1) }),
    ],
    refused: 'distribution 8: set withdraw address disabled',
  },
  // Module accounts and precompiles (of the chain and of Ethereum) may not receive coins.
  ...[moduleText('mint'), contractText(0x800), contractText(1)].flatMap((address): readonly Refused[] => [
    {
      steps: [
        send(distribution.MsgSetWithdrawAddressSchema, { delegatorAddress: person(0), withdrawAddress: address }),
      ],
      refused: `sdk 4: ${address} is not allowed to receive external funds: unauthorized`,
    },
    {
      steps: [
        send(distribution.MsgFundCommunityPoolSchema, { depositor: person(0), amount: [achr(5n)] }),
        send(distribution.MsgCommunityPoolSpendSchema, {
          authority: moduleText('gov'),
          recipient: address,
          amount: [achr(1n)],
        }),
      ],
      refused: `sdk 4: ${address} is not allowed to receive external funds: unauthorized`,
    },
    {
      steps: [change((context) => sendFromModule(context, 'distribution', bytesOf(address), [coin('achr', 1n)]))],
      refused: `sdk 4: ${address} is not allowed to receive funds: unauthorized`,
    },
  ]),
  {
    steps: [
      send(distribution.MsgCommunityPoolSpendSchema, {
        authority: moduleText('gov'),
        recipient: person(1),
        amount: [achr(10n ** 60n)],
      }),
    ],
    refused: 'distribution 9: community pool does not have sufficient coins to distribute',
  },
];
