/** Refused messages of bank and vesting, and refusals that any message can get. */
import { setSendEnabled } from '../../../../src/core/modules/bank/balances.js';
import {
  MsgMultiSendSchema,
  MsgSendSchema,
  MsgSetSendEnabledSchema,
} from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgUpdateParamsSchema } from '../../../../src/core/proto/cosmos/consensus/v1/tx_pb.js';
import * as vesting from '../../../../src/core/proto/cosmos/vesting/v1beta1/tx_pb.js';
import { achr, moduleText, person } from '../properties/people.js';
import { change, send, sendBytes, type Refused, type Step } from './stage.js';

const sends = (of: {
  readonly to?: string;
  readonly from?: string;
  readonly amount?: { denom: string; amount: string }[];
}): Step =>
  send(MsgSendSchema, {
    fromAddress: of.from ?? person(0),
    toAddress: of.to ?? person(1),
    amount: of.amount ?? [achr(1n)],
  });
const side = (index: number, amount = 1n) => ({ address: person(index), coins: [achr(amount)] });
const OVERFLOW = (2n ** 256n).toString();

export const BANK: readonly Refused[] = [
  {
    steps: [sends({ from: 'x' })],
    refused: 'sdk 7: invalid from address: unknown address format: x: unknown address: invalid address',
  },
  {
    steps: [sends({ to: 'x' })],
    refused: 'sdk 7: invalid to address: unknown address format: x: unknown address: invalid address',
  },
  {
    steps: [sends({ to: 'cosmos1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnrujsuw' })],
    refused:
      'sdk 7: invalid to address: unknown address format: ' +
      'cosmos1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnrujsuw: unknown address: invalid address',
  },
  { steps: [sends({ amount: [] })], refused: 'sdk 10: : invalid coins' },
  { steps: [sends({ amount: [achr(0n)] })], refused: 'sdk 10: 0achr: invalid coins' },
  { steps: [sends({ amount: [achr(-1n)] })], refused: 'sdk 10: -1achr: invalid coins' },
  {
    steps: [sends({ amount: [{ denom: 'achr', amount: '01x' }] })],
    refused: 'sdk 2: math/big: cannot unmarshal "01x" into a *big.Int: tx parse error',
  },
  {
    steps: [sends({ amount: [{ denom: 'achr', amount: OVERFLOW }] })],
    refused: 'sdk 2: integer out of range; got: 257, max: 256: tx parse error',
  },
  { steps: [sends({ amount: [{ denom: '1', amount: '1' }] })], refused: 'sdk 10: 11: invalid coins' },
  { steps: [sends({ amount: [achr(1n), achr(1n)] })], refused: 'sdk 10: 1achr,1achr: invalid coins' },
  {
    steps: [sends({ amount: [achr(10n ** 60n)] })],
    refused:
      'sdk 5: spendable balance 9699994000000000000000achr is smaller than ' +
      '1000000000000000000000000000000000000000000000000000000000000achr: insufficient funds',
  },
  {
    steps: [sends({ amount: [{ denom: 'other', amount: '1' }] })],
    refused: 'sdk 5: spendable balance 0other is smaller than 1other: insufficient funds',
  },
  {
    steps: [sends({ to: moduleText('distribution') })],
    refused: 'sdk 4: chron1jv65s3grqf6v6jl3dp4t6c9t9rk99cd8n4aj2u is not allowed to receive funds: unauthorized',
  },
  {
    steps: [change((context) => setSendEnabled(context, 'achr', false)), sends({})],
    refused: 'bank 5: achr transfers are currently disabled: send transactions are disabled',
  },
  { steps: [send(MsgMultiSendSchema, {})], refused: 'bank 2: no inputs to send transaction' },
  {
    steps: [send(MsgMultiSendSchema, { inputs: [side(0), side(1)], outputs: [side(2)] })],
    refused: 'bank 9: multiple senders not allowed',
  },
  { steps: [send(MsgMultiSendSchema, { inputs: [side(0)] })], refused: 'bank 3: no outputs to send transaction' },
  {
    steps: [send(MsgMultiSendSchema, { inputs: [side(0)], outputs: [side(1, 2n)] })],
    refused: 'bank 4: sum inputs != sum outputs',
  },
  {
    steps: [send(MsgMultiSendSchema, { inputs: [side(0)], outputs: [side(1, 0n)] })],
    refused: 'sdk 10: 0achr: invalid coins',
  },
  {
    steps: [
      send(MsgSetSendEnabledSchema, {
        authority: moduleText('gov'),
        sendEnabled: [0, 1].map(() => ({ denom: 'achr', enabled: true })),
      }),
    ],
    refused: 'sdk 18: duplicate denom entries found for "achr": invalid request',
  },
  {
    steps: [send(MsgSetSendEnabledSchema, { authority: person(0) })],
    refused:
      'gov 13: invalid authority; expected (gov), got (account 0): expected gov account as only ' +
      'signer for proposal message',
  },
  {
    steps: [sendBytes('/no.such.Message', new Uint8Array(0))],
    refused: 'sdk 2: unable to resolve type URL /no.such.Message: tx parse error: tx parse error',
  },
  {
    steps: [sendBytes('/cosmos.bank.v1beta1.MsgSend', Uint8Array.of(10, 5, 1))],
    refused: 'sdk 2: cannot decode cosmos.bank.v1beta1.MsgSend: tx parse error',
  },
  {
    steps: [send(MsgUpdateParamsSchema, { authority: moduleText('gov') })],
    refused: 'undefined 1: all parameters must be present',
  },
];

