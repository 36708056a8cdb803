/** Refused messages of authz and feegrant. */
import type { Any } from '@bufbuild/protobuf/wkt';
import { queueKey } from '../../../../src/core/modules/authz/keys.js';
import { useAllowance } from '../../../../src/core/modules/feegrant/grants.js';
import { GenericAuthorizationSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/authz_pb.js';
import * as authz from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { SendAuthorizationSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/authz_pb.js';
import { MsgMultiSendSchema, MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgConvertERC20Schema } from '../../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import * as feegrant from '../../../../src/core/proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import {
  MsgGrantAllowanceSchema,
  MsgRevokeAllowanceSchema,
} from '../../../../src/core/proto/cosmos/feegrant/v1beta1/tx_pb.js';
import { StakeAuthorizationSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/authz_pb.js';
import { MsgDelegateSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { fromTimestamp } from '../../../../src/core/comet/time.js';
import { coin } from '../../../../src/core/sdk/coins/coins.js';
import { achr, any, bytesOf, operator, person } from '../properties/people.js';
import { change, inSeconds, later, send, type Refused, type Step } from './stage.js';

const SEND = '/cosmos.bank.v1beta1.MsgSend';
const pair = { granter: person(4), grantee: person(5) };
const sends = (amount: bigint): Any =>
  any(MsgSendSchema, { fromAddress: person(4), toAddress: person(0), amount: [achr(amount)] });
const generic = any(GenericAuthorizationSchema, { msg: SEND });
const limited = any(SendAuthorizationSchema, { spendLimit: [achr(5n)] });
const stake = (authorizationType: number, amount = 5n): Any =>
  any(StakeAuthorizationSchema, {
    authorizationType,
    maxTokens: achr(amount),
    validators: { case: 'allowList', value: { address: [operator(0)] } },
  });
const grants = (authorization: Any | undefined, seconds?: bigint): Step =>
  send(authz.MsgGrantSchema, {
    ...pair,
    grant: { authorization, ...(seconds !== undefined && { expiration: inSeconds(seconds) }) },
  });
const executes = (...msgs: Any[]): Step => send(authz.MsgExecSchema, { grantee: pair.grantee, msgs });
const delegates = (to: number, amount: bigint): Any =>
  any(MsgDelegateSchema, { delegatorAddress: pair.granter, validatorAddress: operator(to), amount: achr(amount) });

/** A message that fails validation without reading the state. */
const converts = any(MsgConvertERC20Schema, { contractAddress: '0x12', sender: `0x${'11'.repeat(20)}` });

export const AUTHZ: readonly Refused[] = [
  // Every inner message is validated before the grant of the first one is looked up.
  {
    steps: [executes(sends(5n), converts)],
    refused: "sdk 7: msg 1: invalid contract hex address '0x12': invalid address",
  },
  { steps: [grants(undefined)], refused: 'sdk 29: authorization is nil: invalid type' },
  {
    steps: [grants(any(MsgSendSchema, {}))],
    refused:
      'sdk 2: no concrete type registered for type URL /cosmos.bank.v1beta1.MsgSend against interface ' +
      '*authz.Authorization: tx parse error',
  },
  { steps: [grants(any(GenericAuthorizationSchema, { msg: '' }))], refused: 'undefined 1: msg type cannot be empty' },
  {
    steps: [grants(any(GenericAuthorizationSchema, { msg: '/no.such.Message' }))],
    refused: "sdk 29: /no.such.Message doesn't exist.: invalid type",
  },
  {
    steps: [grants(generic, 0n)],
    refused:
      'authz 3: expiration must be after the current block time (2023-11-14T22:13:21Z), got ' +
      '2023-11-14T22:13:21Z: expiration time of authorization should be more than current time',
  },
  {
    steps: [send(authz.MsgGrantSchema, { ...pair, grantee: pair.granter, grant: { authorization: generic } })],
    refused: 'authz 7: grantee and granter should be different',
  },
  {
    steps: [send(authz.MsgGrantSchema, { ...pair, granter: 'x', grant: { authorization: generic } })],
    refused: 'sdk 7: invalid granter address: unknown address format: x: unknown address: invalid address',
  },
  {
    steps: [grants(any(SendAuthorizationSchema, { spendLimit: [] }))],
    refused: 'sdk 10: spend limit cannot be nil: invalid coins',
  },
  {
    steps: [grants(any(SendAuthorizationSchema, { spendLimit: [{ denom: 'achr', amount: '-1' }] }))],
    refused: 'sdk 10: spend limit must be positive: invalid coins',
  },
  {
    steps: [grants(any(SendAuthorizationSchema, { spendLimit: [achr(1n)], allowList: [person(0), person(0)] }))],
    refused: 'bank 8: duplicate entry',
  },
  { steps: [grants(stake(0))], refused: 'authz 4: unknown authorization type' },
  { steps: [grants(stake(1, -1n))], refused: 'authz 12: negative coin amount: -1achr: max tokens should be positive' },
  {
    steps: [executes(sends(1n))],
    refused:
      'authz 2: failed to get grant with given granter: (account 4), grantee: (account 5) & msgType: ' +
      '/cosmos.bank.v1beta1.MsgSend : authorization not found',
  },
  { steps: [executes()], refused: 'sdk 18: messages cannot be empty: invalid request' },
  {
    steps: [
      executes(any(MsgMultiSendSchema, { inputs: [0, 1].map((of) => ({ address: person(of), coins: [achr(1n)] })) })),
    ],
    refused: 'authz 9: authorization can be given to msg with only one signer',
  },
  { steps: [grants(generic, 5n), later(6n), executes(sends(1n))], refused: 'authz 6: authorization expired' },
  {
    steps: [grants(generic), executes(sends(0n))],
    refused:
      'sdk 10: failed to execute message; message from_address:"(account 4)" to_address:"(account 0)" ' +
      'amount:<denom:"achr" amount:"0" > : 0achr: invalid coins',
  },
  {
    steps: [grants(limited), executes(sends(6n))],
    refused: 'sdk 5: requested amount is more than spend limit: insufficient funds',
  },
  {
    steps: [grants(limited), executes({ ...sends(1n), typeUrl: '/no.such.Message' })],
    refused: 'sdk 2: unable to resolve type URL /no.such.Message: tx parse error: tx parse error',
  },
  {
    steps: [grants(stake(1)), executes(delegates(1, 1n))],
    refused: 'sdk 4: cannot delegate/undelegate to (validator 1) validator: unauthorized',
  },
  { steps: [grants(stake(1)), executes(delegates(0, 6n))], refused: 'undefined 1: negative coin amount: -1achr' },
  {
    steps: [send(authz.MsgRevokeSchema, { ...pair, msgTypeUrl: SEND })],
    refused:
      'authz 2: failed to delete grant with given granter: (account 4), grantee: (account 5) & ' +
      'msgType: /cosmos.bank.v1beta1.MsgSend : authorization not found',
  },
  {
    steps: [send(authz.MsgRevokeSchema, { ...pair, msgTypeUrl: '' })],
    refused: 'sdk 18: missing msg method name: invalid request',
  },
  {
    steps: [
      grants(generic, 5n),
      change(({ store }) =>
        store.delete(
          'authz',
          queueKey(fromTimestamp(inSeconds(5n)), { granter: bytesOf(pair.granter), grantee: bytesOf(pair.grantee) }),
        ),
      ),
      send(authz.MsgRevokeSchema, { ...pair, msgTypeUrl: SEND }),
    ],
    refused: "authz 5: can't remove grant from the expire queue, grant key not found: grant key not found",
  },
];

const basic = (limit: bigint, expiration?: bigint): Any =>
  any(feegrant.BasicAllowanceSchema, {
    spendLimit: limit === 0n ? [] : [achr(limit)],
    ...(expiration !== undefined && { expiration: inSeconds(expiration) }),
  });
const periodic = (of: { readonly total?: bigint; readonly each?: bigint; readonly period?: bigint }): Any =>
  any(feegrant.PeriodicAllowanceSchema, {
    basic: { spendLimit: of.total === undefined ? [] : [achr(of.total)] },
    period: { seconds: of.period ?? 10n },
    periodSpendLimit: [achr(of.each ?? 5n)],
    periodCanSpend: [achr(of.each ?? 5n)],
  });
const allows = (allowance: Any | undefined): Step => send(MsgGrantAllowanceSchema, { ...pair, allowance });
const spends = (amount: bigint, messages = [SEND]): Step =>
  change((context) =>
    useAllowance(
      context,
      { granter: bytesOf(pair.granter), grantee: bytesOf(pair.grantee) },
      [coin('achr', amount)],
      messages,
    ),
  );

export const FEEGRANT: readonly Refused[] = [
  { steps: [allows(undefined)], refused: 'feegrant 5: failed to get allowance: no allowance' },
  {
    steps: [allows(any(MsgSendSchema, {}))],
    refused:
      'sdk 2: no concrete type registered for type URL /cosmos.bank.v1beta1.MsgSend against interface ' +
      '*feegrant.FeeAllowanceI: tx parse error',
  },
  { steps: [allows(basic(-1n))], refused: 'sdk 10: send amount is invalid: -1achr: invalid coins' },
  {
    steps: [allows(basic(5n, -10_000_000_000n))],
    refused: 'feegrant 4: expiration time cannot be negative: invalid duration',
  },
  {
    steps: [later(9n), allows(basic(5n, 3n))],
    refused: 'sdk 18: expiration is before current block time: invalid request',
  },
  { steps: [allows(basic(5n)), allows(basic(5n))], refused: 'sdk 18: fee allowance already exists: invalid request' },
  {
    steps: [send(MsgGrantAllowanceSchema, { ...pair, grantee: pair.granter, allowance: basic(5n) })],
    refused: 'sdk 7: cannot self-grant fee authorization: invalid address',
  },
  {
    steps: [send(MsgGrantAllowanceSchema, { ...pair, grantee: 'x', allowance: basic(5n) })],
    refused: 'sdk 9: unknown address format: x: unknown address',
  },
  { steps: [allows(periodic({ period: -1n }))], refused: 'feegrant 4: negative clock step: invalid duration' },
  { steps: [allows(periodic({ each: -1n }))], refused: 'sdk 10: spend amount is invalid: -1achr: invalid coins' },
  {
    steps: [allows(any(feegrant.AllowedMsgAllowanceSchema, { allowance: basic(5n) }))],
    refused: "feegrant 6: allowed messages shouldn't be empty: allowed messages are empty",
  },
  {
    steps: [allows(any(feegrant.AllowedMsgAllowanceSchema, { allowedMessages: [SEND] }))],
    refused: 'feegrant 5: allowance should not be empty: no allowance',
  },
  { steps: [send(MsgRevokeAllowanceSchema, pair)], refused: 'sdk 38: fee-grant not found: not found' },
  {
    steps: [send(MsgRevokeAllowanceSchema, { ...pair, grantee: pair.granter })],
    refused: 'sdk 7: addresses must be different: invalid address',
  },
  { steps: [spends(1n)], refused: 'sdk 38: fee-grant not found: not found' },
  { steps: [allows(basic(5n)), spends(6n)], refused: 'feegrant 2: basic allowance: fee limit exceeded' },
  {
    steps: [allows(basic(5n, 3n)), later(4n), spends(1n)],
    refused: 'feegrant 3: basic allowance: fee allowance expired',
  },
  { steps: [allows(periodic({})), spends(6n)], refused: 'feegrant 2: period limit: fee limit exceeded' },
  { steps: [allows(periodic({ total: 4n })), spends(5n)], refused: 'feegrant 2: period limit: fee limit exceeded' },
  {
    steps: [
      allows(any(feegrant.AllowedMsgAllowanceSchema, { allowance: basic(5n), allowedMessages: [SEND] })),
      spends(1n, ['/cosmos.bank.v1beta1.MsgMultiSend']),
    ],
    refused: 'feegrant 7: message does not exist in allowed messages: message not allowed',
  },
];
