/**
 * Messages with several faults: the error names the fault that the SDK checks first (cosmos-sdk
 * v0.53.6 `keeper/msg_server.go` of bank, gov, authz and auth/vesting; feegrant v0.2.0).
 */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { setSendEnabled } from '../../../../src/core/modules/bank/balances.js';
import { requireProposal, setProposal } from '../../../../src/core/modules/gov/proposals.js';
import { GenericAuthorizationSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/authz_pb.js';
import * as authz from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { SendAuthorizationSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/authz_pb.js';
import { MsgMultiSendSchema, MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgUpdateParamsSchema as EvmParamsSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import * as feegrant from '../../../../src/core/proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import {
  MsgGrantAllowanceSchema,
  MsgRevokeAllowanceSchema,
} from '../../../../src/core/proto/cosmos/feegrant/v1beta1/tx_pb.js';
import { ProposalStatus } from '../../../../src/core/proto/cosmos/gov/v1/gov_pb.js';
import * as gov from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import * as vesting from '../../../../src/core/proto/cosmos/vesting/v1beta1/tx_pb.js';
import { achr, any, moduleText, person } from '../properties/people.js';
import { change, inSeconds, later, send, type Refused, type Step } from './stage.js';

const BLOCKED = moduleText('distribution');
const LONG = 'x'.repeat(20_000);
const OTHER = { denom: 'other', amount: '1' };
const disabled: Step = change((context) => setSendEnabled(context, 'achr', false));

const sends = (of: MessageInitShape<typeof MsgSendSchema>): Step =>
  send(MsgSendSchema, { fromAddress: person(0), toAddress: person(1), amount: [achr(1n)], ...of });
const side = (address: string, amount = 1n) => ({ address, coins: [achr(amount)] });
const sendsMany = (from: ReturnType<typeof side>, ...outputs: ReturnType<typeof side>[]): Step =>
  send(MsgMultiSendSchema, { inputs: [from], outputs });

const BANK: readonly Refused[] = [
  {
    steps: [sends({ fromAddress: 'f', toAddress: 't' })],
    refused: 'sdk 7: invalid from address: unknown address format: f: unknown address: invalid address',
  },
  {
    steps: [sends({ toAddress: 't', amount: [] })],
    refused: 'sdk 7: invalid to address: unknown address format: t: unknown address: invalid address',
  },
  { steps: [disabled, sends({ amount: [achr(0n)] })], refused: 'sdk 10: 0achr: invalid coins' },
  {
    steps: [disabled, sends({ toAddress: BLOCKED })],
    refused: 'bank 5: achr transfers are currently disabled: send transactions are disabled',
  },
  {
    steps: [sends({ toAddress: BLOCKED, amount: [OTHER] })],
    refused: 'sdk 4: chron1jv65s3grqf6v6jl3dp4t6c9t9rk99cd8n4aj2u is not allowed to receive funds: unauthorized',
  },
  {
    steps: [sendsMany(side('f', 0n), side('t'))],
    refused: 'sdk 7: invalid input address: decoding bech32 failed: invalid bech32 string length 1: invalid address',
  },
  { steps: [sendsMany(side(person(0), 0n), side('t'))], refused: 'sdk 10: 0achr: invalid coins' },
  {
    steps: [sendsMany(side(person(0)), side('t'), side(person(1), 0n))],
    refused: 'sdk 7: invalid output address: decoding bech32 failed: invalid bech32 string length 1: invalid address',
  },
  { steps: [sendsMany(side(person(0)), side(person(1), 0n), side('t'))], refused: 'sdk 10: 0achr: invalid coins' },
  {
    steps: [sendsMany(side(person(0)), side('t', 0n))],
    refused: 'sdk 7: invalid output address: decoding bech32 failed: invalid bech32 string length 1: invalid address',
  },
  { steps: [disabled, sendsMany(side(person(0)), side(person(1), 2n))], refused: 'bank 4: sum inputs != sum outputs' },
  {
    steps: [disabled, sendsMany(side(person(0)), side(BLOCKED))],
    refused: 'bank 5: achr transfers are currently disabled: send transactions are disabled',
  },
  {
    steps: [sendsMany(side(person(0), 10n ** 60n), side(BLOCKED, 10n ** 60n))],
    refused: 'sdk 4: chron1jv65s3grqf6v6jl3dp4t6c9t9rk99cd8n4aj2u is not allowed to receive funds: unauthorized',
  },
];

const proposal = { proposer: person(4), title: 't', summary: 's', metadata: 'm', initialDeposit: [achr(1000n)] };
const submits = (of: Partial<typeof proposal> & { readonly messages?: Any[] } = {}): Step =>
  send(gov.MsgSubmitProposalSchema, { ...proposal, ...of });
const votes = (of: { readonly voter?: string; readonly option?: number; readonly metadata?: string }): Step =>
  send(gov.MsgVoteSchema, { proposalId: 1n, voter: person(0), option: 1, ...of });
const weighs = (voter: string, ...options: (readonly [option: number, weight: string])[]): Step =>
  send(gov.MsgVoteWeightedSchema, {
    proposalId: 1n,
    voter,
    options: options.map(([option, weight]) => ({ option, weight })),
  });
const deposits = (depositor: string, ...amount: { denom: string; amount: string }[]): Step =>
  send(gov.MsgDepositSchema, { proposalId: 1n, depositor, amount });
const cancels = (proposer: string): Step => send(gov.MsgCancelProposalSchema, { proposalId: 1n, proposer });
const ended: Step = change((context) =>
  setProposal(context, { ...requireProposal(context, 1n), status: ProposalStatus.REJECTED }),
);
const ofOther = any(MsgSendSchema, { fromAddress: person(0), toAddress: person(1), amount: [achr(1n)] });

const GOV: readonly Refused[] = [
  {
    steps: [submits({ title: '', summary: '', proposer: 'p' })],
    refused: 'sdk 18: proposal title cannot be empty: invalid request',
  },
  {
    steps: [submits({ summary: '', proposer: 'p' })],
    refused: 'sdk 18: proposal summary cannot be empty: invalid request',
  },
  {
    steps: [submits({ proposer: 'p', metadata: '' })],
    refused: 'sdk 7: invalid proposer address: unknown address format: p: unknown address: invalid address',
  },
  {
    steps: [submits({ metadata: '', initialDeposit: [achr(0n)] })],
    refused: 'gov 11: either metadata or Msgs length must be non-nil: no messages proposed',
  },
  {
    steps: [submits({ metadata: '{"title":"o","summary":"o"}', initialDeposit: [achr(0n)] })],
    refused: "gov 5: metadata title 'o' must equal proposal title 't': invalid proposal content",
  },
  {
    steps: [submits({ metadata: LONG, initialDeposit: [{ ...OTHER, amount: '0' }] })],
    refused: 'sdk 10: 0other: invalid coins',
  },
  {
    steps: [submits({ metadata: LONG, initialDeposit: [OTHER] })],
    refused: 'gov 23: deposited 1other, but gov accepts only the following denom(s): [achr]: invalid deposit denom',
  },
  {
    steps: [submits({ metadata: LONG, summary: LONG, title: LONG })],
    refused: 'gov 15: got metadata with length 20000: metadata too long',
  },
  {
    steps: [submits({ summary: LONG, title: LONG })],
    refused: 'gov 22: got summary with length 20000: summary too long',
  },
  {
    steps: [submits({ title: LONG, messages: [ofOther] })],
    refused: 'gov 15: got metadata with length 20000: metadata too long',
  },
  {
    steps: [submits({ messages: [any(EvmParamsSchema, { authority: 'x' }), ofOther] })],
    refused:
      'gov 12: invalid authority address: decoding bech32 failed: invalid bech32 string length 1: invalid proposal message',
  },
  {
    steps: [submits({ messages: [ofOther], initialDeposit: [achr(1n)] })],
    refused: 'gov 13: (account 0): expected gov account as only signer for proposal message',
  },
  {
    steps: [submits({ proposer: person(20), initialDeposit: [achr(1n)] })],
    refused: 'gov 16: received 1achr but need at least one of the following: 10achr: minimum deposit is too small',
  },
  {
    steps: [votes({ voter: 'v', option: 9 })],
    refused: 'sdk 7: invalid voter address: unknown address format: v: unknown address: invalid address',
  },
  { steps: [votes({ option: 9 })], refused: 'gov 7: 9: invalid vote option' },
  { steps: [votes({ metadata: LONG })], refused: 'gov 3: 1: inactive proposal' },
  {
    steps: [submits(), votes({ metadata: LONG })],
    refused: 'gov 15: got metadata with length 20000: metadata too long',
  },
  {
    steps: [weighs('v')],
    refused: 'sdk 7: invalid voter address: unknown address format: v: unknown address: invalid address',
  },
  { steps: [weighs(person(0))], refused: 'sdk 18: null: invalid request' },
  {
    steps: [weighs(person(0), [1, '0.6'], [1, '0.6'], [9, '1'])],
    refused: 'gov 7: duplicated vote option: invalid vote option',
  },
  {
    steps: [weighs(person(0), [1, '0.6'], [9, '1'], [1, '0.6'])],
    refused: 'gov 7: option:9 weight:"1" : invalid vote option',
  },
  {
    steps: [weighs(person(0), [1, '0.6'], [2, '0.6'])],
    refused: 'gov 7: total weight overflow 1.00: invalid vote option',
  },
  {
    steps: [deposits('d')],
    refused: 'sdk 7: invalid depositor address: unknown address format: d: unknown address: invalid address',
  },
  { steps: [deposits(person(0), achr(0n))], refused: 'sdk 10: 0achr: invalid coins' },
  { steps: [submits(), ended, deposits(person(0), OTHER)], refused: 'gov 3: 1: inactive proposal' },
  {
    steps: [submits(), deposits(person(0), achr(1n), OTHER)],
    refused:
      'gov 23: deposited 1achr,1other, but gov accepts only the following denom(s): [achr]: invalid deposit denom',
  },
  {
    steps: [submits(), deposits(person(20), achr(1n))],
    refused: 'gov 16: received 1achr but need at least one of the following: 10achr: minimum deposit is too small',
  },
  {
    steps: [cancels('p')],
    refused: 'sdk 7: invalid proposer address: unknown address format: p: unknown address: invalid address',
  },
  { steps: [submits(), ended, cancels(person(0))], refused: 'gov 18: invalid proposer (account 0): invalid proposer' },
  {
    steps: [submits(), ended, later(60n), cancels(person(4))],
    refused: 'gov 21: proposal should be in the deposit or voting period: invalid proposal',
  },
];

const pair = { granter: person(4), grantee: person(5) };
const basic = (of: MessageInitShape<typeof feegrant.BasicAllowanceSchema>): Any =>
  any(feegrant.BasicAllowanceSchema, of);
const allows = (of: MessageInitShape<typeof MsgGrantAllowanceSchema>): Step =>
  send(MsgGrantAllowanceSchema, { ...pair, allowance: basic({}), ...of });
const before1970 = { seconds: -1n };
const periodic = (of: {
  readonly basic?: MessageInitShape<typeof feegrant.BasicAllowanceSchema>;
  readonly periodSpendLimit?: ReturnType<typeof achr>[];
  readonly periodCanSpend?: ReturnType<typeof achr>[];
}): Step =>
  allows({
    allowance: any(feegrant.PeriodicAllowanceSchema, {
      period: { seconds: -1n },
      periodSpendLimit: [achr(1n)],
      ...of,
    }),
  });

const FEEGRANT: readonly Refused[] = [
  {
    steps: [allows({ granter: 'x', grantee: 'X' })],
    refused: 'sdk 7: cannot self-grant fee authorization: invalid address',
  },
  { steps: [allows({ granter: 'x', grantee: 'y' })], refused: 'sdk 9: unknown address format: y: unknown address' },
  {
    steps: [allows({ granter: 'x', allowance: basic({ spendLimit: [achr(0n)] }) })],
    refused: 'sdk 9: unknown address format: x: unknown address',
  },
  {
    steps: [allows({}), allows({ allowance: basic({ spendLimit: [achr(0n)] }) })],
    refused: 'sdk 18: fee allowance already exists: invalid request',
  },
  {
    steps: [later(9n), allows({ allowance: basic({ spendLimit: [achr(0n)], expiration: inSeconds(1n) }) })],
    refused: 'sdk 10: send amount is invalid: 0achr: invalid coins',
  },
  {
    steps: [allows({ allowance: basic({ spendLimit: [achr(0n)], expiration: before1970 }) })],
    refused: 'sdk 10: send amount is invalid: 0achr: invalid coins',
  },
  {
    steps: [allows({ grantee: moduleText('mint'), allowance: basic({ expiration: before1970 }) })],
    refused: 'feegrant 4: expiration time cannot be negative: invalid duration',
  },
  {
    steps: [allows({ allowance: any(feegrant.AllowedMsgAllowanceSchema, {}) })],
    refused: 'feegrant 5: allowance should not be empty: no allowance',
  },
  {
    steps: [
      allows({ allowance: any(feegrant.AllowedMsgAllowanceSchema, { allowance: basic({ expiration: before1970 }) }) }),
    ],
    refused: "feegrant 6: allowed messages shouldn't be empty: allowed messages are empty",
  },
  {
    steps: [periodic({ basic: { expiration: before1970 }, periodSpendLimit: [] })],
    refused: 'feegrant 4: expiration time cannot be negative: invalid duration',
  },
  {
    steps: [periodic({ periodSpendLimit: [achr(0n)], periodCanSpend: [achr(0n)] })],
    refused: 'sdk 10: spend amount is invalid: 0achr: invalid coins',
  },
  {
    steps: [periodic({ periodSpendLimit: [], periodCanSpend: [achr(0n)] })],
    refused: 'sdk 10: spend limit must be positive: invalid coins',
  },
  {
    steps: [periodic({ periodCanSpend: [achr(0n)], basic: { spendLimit: [OTHER] } })],
    refused: 'sdk 10: can spend amount is invalid: 0achr: invalid coins',
  },
  {
    steps: [periodic({ basic: { spendLimit: [OTHER] } })],
    refused: 'sdk 10: period spend limit has different currency than basic spend limit: invalid coins',
  },
  {
    steps: [send(MsgRevokeAllowanceSchema, { granter: 'x', grantee: 'x' })],
    refused: 'sdk 7: addresses must be different: invalid address',
  },
  {
    steps: [send(MsgRevokeAllowanceSchema, { granter: 'x', grantee: 'y' })],
    refused: 'sdk 9: unknown address format: y: unknown address',
  },
];

const vests = (of: MessageInitShape<typeof vesting.MsgCreateVestingAccountSchema>): Step =>
  send(vesting.MsgCreateVestingAccountSchema, {
    fromAddress: person(4),
    toAddress: person(20),
    amount: [achr(1n)],
    endTime: 2_000_000_000n,
    ...of,
  });
const vestsInPeriods = (of: MessageInitShape<typeof vesting.MsgCreatePeriodicVestingAccountSchema>): Step =>
  send(vesting.MsgCreatePeriodicVestingAccountSchema, {
    fromAddress: person(4),
    toAddress: person(20),
    startTime: 1n,
    vestingPeriods: [{ length: 1n, amount: [achr(1n)] }],
    ...of,
  });
const overflowing = [{ length: 2n ** 63n - 1n, amount: [achr(1n)] }];

const VESTING: readonly Refused[] = [
  {
    steps: [vests({ fromAddress: 'f', toAddress: 't' })],
    refused: "sdk 7: invalid 'from' address: unknown address format: f: unknown address: invalid address",
  },
  {
    steps: [vests({ toAddress: 't', amount: [] })],
    refused: "sdk 7: invalid 'to' address: unknown address format: t: unknown address: invalid address",
  },
  { steps: [vests({ amount: [achr(0n)], endTime: 0n })], refused: 'sdk 10: 0achr: invalid coins' },
  { steps: [disabled, vests({ endTime: 0n })], refused: 'sdk 18: invalid end time: invalid request' },
  {
    steps: [disabled, vests({ toAddress: BLOCKED })],
    refused: 'bank 5: achr transfers are currently disabled: send transactions are disabled',
  },
  {
    steps: [vests({ toAddress: BLOCKED, amount: [OTHER] })],
    refused: 'sdk 4: chron1jv65s3grqf6v6jl3dp4t6c9t9rk99cd8n4aj2u is not allowed to receive funds: unauthorized',
  },
  {
    steps: [vests({ toAddress: person(0), amount: [OTHER] })],
    refused: 'sdk 18: account (account 0) already exists: invalid request',
  },
  {
    steps: [vestsInPeriods({ toAddress: 't', startTime: 0n })],
    refused: "sdk 7: invalid 'to' address: unknown address format: t: unknown address: invalid address",
  },
  {
    steps: [vestsInPeriods({ startTime: 0n, vestingPeriods: [{ length: 0n }] })],
    refused: 'sdk 18: invalid start time of 0, length must be greater than 0: invalid request',
  },
  {
    steps: [vestsInPeriods({ vestingPeriods: [{ length: 0n }] })],
    refused: 'sdk 18: invalid period length of 0 in period 0, length must be greater than 0: invalid request',
  },
  {
    steps: [vestsInPeriods({ vestingPeriods: [{ length: 1n, amount: [achr(0n)] }, { length: 0n }] })],
    refused: 'sdk 10: 0achr: invalid coins',
  },
  {
    steps: [vestsInPeriods({ toAddress: BLOCKED, vestingPeriods: overflowing })],
    refused: 'sdk 4: chron1jv65s3grqf6v6jl3dp4t6c9t9rk99cd8n4aj2u is not allowed to receive funds: unauthorized',
  },
  {
    steps: [disabled, vestsInPeriods({ toAddress: BLOCKED })],
    refused: 'sdk 4: chron1jv65s3grqf6v6jl3dp4t6c9t9rk99cd8n4aj2u is not allowed to receive funds: unauthorized',
  },
  {
    steps: [disabled, vestsInPeriods({ toAddress: person(0) })],
    refused: 'sdk 18: account (account 0) already exists: invalid request',
  },
  {
    steps: [disabled, vestsInPeriods({ vestingPeriods: overflowing })],
    refused: 'bank 5: achr transfers are currently disabled: send transactions are disabled',
  },
];

const generic = (msg: string): Any => any(GenericAuthorizationSchema, { msg });
const grants = (names: object, authorization: Any | undefined, expires = 9n): Step =>
  send(authz.MsgGrantSchema, { ...pair, ...names, grant: { authorization, expiration: inSeconds(expires) } });
const revokes = (names: object, msgTypeUrl = ''): Step =>
  send(authz.MsgRevokeSchema, { ...pair, ...names, msgTypeUrl });

const AUTHZ: readonly Refused[] = [
  {
    steps: [grants({ granter: 'x', grantee: 'X' }, undefined)],
    refused: 'authz 7: grantee and granter should be different',
  },
  {
    steps: [grants({ granter: 'x', grantee: 'y' }, undefined)],
    refused: 'sdk 7: invalid grantee address: unknown address format: y: unknown address: invalid address',
  },
  {
    steps: [grants({ granter: 'x' }, undefined)],
    refused: 'sdk 7: invalid granter address: unknown address format: x: unknown address: invalid address',
  },
  { steps: [grants({}, generic(''), -9n)], refused: 'undefined 1: msg type cannot be empty' },
  {
    steps: [grants({}, generic('/no.such.Message'), -9n)],
    refused: "sdk 29: /no.such.Message doesn't exist.: invalid type",
  },
  {
    steps: [grants({}, any(SendAuthorizationSchema, { spendLimit: [achr(0n)], allowList: ['a', 'a'] }), -9n)],
    refused: 'sdk 10: spend limit must be positive: invalid coins',
  },
  { steps: [send(authz.MsgExecSchema, { grantee: '' })], refused: 'undefined 1: empty address string is not allowed' },
  {
    steps: [send(authz.MsgExecSchema, { grantee: 'x' })],
    refused: 'sdk 7: invalid grantee address: unknown address format: x: unknown address: invalid address',
  },
  { steps: [revokes({ granter: 'x', grantee: 'X' })], refused: 'authz 7: grantee and granter should be different' },
  {
    steps: [revokes({ granter: 'x', grantee: 'y' })],
    refused: 'sdk 7: invalid grantee address: unknown address format: y: unknown address: invalid address',
  },
  {
    steps: [revokes({ granter: 'x' })],
    refused: 'sdk 7: invalid granter address: unknown address format: x: unknown address: invalid address',
  },
  { steps: [revokes({})], refused: 'sdk 18: missing msg method name: invalid request' },
];

export const FIRST_FAULTS: readonly Refused[] = [...BANK, ...GOV, ...FEEGRANT, ...VESTING, ...AUTHZ];
