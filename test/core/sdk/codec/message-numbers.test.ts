/** Numbers in messages: in forms that Go reads, in forms that it refuses, and absent numbers. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { exportGenesis } from '../../../../src/core/genesis/export-genesis.js';
import { chronicle, evmd } from '../../../../src/core/app/presets.js';
import { getBalance } from '../../../../src/core/modules/bank/balances.js';
import { MsgExecSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { MsgMultiSendSchema, MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import {
  MsgDepositValidatorRewardsPoolSchema,
  MsgFundCommunityPoolSchema,
} from '../../../../src/core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import { MsgConvertCoinSchema, MsgConvertERC20Schema } from '../../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import {
  BasicAllowanceSchema,
  PeriodicAllowanceSchema,
} from '../../../../src/core/proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import { MsgGrantAllowanceSchema } from '../../../../src/core/proto/cosmos/feegrant/v1beta1/tx_pb.js';
import { SendAuthorizationSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/authz_pb.js';
import { MsgGrantSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { MsgDepositSchema, MsgSubmitProposalSchema } from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { MsgUpdateParamsSchema as SlashingParamsSchema } from '../../../../src/core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import { StakeAuthorizationSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/authz_pb.js';
import { MsgDelegateSchema, MsgEditValidatorSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { MsgCreateVestingAccountSchema } from '../../../../src/core/proto/cosmos/vesting/v1beta1/tx_pb.js';
import { decodeTx } from '../../../../src/core/sdk/codec/decode-tx.js';
import { messageTypesOf } from '../../../../src/core/sdk/module/version-types.js';
import { canonicalNumber, numberOf } from '../../../../src/core/sdk/codec/message-numbers.js';
import { utf8 } from '../../../../src/core/bytes/bytes.js';
import { PropertyChain } from '../../app/properties/chain.js';
import { crypto } from '../../app/support.js';
import { any, bytesOf, moduleText, operator, person } from '../../app/properties/people.js';
import { refusalOf, SETTINGS, tx } from '../../app/refusals/transactions.js';

const HUGE = (1n << 256n).toString();
const achr = (amount: string) => ({ denom: 'achr', amount });
const sends = (amount: string, from = person(0)): Any =>
  any(MsgSendSchema, { fromAddress: from, toAddress: person(1), amount: [achr(amount)] });
const refused = (messages: Any[], version = chronicle): string => refusalOf(tx({ body: { messages } }), version);

describe('canonicalNumber', () => {
  it.each([
    ['', ''],
    ['0', '0'],
    ['-0', '0'],
    ['+5', '5'],
    ['-17', '-17'],
    ['1_000', '1000'],
    ['010', '8'],
    ['0_10', '8'],
    ['0o17', '15'],
    ['-0x1F', '-31'],
    ['0X_ff', '255'],
    ['0b101', '5'],
    [`00${'0'.repeat(5000)}7`, '7'],
    [(2n ** 256n - 1n).toString(), (2n ** 256n - 1n).toString()],
    [`0x${'f'.repeat(64)}`, (2n ** 256n - 1n).toString()],
  ])('reads %s as %s', (given, canonical) => {
    expect(canonicalNumber('integer', given)).toBe(canonical);
  });

  it.each(['x', '1e3', '1.5', ' 1', '1 ', '08', '0x', '0xg', '1__0', '1_', '_1', '0_', '--1', '+', '١'])(
    'refuses %s',
    (given) => {
      expect(() => canonicalNumber('integer', given)).toThrow(/^math\/big: cannot unmarshal ".*" into a \*big\.Int$/);
    },
  );

  it('refuses numbers out of range', () => {
    expect(() => canonicalNumber('integer', HUGE)).toThrow('integer out of range; got: 257, max: 256');
    expect(() => canonicalNumber('integer', `-${HUGE}`)).toThrow('integer out of range; got: 257, max: 256');
    expect(() => canonicalNumber('integer', '9'.repeat(100_000))).toThrow('integer out of range');
    const most = 2n ** 256n * 10n ** 18n - 1n;
    expect(canonicalNumber('decimal', `${most}`)).toBe(`${most}`);
    expect(() => canonicalNumber('decimal', `${most + 1n}`)).toThrow('decimal out of range');
  });
});

describe('a transaction is not decoded', () => {
  const DEPTH = 3;
  const nested = (inner: Any, depth: number): Any =>
    depth === 0 ? inner : any(MsgExecSchema, { grantee: person(0), msgs: [nested(inner, depth - 1)] });
  it.each([
    ['an amount', [sends('ten')]],
    ['an amount that is too large', [sends(HUGE)]],
    ['the amount of a message in others', [nested(sends('1e3'), DEPTH)]],
    [
      'the amount of a message of a proposal',
      [
        any(MsgSubmitProposalSchema, {
          proposer: person(0),
          title: 't',
          summary: 's',
          messages: [sends('1,5', moduleText('gov'))],
        }),
      ],
    ],
    [
      'the limit of an allowance',
      [
        any(MsgGrantAllowanceSchema, {
          granter: person(0),
          grantee: person(1),
          allowance: any(BasicAllowanceSchema, { spendLimit: [achr('many')] }),
        }),
      ],
    ],
    [
      'a decimal',
      [any(MsgEditValidatorSchema, { validatorAddress: operator(0), commissionRate: '0.5', minSelfDelegation: '' })],
    ],
    [
      'a decimal in bytes',
      [any(SlashingParamsSchema, { authority: person(0), params: { minSignedPerWindow: utf8('half') } })],
    ],
  ])('with an invalid number: %s', (_, messages) => {
    expect(refused(messages)).toMatch(/^sdk 2: .*: tx parse error: tx parse error$/);
  });

  it('with an invalid fee, and the error says why', () => {
    const bytes = tx({ fee: { amount: [achr('0xy')] } });
    expect(refusalOf(bytes)).toMatch(/^sdk 2: /);
    expect(() => decodeTx(bytes)).toThrow(
      'math/big: cannot unmarshal "0xy" into a *big.Int: tx parse error: tx parse error',
    );
  });
});

describe('a transaction with numbers in other forms', () => {
  it.each([
    ['0x10', 16n],
    ['010', 8n],
    ['+5', 5n],
    ['1_000', 1000n],
  ])('sends %s as %s, which its events show', (given, amount) => {
    const chain = new PropertyChain(chronicle, SETTINGS);
    chain.block(chain.facts(1n, 0, []), []);
    const balance = () => getBalance(chain.context(), bytesOf(person(1)), 'achr');
    const before = balance();
    const messages = [sends(given), any(MsgExecSchema, { grantee: person(0), msgs: [sends(given)] })];
    const fee = { amount: [achr(`0x${(600_000n * 10n ** 9n).toString(16)}`)] };
    const { results } = chain.block(chain.facts(1n, 0, []), [tx({ body: { messages }, fee })]);
    expect(results.map(({ code, log }) => [code, log])).toEqual([[0, '']]);
    expect(balance() - before).toBe(2n * amount);
    const received = results[0]?.events.filter(({ type }) => type === 'coin_received') ?? [];
    expect(received.map(({ attributes }) => attributes[1]?.value).slice(-2)).toEqual([
      `${amount}achr`,
      `${amount}achr`,
    ]);
  });

  it('is stored in the form that Go writes', () => {
    const chain = new PropertyChain(chronicle, SETTINGS);
    chain.block(chain.facts(1n, 0, []), []);
    const allowance = any(BasicAllowanceSchema, { spendLimit: [achr('0x10')] });
    const grant = any(MsgGrantAllowanceSchema, { granter: person(0), grantee: person(1), allowance });
    const proposed = any(MsgSubmitProposalSchema, {
      proposer: person(0),
      title: 't',
      summary: 's',
      initialDeposit: [achr('0x3e8')],
      messages: [sends('0x11', moduleText('gov'))],
    });
    const { results } = chain.block(chain.facts(1n, 0, []), [tx({ body: { messages: [grant, proposed] } })]);
    expect(results[0]?.log).toBe('');
    const { feegrant, gov } = exportGenesis(chain.state, { ...chain.exporting(), crypto });
    expect(JSON.stringify(feegrant)).toContain('"spend_limit":[{"denom":"achr","amount":"16"}]');
    expect(JSON.stringify(gov)).toContain('"amount":[{"denom":"achr","amount":"17"}]');
    expect(JSON.stringify(gov)).not.toContain('0x');
  });
});

describe('a coin without an amount', () => {
  const NONE = achr('');
  const pair = { granter: person(0), grantee: person(1) };
  const hex = `0x${'11'.repeat(20)}`;
  const grants = (authorization: Any): Any => any(MsgGrantSchema, { ...pair, grant: { authorization } });
  const allows = (allowance: Any): Any => any(MsgGrantAllowanceSchema, { ...pair, allowance });
  const from = { from: person(0), fromAddress: person(0), toAddress: person(20) };
  const proposal: MessageInitShape<typeof MsgSubmitProposalSchema> = {
    proposer: person(0),
    title: 't',
    summary: 's',
    metadata: 'm',
  };
  it.each([
    ['MsgSend', any(MsgSendSchema, { ...from, amount: [NONE] }), 'sdk 10: 0achr: invalid coins'],
    [
      'MsgMultiSend',
      any(MsgMultiSendSchema, {
        inputs: [{ address: person(0), coins: [NONE] }],
        outputs: [{ address: person(1), coins: [NONE] }],
      }),
      'sdk 10: 0achr: invalid coins',
    ],
    [
      'MsgFundCommunityPool',
      any(MsgFundCommunityPoolSchema, { depositor: person(0), amount: [NONE] }),
      'sdk 10: 0achr: invalid coins',
    ],
    [
      'MsgDepositValidatorRewardsPool',
      any(MsgDepositValidatorRewardsPoolSchema, {
        depositor: person(0),
        validatorAddress: operator(0),
        amount: [NONE],
      }),
      'sdk 10: 0achr: invalid coins',
    ],
    [
      'MsgSubmitProposal',
      any(MsgSubmitProposalSchema, { ...proposal, initialDeposit: [NONE] }),
      'sdk 10: 0achr: invalid coins',
    ],
    [
      'MsgDeposit',
      any(MsgDepositSchema, { depositor: person(0), proposalId: 1n, amount: [NONE] }),
      'sdk 10: 0achr: invalid coins',
    ],
    [
      'MsgCreateVestingAccount',
      any(MsgCreateVestingAccountSchema, { ...from, endTime: 2_000_000_000n, amount: [NONE] }),
      'sdk 10: 0achr: invalid coins',
    ],
    [
      'BasicAllowance',
      allows(any(BasicAllowanceSchema, { spendLimit: [NONE] })),
      'sdk 10: send amount is invalid: 0achr: invalid coins',
    ],
    [
      'PeriodicAllowance',
      allows(any(PeriodicAllowanceSchema, { periodSpendLimit: [NONE] })),
      'sdk 10: spend amount is invalid: 0achr: invalid coins',
    ],
    [
      'SendAuthorization',
      grants(any(SendAuthorizationSchema, { spendLimit: [NONE] })),
      'sdk 10: spend limit must be positive: invalid coins',
    ],
  ])('is refused in %s as a coin of zero, as in evmd', (_, of, refusal) => {
    const [codespace, code, ...text] = refusal.split(/(?<=^\S+) |: (?=.)/s);
    const told = `${codespace} ${code}: failed to execute message; message index: 0: ${text.join(': ')}`;
    expect([refused([of], evmd), refused([of])]).toEqual([told, told]);
  });

  it('does not limit a StakeAuthorization', () => {
    const authorization = any(StakeAuthorizationSchema, {
      authorizationType: 1,
      maxTokens: NONE,
      validators: { case: 'allowList', value: { address: [operator(0)] } },
    });
    expect(refused([grants(authorization)], evmd)).toBe(' 0: ');
  });

  it.each([
    ['MsgConvertERC20', any(MsgConvertERC20Schema, { contractAddress: hex, sender: hex, receiver: person(0) })],
    ['MsgConvertCoin', any(MsgConvertCoinSchema, { coin: NONE, receiver: hex, sender: person(0) })],
  ])('is refused in %s before the fee is taken', (_, of) => {
    const told = 'sdk 10: cannot mint a non-positive amount: invalid coins';
    expect([refused([of], evmd), refused([of])]).toEqual([told, told]);
  });

  it('is refused in MsgDelegate and in the fee', () => {
    const delegates = any(MsgDelegateSchema, {
      delegatorAddress: person(0),
      validatorAddress: operator(0),
      amount: NONE,
    });
    expect(refused([delegates], evmd)).toMatch(/^sdk 18: .*invalid delegation amount: invalid request$/);
    expect(refusalOf(tx({ fee: { amount: [NONE] } }), evmd)).toBe(
      'sdk 13: invalid fee provided: null: insufficient fee',
    );
  });

  it('is reported with the first error of its list', () => {
    const sendsCoins = (amount: { denom: string; amount: string }[]) => any(MsgSendSchema, { ...from, amount });
    const first = { denom: '1', amount: '' };
    expect(refused([sendsCoins([first, NONE])], evmd)).toMatch(/^sdk 10: .*: 01,0achr: invalid coins$/);
    expect(refused([sendsCoins([achr('1'), { denom: 'aaa', amount: '' }])], evmd)).toMatch(/^sdk 10: /);
    expect(refused([sendsCoins([achr('1'), { denom: 'bbb', amount: '' }])], evmd)).toMatch(/^sdk 10: /);
  });
});

it('no message type has numbers in lists, maps or oneofs, which are not walked through', () => {
  const registry = messageTypesOf(chronicle);
  const numbered = [...registry].flatMap((type) => (type.kind === 'message' ? type.fields : [])).filter(numberOf);
  expect(numbered.length).toBeGreaterThan(10);
  expect(numbered.filter(({ fieldKind, oneof }) => fieldKind !== 'scalar' || oneof !== undefined)).toEqual([]);
});
