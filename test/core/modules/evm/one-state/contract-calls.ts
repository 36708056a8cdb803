/** The calls of precompiles that do what a message does (cosmos/evm v0.6 `precompiles`). */
import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { encodeFunctionData, parseAbi, stringToHex, type Hex } from 'viem';
import { base64 } from '@scure/base';
import { anyJson } from '../../../../../src/adapters/rest/json/proto-json.js';
import { MsgSendSchema } from '../../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import type { Coin } from '../../../../../src/core/proto/cosmos/base/v1beta1/coin_pb.js';
import { PubKeySchema } from '../../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import * as distribution from '../../../../../src/core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import * as gov from '../../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { MsgUnjailSchema } from '../../../../../src/core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import * as staking from '../../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { decodeBech32 } from '../../../../../src/core/sdk/codec/address.js';
import { toHex } from '../../../app/support.js';

export const STAKING: Hex = '0x0000000000000000000000000000000000000800';
export const DISTRIBUTION: Hex = '0x0000000000000000000000000000000000000801';
export const GOV: Hex = '0x0000000000000000000000000000000000000805';
export const SLASHING: Hex = '0x0000000000000000000000000000000000000806';
/** ERC-20 tokens of the coins, by denom. */
export const TOKENS: ReadonlyMap<string, Hex> = new Map([
  ['achr', '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'],
  ['ucoin', '0x80b5a32e4f032b2a058b4f29ec95eefeeb87adcd'],
]);

export const ABI = parseAbi([
  'struct Coin { string denom; uint256 amount; }',
  'struct Description { string moniker; string identity; string website; string securityContact; string details; }',
  'struct Rates { uint256 rate; uint256 maxRate; uint256 maxChangeRate; }',
  'struct Option { uint8 option; string weight; }',
  'function delegate(address delegator, string validator, uint256 amount) returns (bool)',
  'function undelegate(address delegator, string validator, uint256 amount) returns (int64)',
  'function redelegate(address delegator, string from, string to, uint256 amount) returns (int64)',
  'function cancelUnbondingDelegation(address delegator, string validator, uint256 amount, uint256 height) returns (bool)',
  'function createValidator(Description description, Rates rates, uint256 least, address validator, string key, uint256 value) returns (bool)',
  'function editValidator(Description description, address validator, int256 rate, int256 least) returns (bool)',
  'function setWithdrawAddress(address delegator, string withdrawer) returns (bool)',
  'function withdrawDelegatorRewards(address delegator, string validator) returns (Coin[] amount)',
  'function withdrawValidatorCommission(string validator) returns (Coin[] amount)',
  'function fundCommunityPool(address depositor, Coin[] amount) returns (bool)',
  'function depositValidatorRewardsPool(address depositor, string validator, Coin[] amount) returns (bool)',
  'function vote(address voter, uint64 proposal, uint8 option, string metadata) returns (bool)',
  'function voteWeighted(address voter, uint64 proposal, Option[] options, string metadata) returns (bool)',
  'function deposit(address depositor, uint64 proposal, Coin[] amount) returns (bool)',
  'function cancelProposal(address proposer, uint64 proposal) returns (bool)',
  'function submitProposal(address proposer, bytes json, Coin[] amount) returns (uint64)',
  'function unjail(address validator) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
]);

type Texts = Partial<Record<'moniker' | 'identity' | 'website' | 'securityContact' | 'details', string>>;

/** A contract and the data that it is called with. */
export interface ContractCall {
  readonly to: Hex;
  readonly data: Hex;
}

const readers = new Map<string, (value: Uint8Array) => ContractCall>();

function registerCall<Desc extends DescMessage>(
  schema: Desc,
  to: Hex | ((message: MessageShape<Desc>) => Hex),
  data: (message: MessageShape<Desc>) => Hex,
): void {
  readers.set(`/${schema.typeName}`, (value) => {
    const message = fromBinary(schema, value);
    return { to: typeof to === 'string' ? to : to(message), data: data(message) };
  });
}

/** The precompile call that does what a message does; undefined if there is none, or the amount is negative. */
export function callOf({ typeUrl, value }: Any): ContractCall | undefined {
  try {
    return readers.get(typeUrl)?.(value);
  } catch (error) {
    // a negative amount
    if (error instanceof Error && error.name === 'IntegerOutOfRangeError') return undefined;
    throw error;
  }
}

const account = (name: string): Hex => `0x${toHex(decodeBech32(name)?.bytes ?? new Uint8Array(20))}`;
const coins = (list: readonly Coin[]) => list.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }));
const amountOf = (coin: Coin | undefined): bigint => BigInt(coin?.amount ?? '0');
const described = ({ moniker = '', identity = '', website = '', securityContact = '', details = '' }: Texts = {}) => ({
  moniker,
  identity,
  website,
  securityContact,
  details,
});

