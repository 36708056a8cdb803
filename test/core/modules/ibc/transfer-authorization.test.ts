/** TransferAuthorization of authz; codes, texts and gas are those that evmd v0.6.0 answered. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { chronicle, evmd } from '../../../../src/core/app/presets.js';
import { MAX_UINT256 } from '../../../../src/core/bigint.js';
import { transferAuthorization } from '../../../../src/core/modules/authz/transfer-authorization.js';
import { MsgGrantSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { TxBodySchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import {
  type Allocation,
  AllocationSchema,
  TransferAuthorizationSchema,
} from '../../../../src/core/proto/ibc/applications/transfer/v1/authz_pb.js';
import { MsgTransferSchema } from '../../../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import { GasMeter } from '../../../../src/core/sdk/module/gas.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import { SdkError } from '../../../../src/core/sdk/module/sdk-error.js';
import { checkFields } from '../../../../src/core/sdk/codec/unknown-fields.js';
import { anyOf } from '../../../support/sign-tx.js';
import { account, contextOf, DevChain } from '../../app/dev-chain.js';
import { encode } from '../../../support/encode.js';

/** Some fields of a transfer. */
type Change = Exclude<MessageInitShape<typeof MsgTransferSchema>, { readonly $typeName: string }>;
type Fields = Partial<Omit<Allocation, '$typeName' | 'spendLimit'>> & {
  readonly spendLimit?: readonly (readonly [denom: string, amount: string])[];
};

const allocation = ({ spendLimit = [['atest', '100']], ...fields }: Fields = {}): Allocation =>
  create(AllocationSchema, {
    sourcePort: 'transfer',
    sourceChannel: 'channel-0',
    ...fields,
    spendLimit: spendLimit.map(([denom, amount]) => ({ denom, amount })),
  });
const of = (...allocations: Allocation[]) =>
  transferAuthorization(create(TransferAuthorizationSchema, { allocations }));

const CONTEXT = contextOf(new DevChain());

/** `codespace code: log` of an error; empty when nothing is thrown. */
function refusal(run: () => unknown): string {
  try {
    run();
    return '';
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    return `${error.registered.codespace} ${error.registered.code}: ${error.message}`;
  }
}

const SYMBOLS = "'.', '_', '+', '-', '#', '[', ']', '<', '>'";
const COINS = 'ibc 6: invalid spend limit: ';

it.each<readonly [string, readonly Allocation[]]>([
  ['', [allocation()]],
  ['', [allocation({ allowedPacketData: ['a', 'a'] })]],
  ['', [allocation(), allocation({ sourceChannel: 'channel-1' })]],
  ['transfer 10: allocations cannot be empty: invalid transfer authorization', []],
  [
    'channel 4: duplicate source channel ID: channel-0: invalid channel',
    [allocation(), allocation({ sourcePort: 'other', spendLimit: [] })],
  ],
  ['ibc 6: spend limit cannot be nil: invalid coins', [allocation({ spendLimit: [] })]],
  [`${COINS}coin 0atest amount is not positive: invalid coins`, [allocation({ spendLimit: [['atest', '0']] })]],
  [`${COINS}coin -5atest amount is not positive: invalid coins`, [allocation({ spendLimit: [['atest', '-5']] })]],
  [`${COINS}invalid denom: !: invalid coins`, [allocation({ spendLimit: [['!', '5']] })]],
  [
    `${COINS}denomination a11 is not sorted: invalid coins`,
    [
      allocation({
        spendLimit: [
          ['b11', '5'],
          ['a11', '5'],
        ],
      }),
    ],
  ],
  [
    `${COINS}duplicate denomination aaa: invalid coins`,
    [
      allocation({
        spendLimit: [
          ['aaa', '5'],
          ['aaa', '5'],
        ],
      }),
    ],
  ],
  [
    `${COINS}coin bbb amount is not positive: invalid coins`,
    [
      allocation({
        spendLimit: [
          ['aaa', '5'],
          ['bbb', '0'],
        ],
      }),
    ],
  ],
  [
    'host 2: invalid source port ID: identifier x has invalid length: 1, must be between 2-128 characters: invalid identifier',
    [allocation({ sourcePort: 'x' })],
  ],
  [
    `host 2: invalid source channel ID: identifier channel-! must contain only alphanumeric or the following characters: ${SYMBOLS}: invalid identifier`,
    [allocation({ sourceChannel: 'channel-!' })],
  ],
  [
    'transfer 10: duplicate entry in allow list a: invalid transfer authorization',
    [allocation({ allowList: ['a', 'b', 'a'] })],
  ],
])('validating a TransferAuthorization (case %#) answers %j', (refused, allocations) => {
  expect(refusal(() => of(...allocations).validate(CONTEXT))).toBe(refused);
});