const periodic = (periods: { readonly length: bigint; readonly amount: { denom: string; amount: string }[] }[]): Step =>
  send(vesting.MsgCreatePeriodicVestingAccountSchema, {
    fromAddress: person(4),
    toAddress: person(20),
    startTime: 1n,
    vestingPeriods: periods,
  });
const vests = (of: { readonly to?: string; readonly end?: bigint; readonly amount?: bigint }): Step =>
  send(vesting.MsgCreateVestingAccountSchema, {
    fromAddress: person(4),
    toAddress: of.to ?? person(20),
    amount: [achr(of.amount ?? 5n)],
    endTime: of.end ?? 2_000_000_000n,
  });

export const VESTING: readonly Refused[] = [
  { steps: [vests({ to: person(0) })], refused: 'sdk 18: account (account 0) already exists: invalid request' },
  {
    steps: [vests({ to: 'x' })],
    refused: "sdk 7: invalid 'to' address: unknown address format: x: unknown address: invalid address",
  },
  { steps: [vests({ end: 0n })], refused: 'sdk 18: invalid end time: invalid request' },
  { steps: [vests({ amount: 0n })], refused: 'sdk 10: 0achr: invalid coins' },
  {
    steps: [vests({ amount: 10n ** 60n })],
    refused:
      'sdk 5: spendable balance 10000000000000000000000achr is smaller than ' +
      '1000000000000000000000000000000000000000000000000000000000000achr: insufficient funds',
  },
  {
    steps: [vests({ to: moduleText('mint') })],
    refused: 'sdk 4: chron1m3h30wlvsf8llruxtpukdvsy0km2kum8um7kyr is not allowed to receive funds: unauthorized',
  },
  { steps: [periodic([])], refused: 'sdk 18: vesting start-time cannot be before end-time: invalid request' },
  {
    steps: [periodic([{ length: 0n, amount: [achr(1n)] }])],
    refused: 'sdk 18: invalid period length of 0 in period 0, length must be greater than 0: invalid request',
  },
  { steps: [periodic([{ length: 1n, amount: [achr(-1n)] }])], refused: 'sdk 10: -1achr: invalid coins' },
  {
    steps: [
      send(vesting.MsgCreatePermanentLockedAccountSchema, {
        fromAddress: person(4),
        toAddress: person(20),
        amount: [],
      }),
    ],
    refused: 'sdk 10: : invalid coins',
  },
];