registerCall(staking.MsgDelegateSchema, STAKING, ({ delegatorAddress, validatorAddress, amount }) =>
  encodeFunctionData({
    abi: ABI,
    functionName: 'delegate',
    args: [account(delegatorAddress), validatorAddress, amountOf(amount)],
  }),
);
registerCall(staking.MsgUndelegateSchema, STAKING, ({ delegatorAddress, validatorAddress, amount }) =>
  encodeFunctionData({
    abi: ABI,
    functionName: 'undelegate',
    args: [account(delegatorAddress), validatorAddress, amountOf(amount)],
  }),
);
registerCall(
  staking.MsgBeginRedelegateSchema,
  STAKING,
  ({ delegatorAddress, validatorSrcAddress, validatorDstAddress, amount }) =>
    encodeFunctionData({
      abi: ABI,
      functionName: 'redelegate',
      args: [account(delegatorAddress), validatorSrcAddress, validatorDstAddress, amountOf(amount)],
    }),
);
registerCall(
  staking.MsgCancelUnbondingDelegationSchema,
  STAKING,
  ({ delegatorAddress, validatorAddress, amount, creationHeight }) =>
    encodeFunctionData({
      abi: ABI,
      functionName: 'cancelUnbondingDelegation',
      args: [account(delegatorAddress), validatorAddress, amountOf(amount), creationHeight],
    }),
);
registerCall(staking.MsgCreateValidatorSchema, STAKING, (message) =>
  encodeFunctionData({
    abi: ABI,
    functionName: 'createValidator',
    args: [
      described(message.description),
      {
        rate: BigInt(message.commission?.rate ?? 0),
        maxRate: BigInt(message.commission?.maxRate ?? 0),
        maxChangeRate: BigInt(message.commission?.maxChangeRate ?? 0),
      },
      BigInt(message.minSelfDelegation),
      account(message.validatorAddress),
      base64.encode(fromBinary(PubKeySchema, message.pubkey?.value ?? new Uint8Array()).key),
      amountOf(message.value),
    ],
  }),
);
registerCall(
  staking.MsgEditValidatorSchema,
  STAKING,
  ({ description, validatorAddress, commissionRate, minSelfDelegation }) =>
    encodeFunctionData({
      abi: ABI,
      functionName: 'editValidator',
      args: [
        described(description),
        account(validatorAddress),
        commissionRate === '' ? -1n : BigInt(commissionRate),
        minSelfDelegation === '' ? -1n : BigInt(minSelfDelegation),
      ],
    }),
);
registerCall(distribution.MsgSetWithdrawAddressSchema, DISTRIBUTION, ({ delegatorAddress, withdrawAddress }) =>
  encodeFunctionData({
    abi: ABI,
    functionName: 'setWithdrawAddress',
    args: [account(delegatorAddress), withdrawAddress],
  }),
);
registerCall(distribution.MsgWithdrawDelegatorRewardSchema, DISTRIBUTION, ({ delegatorAddress, validatorAddress }) =>
  encodeFunctionData({
    abi: ABI,
    functionName: 'withdrawDelegatorRewards',
    args: [account(delegatorAddress), validatorAddress],
  }),
);
registerCall(distribution.MsgWithdrawValidatorCommissionSchema, DISTRIBUTION, ({ validatorAddress }) =>
  encodeFunctionData({ abi: ABI, functionName: 'withdrawValidatorCommission', args: [validatorAddress] }),
);
registerCall(distribution.MsgFundCommunityPoolSchema, DISTRIBUTION, ({ depositor, amount }) =>
  encodeFunctionData({ abi: ABI, functionName: 'fundCommunityPool', args: [account(depositor), coins(amount)] }),
);
registerCall(
  distribution.MsgDepositValidatorRewardsPoolSchema,
  DISTRIBUTION,
  ({ depositor, validatorAddress, amount }) =>
    encodeFunctionData({
      abi: ABI,
      functionName: 'depositValidatorRewardsPool',
      args: [account(depositor), validatorAddress, coins(amount)],
    }),
);
registerCall(gov.MsgVoteSchema, GOV, ({ voter, proposalId, option, metadata }) =>
  encodeFunctionData({ abi: ABI, functionName: 'vote', args: [account(voter), proposalId, option, metadata] }),
);
registerCall(gov.MsgVoteWeightedSchema, GOV, ({ voter, proposalId, options, metadata }) =>
  encodeFunctionData({
    abi: ABI,
    functionName: 'voteWeighted',
    args: [account(voter), proposalId, options.map(({ option, weight }) => ({ option, weight })), metadata],
  }),
);
registerCall(gov.MsgDepositSchema, GOV, ({ depositor, proposalId, amount }) =>
  encodeFunctionData({ abi: ABI, functionName: 'deposit', args: [account(depositor), proposalId, coins(amount)] }),
);
registerCall(gov.MsgCancelProposalSchema, GOV, ({ proposer, proposalId }) =>
  encodeFunctionData({ abi: ABI, functionName: 'cancelProposal', args: [account(proposer), proposalId] }),
);
registerCall(gov.MsgSubmitProposalSchema, GOV, ({ proposer, messages, initialDeposit, ...words }) => {
  const { title, summary, metadata, expedited } = words;
  const json = {
    messages: messages.map(({ typeUrl, value }) => anyJson(typeUrl, value)),
    title,
    summary,
    metadata,
    expedited,
  };
  return encodeFunctionData({
    abi: ABI,
    functionName: 'submitProposal',
    args: [account(proposer), stringToHex(JSON.stringify(json)), coins(initialDeposit)],
  });
});
registerCall(MsgUnjailSchema, SLASHING, ({ validatorAddr }) =>
  encodeFunctionData({ abi: ABI, functionName: 'unjail', args: [account(validatorAddr)] }),
);
registerCall(
  MsgSendSchema,
  ({ amount }) => TOKENS.get(amount[0]?.denom ?? '') ?? '0x',
  ({ toAddress, amount }) =>
    encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [account(toAddress), amountOf(amount[0])] }),
);