describe('a transfer under a TransferAuthorization', () => {
  const transfer = (fields: Change = {}) =>
    anyOf(MsgTransferSchema, {
      sourcePort: 'transfer',
      sourceChannel: 'channel-0',
      token: { denom: 'atest', amount: '10' },
      receiver: 'cosmos1x',
      ...fields,
    });
  const used = (allocations: readonly Allocation[], message: ReturnType<typeof transfer>) => {
    const gas = new GasMeter(undefined);
    const accepted = of(...allocations).accept({ ...CONTEXT, gas }, message);
    return { accepted, gas: gas.consumed };
  };

  it.each<readonly [string, Fields, Change]>([
    [
      'ibc 3: requested amount of token atest is more than spend limit: insufficient funds',
      {},
      { token: { denom: 'atest', amount: '101' } },
    ],
    [
      'ibc 3: requested amount of token btest is more than spend limit: insufficient funds',
      {},
      { token: { denom: 'btest', amount: '1' } },
    ],
    ['ibc 16: requested port and channel allocation does not exist: not found', {}, { sourceChannel: 'channel-1' }],
    ['ibc 16: requested port and channel allocation does not exist: not found', {}, { sourcePort: 'transfer2' }],
    ['ibc 5: not allowed receiver address for transfer: invalid address', { allowList: ['a', 'b'] }, {}],
    [
      'transfer 10: memo must be empty because allowed packet data in allocation is empty: invalid transfer authorization',
      {},
      { memo: 'x' },
    ],
    [
      'transfer 10: not allowed memo: x: invalid transfer authorization',
      { allowedPacketData: ['*', 'y'] },
      { memo: 'x' },
    ],
  ])('is refused: %s', (refused, fields, message) => {
    expect(refusal(() => used([allocation(fields)], transfer(message)))).toBe(refused);
  });

  it.each<readonly [string, bigint, Fields, Change]>([
    ['the least allocation', 0n, {}, {}],
    ['a blank memo', 0n, {}, { memo: ' \t ' }],
    ['any memo', 0n, { allowedPacketData: ['*'] }, { memo: 'x' }],
    ['an allowed receiver', 90n, { allowList: ['a', 'b', 'cosmos1x', 'c'] }, {}],
    ['an allowed memo among spaces', 60n, { allowedPacketData: ['y', ' x '] }, { memo: 'x\n' }],
  ])('with %s is allowed and lowers the limit, for %s gas', (_, gas, fields, message) => {
    const left = anyOf(TransferAuthorizationSchema, {
      allocations: [allocation({ ...fields, spendLimit: [['atest', '90']] })],
    });
    expect(used([allocation(fields)], transfer(message))).toEqual({ gas, accepted: { kind: 'changed', to: left } });
  });

  it('of the whole limit removes the allocation, and with the last allocation the grant', () => {
    const all = transfer({ token: { denom: 'atest', amount: '100' } });
    expect(used([allocation()], all).accepted).toEqual({ kind: 'used up' });
    const other = allocation({ sourceChannel: 'channel-1' });
    const left = anyOf(TransferAuthorizationSchema, { allocations: [other] });
    expect(used([allocation(), other], all).accepted).toEqual({ kind: 'changed', to: left });
  });

  it('leaves a limit of 2^256 - 1 as it is', () => {
    const unbounded = allocation({ spendLimit: [['atest', MAX_UINT256.toString()]] });
    expect(used([unbounded], transfer()).accepted).toEqual({ kind: 'unchanged' });
  });
});

describe('a chain without the transfer module', () => {
  const authorization = anyOf(TransferAuthorizationSchema, { allocations: [allocation()] });

  it('decodes no transaction with a TransferAuthorization', () => {
    const message = anyOf(MsgGrantSchema, { grant: { authorization } });
    const body = encode(TxBodySchema, { messages: [message] });
    const decode = (version: typeof evmd) => () =>
      checkFields(TxBodySchema, body, { chain: new MessageRouter(version), nonCritical: true });
    expect(decode(evmd)).not.toThrow();
    expect(decode(chronicle)).toThrow('unable to resolve type URL /ibc.applications.transfer.v1.TransferAuthorization');
  });

  it('refuses a genesis with a TransferAuthorization', () => {
    const json = { '@type': authorization.typeUrl, allocations: [] };
    const [granter, grantee] = [account(0).address, account(1).address];
    const section = { authorization: [{ granter, grantee, authorization: json }] };
    expect(() => new DevChain({}, 4, true, { authz: section })).toThrow(
      'app_state.authz.authorization[0]: no concrete type registered for type URL /ibc.applications.transfer.v1.TransferAuthorization against interface *authz.Authorization',
    );
  });
});
