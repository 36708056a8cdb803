/** IBC messages that are refused with the errors of ibc-go, and updates of parameters. */
import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { bytesToHex, encodeFunctionData, hexToBytes, parseAbi, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { evmd } from '../../../../src/core/app/presets.js';
import type { EvmJournal } from '../../../../src/core/evm/precompile-call.js';
import { getChannel } from '../../../../src/core/modules/ibc/channel/channels.js';
import { ibcModule } from '../../../../src/core/modules/ibc/module.js';
import type { Port } from '../../../../src/core/modules/ibc/channel/port.js';
import { transferModule } from '../../../../src/core/modules/transfer/module.js';
import { transferPort } from '../../../../src/core/modules/transfer/port.js';
import * as transferTx from '../../../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import { type ChannelSchema, Order, State } from '../../../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import { MsgChannelOpenInitSchema } from '../../../../src/core/proto/ibc/core/channel/v1/tx_pb.js';
import * as clientTx from '../../../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import * as connectionTx from '../../../../src/core/proto/ibc/core/connection/v1/tx_pb.js';
import {
  ClientStateSchema,
  ConsensusStateSchema,
} from '../../../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { NEXT_CHANNEL, STORE as IBC } from '../../../../src/core/modules/ibc/store.js';
import { ics20Contract } from '../../../../src/core/precompiles/ics20/contract.js';
import { be64 } from '../../../../src/core/bytes/big-endian.js';
import { toTimeNs } from '../../../../src/core/primitives.js';
import { ConsensusParamsSchema } from '../../../../src/core/proto/tendermint/types/params_pb.js';
import { encodeAddress, moduleAddress } from '../../../../src/core/sdk/codec/address.js';
import { packAny } from '../../../../src/core/sdk/codec/any.js';
import { type Context, withStore } from '../../../../src/core/sdk/module/context.js';
import { GasMeter, MeteredStore } from '../../../../src/core/sdk/module/gas.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import type { Module } from '../../../../src/core/sdk/module/module.js';
import { plainError, SdkError } from '../../../../src/core/sdk/module/sdk-error.js';
import { account, contextOf, DevChain } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';
import { encode } from '../../../support/encode.js';

const MODULES = [ibcModule([transferPort]), transferModule];
const DEV = new DevChain();
const NOW = toTimeNs(1_700_000_100_000_000_000n);
const SIGNER = account(0).address;
const GOV = encodeAddress('chron', moduleAddress(crypto, 'gov'));

/** A context over the state of a dev chain, to which the genesis of ibc and transfer is added. */
function stage(): Context {
  const context = { ...contextOf(DEV), time: NOW, router: new MessageRouter(evmd) };
  const facts = { initialHeight: 1n, consensusParams: create(ConsensusParamsSchema), deliver: () => undefined };
  for (const module of MODULES) module.initGenesis(context, undefined, facts);
  return context;
}

/** `codespace code: log` of a message that fails; empty when it succeeds. */
function sent<Desc extends DescMessage>(
  context: Context,
  schema: Desc,
  message: MessageInitShape<Desc>,
  modules: readonly Module[] = MODULES,
): string {
  const handler = modules.flatMap(({ messages }) => messages).find(({ typeUrl }) => typeUrl === `/${schema.typeName}`);
  try {
    handler?.handle(context, encode(schema, message));
    return handler === undefined ? 'no handler' : '';
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    return `${error.registered.codespace} ${error.registered.code}: ${error.message}`;
  }
}

/** Some fields of a message. */
type Fields<Desc extends DescMessage> = Exclude<MessageInitShape<Desc>, { readonly $typeName: string }>;
type Client = Fields<typeof ClientStateSchema>;
type Known = Fields<typeof ConsensusStateSchema>;
const DAY = 86_400n;
const clientState = (change: Client = {}) =>
  packAny(
    ClientStateSchema,
    create(ClientStateSchema, {
      chainId: 'counter-1',
      trustLevel: { numerator: 1n, denominator: 3n },
      trustingPeriod: { seconds: 14n * DAY },
      unbondingPeriod: { seconds: 21n * DAY },
      maxClockDrift: { seconds: 40n },
      latestHeight: { revisionNumber: 1n, revisionHeight: 5n },
      proofSpecs: [{}],
      ...change,
    }),
  );
const consensusState = (change: Known = {}) =>
  packAny(
    ConsensusStateSchema,
    create(ConsensusStateSchema, {
      timestamp: { seconds: 1_700_000_000n },
      root: { hash: new Uint8Array(32).fill(1) },
      nextValidatorsHash: new Uint8Array(32).fill(2),
      ...change,
    }),
  );
const client = (of: { client?: Client; known?: Known; signer?: string } = {}) =>
  create(clientTx.MsgCreateClientSchema, {
    clientState: clientState(of.client),
    consensusState: consensusState(of.known),
    signer: of.signer ?? SIGNER,
  });
const connection = (change: Fields<typeof connectionTx.MsgConnectionOpenInitSchema> = {}) =>
  create(connectionTx.MsgConnectionOpenInitSchema, {
    clientId: '07-tendermint-0',
    counterparty: { clientId: '07-tendermint-7', prefix: { keyPrefix: new Uint8Array(3) } },
    signer: SIGNER,
    ...change,
  });
const channel = (change: Fields<typeof ChannelSchema> = {}, portId = 'transfer') =>
  create(MsgChannelOpenInitSchema, {
    portId,
    channel: {
      state: State.INIT,
      ordering: Order.UNORDERED,
      counterparty: { portId: 'transfer' },
      connectionHops: ['connection-0'],
      version: 'ics20-1',
      ...change,
    },
    signer: SIGNER,
  });
const coins = (change: Fields<typeof transferTx.MsgTransferSchema> = {}) =>
  create(transferTx.MsgTransferSchema, {
    sourcePort: 'transfer',
    sourceChannel: 'channel-0',
    token: { denom: 'achr', amount: '1' },
    sender: SIGNER,
    receiver: 'cosmos1x',
    timeoutTimestamp: 1n,
    ...change,
  });

test.each<[string, Parameters<typeof client>[0], string]>([
  [
    'an invalid signer',
    { signer: 'x' },
    'ibc 5: string could not be parsed as address: decoding bech32 failed: invalid bech32 string length 1',
  ],
  ['a blank chain id', { client: { chainId: ' ' } }, '07-tendermint 2: chain id cannot be empty string'],
  [
    'a long chain id',
    { client: { chainId: 'x'.repeat(51) } },
    '07-tendermint 2: chainID is too long; got: 51, max: 50',
  ],
  [
    'a trust level below a third',
    { client: { trustLevel: { numerator: 1n, denominator: 4n } } },
    '07-tendermint 15: trustLevel must be within [1/3, 1], given 1/4',
  ],
  ['no trusting period', { client: { trustingPeriod: {} } }, '07-tendermint 3: trusting period must be greater'],
  ['no unbonding period', { client: { unbondingPeriod: {} } }, '07-tendermint 4: unbonding period must be greater'],
  ['no clock drift', { client: { maxClockDrift: {} } }, '07-tendermint 7: max clock drift must be greater than zero'],
  [
    'a height of another revision',
    { client: { chainId: 'counter-2' } },
    '07-tendermint 5: latest height revision number must match chain id revision number (1 != 2)',
  ],
  [
    'no height',
    { client: { latestHeight: { revisionNumber: 1n } } },
    "07-tendermint 5: tendermint client's latest height revision height cannot be zero",
  ],
  [
    'a trusting period as long as the unbonding period',
    { client: { trustingPeriod: { seconds: 21n * DAY } } },
    '07-tendermint 3: trusting period (504h0m0s) should be < unbonding period (504h0m0s)',
  ],
  ['no proof specs', { client: { proofSpecs: [] } }, '07-tendermint 13: proof specs cannot be nil for tm client'],
  [
    'a blank key in the upgrade path',
    { client: { upgradePath: ['a', ' '] } },
    'client 3: key in upgrade path at index 1 cannot be empty',
  ],
  ['no root', { known: { root: {} } }, 'client 8: root cannot be empty'],
  [
    'a short hash of the next validators',
    { known: { nextValidatorsHash: new Uint8Array(3) } },
    'undefined 1: next validators hash is invalid: expected size to be 32 bytes, got 3 bytes',
  ],
  ['no time', { known: { timestamp: {} } }, 'client 8: timestamp must be a positive Unix time'],
  [
    'an expired consensus state',
    { known: { timestamp: { seconds: 1n } } },
    'client 29: cannot create client (07-tendermint-0) with status Expired: client state is not active',
  ],
  [
    'a frozen client state',
    { client: { frozenHeight: { revisionHeight: 1n } } },
    'client 29: cannot create client (07-tendermint-0) with status Frozen',
  ],
])('MsgCreateClient with %s is refused', (_, of, refused) => {
  expect(sent(stage(), clientTx.MsgCreateClientSchema, client(of))).toContain(refused);
});

test('MsgCreateClient refuses absent states and states of another type', () => {
  const refused = (message: MessageInitShape<typeof clientTx.MsgCreateClientSchema>): string =>
    sent(stage(), clientTx.MsgCreateClientSchema, { signer: SIGNER, ...message });
  expect(refused({})).toBe('ibc 14: protobuf Any message cannot be nil: failed unpacking protobuf message from Any');
  expect(refused({ clientState: consensusState() })).toContain('ibc 14: cannot unpack Any into ClientState *types.Any');
  expect(refused({ clientState: clientState(), consensusState: clientState() })).toContain(
    'ibc 14: cannot unpack Any into ConsensusState *types.Any',
  );
});

/** A context with client 07-tendermint-0 and connection-0. */
function connected(): Context {
  const context = stage();
  expect(sent(context, clientTx.MsgCreateClientSchema, client())).toBe('');
  expect(sent(context, connectionTx.MsgConnectionOpenInitSchema, connection())).toBe('');
  return context;
}

test.each<[string, Parameters<typeof connection>[0], string]>([
  [
    'client 09-localhost',
    { clientId: '09-localhost' },
    'client 10: localhost connection handshakes are disallowed: invalid client type',
  ],
  [
    'an invalid client id',
    { clientId: 'x' },
    'host 2: invalid client ID: identifier x has invalid length: 1, must be between 4-64 characters',
  ],
  [
    'a counterparty connection id',
    { counterparty: { connectionId: 'c' } },
    'connection 7: counterparty connection identifier must be empty',
  ],
  [
    'no counterparty client',
    { counterparty: {} },
    'host 2: invalid counterparty client ID: identifier cannot be blank: invalid identifier',
  ],
  [
    'no counterparty prefix',
    { counterparty: { clientId: '07-tendermint-7' } },
    'connection 7: counterparty prefix cannot be empty',
  ],
  [
    'a version without identifier',
    { version: {} },
    'connection 9: basic validation of the provided version failed: version identifier cannot be blank',
  ],
  [
    'a blank feature',
    { version: { identifier: '1', features: [''] } },
    'feature cannot be blank, index 0: invalid connection version',
  ],
  [
    '101 features',
    { version: { identifier: '1', features: Array.from({ length: 101 }, () => 'a') } },
    'features length must not exceed 100 items',
  ],
  [
    'an unknown version',
    { version: { identifier: '2' } },
    'connection 9: connection handshake open init failed: version is not supported',
  ],
  ['a version without features', { version: { identifier: '1', features: [] } }, 'version is not supported'],
  ['an invalid signer', { signer: 'x' }, 'ibc 5: string could not be parsed as address'],
  [
    'a client that is not there',
    { clientId: 'other-0' },
    'client 29: connection handshake open init failed: client (other-0) status is Unauthorized: client state is not active',
  ],
])('MsgConnectionOpenInit with %s is refused with the error of ibc-go', (_, change, refused) => {
  expect(sent(connected(), connectionTx.MsgConnectionOpenInitSchema, connection(change))).toContain(refused);
});

test.each<[string, Parameters<typeof channel>[0], string, string]>([
  ['an invalid port id', {}, 'x', 'host 2: invalid port ID: identifier x has invalid length: 1'],
  ['a port without a route', {}, 'other', 'port 5: route not found to portID: other: route not found'],
  [
    'a port of another application name',
    {},
    'mytransfer',
    'port 4: channel open init callback failed for port ID: mytransfer, channel ID: channel-0: invalid port: mytransfer, expected transfer: invalid port',
  ],
  [
    'state OPEN',
    { state: State.OPEN },
    'transfer',
    'channel 5: channel state must be INIT in MsgChannelOpenInit. expected: STATE_INIT, got: STATE_OPEN',
  ],
  [
    'a counterparty channel id',
    { counterparty: { channelId: 'c' } },
    'transfer',
    'channel 7: counterparty channel identifier must be empty',
  ],
  [
    'no ordering',
    { ordering: Order.NONE_UNSPECIFIED },
    'transfer',
    'channel 6: ORDER_NONE_UNSPECIFIED: invalid channel ordering',
  ],
  [
    'no connection',
    { connectionHops: [] },
    'transfer',
    'channel 15: current IBC version only supports one connection hop',
  ],
  ['an invalid connection id', { connectionHops: ['x'] }, 'transfer', 'host 2: invalid connection hop ID'],
  [
    'no counterparty port',
    { counterparty: {} },
    'transfer',
    'host 2: invalid counterparty port ID: identifier cannot be blank',
  ],
  [
    'ordered channels',
    { ordering: Order.ORDERED },
    'transfer',
    'channel 6: channel open init callback failed for port ID: transfer, channel ID: channel-0: expected ORDER_UNORDERED channel, got ORDER_ORDERED : invalid channel ordering',
  ],
  [
    'an unknown version',
    { version: 'ics20-9' },
    'transfer',
    'transfer 4: channel open init callback failed for port ID: transfer, channel ID: channel-0: expected one of [ics20-1], got ics20-9: invalid ICS20 version',
  ],
])('MsgChannelOpenInit with %s is refused with the error of ibc-go', (_, change, portId, refused) => {
  expect(sent(connected(), MsgChannelOpenInitSchema, channel(change, portId))).toContain(refused);
});

test('MsgChannelOpenInit is refused for an ordering that its connection does not support', () => {
  const context = connected();
  const version = { identifier: '1', features: ['ORDER_ORDERED'] };
  expect(sent(context, connectionTx.MsgConnectionOpenInitSchema, connection({ version }))).toBe('');
  expect(sent(context, MsgChannelOpenInitSchema, channel({ connectionHops: ['connection-1'] }))).toBe(
    'connection 9: channel handshake open init failed: connection version identifier:"1" features:"ORDER_ORDERED"  ' +
      'does not support channel ordering: ORDER_UNORDERED: invalid connection version',
  );
});

test('a middleware sees a new channel before its application does, and may refuse it', () => {
  const asked: string[] = [];
  const onlyFirst: Port = {
    ...transferPort,
    onChannelOpenInit(context, opening) {
      asked.push(opening.channelId);
      if (opening.channelId !== 'channel-0') throw plainError('one channel is enough');
      return transferPort.onChannelOpenInit(context, opening);
    },
  };
  const context = connected();
  const open = (): string => sent(context, MsgChannelOpenInitSchema, channel(), [ibcModule([onlyFirst])]);
  expect(open()).toBe('');
  expect(getChannel(context, { portId: 'transfer', channelId: 'channel-0' })?.state).toBe(State.INIT);
  expect(open()).toBe(
    'undefined 1: channel open init callback failed for port ID: transfer, channel ID: channel-1: one channel is enough',
  );
  expect(getChannel(context, { portId: 'transfer', channelId: 'channel-1' })).toBeUndefined();
  expect(asked).toEqual(['channel-0', 'channel-1']);
});

test('the transfer application refuses a channel beyond the maximum number', () => {
  const context = connected();
  context.store.set(IBC, NEXT_CHANNEL, be64(2n ** 32n));
  expect(sent(context, MsgChannelOpenInitSchema, channel())).toContain(
    'transfer 9: channel open init callback failed for port ID: transfer, channel ID: channel-4294967296: channel sequence 4294967296 is greater than max allowed transfer channels 4294967295: max transfer channels',
  );
});

test('a transfer channel that is opened without a version gets ics20-1', () => {
  const context = connected();
  expect(sent(context, MsgChannelOpenInitSchema, channel({ version: '' }))).toBe('');
  expect(getChannel(context, { portId: 'transfer', channelId: 'channel-0' })?.version).toBe('ics20-1');
});

test.each<[string, Parameters<typeof coins>[0], string]>([
  ['an invalid port id', { sourcePort: 'x' }, 'host 2: invalid source port ID x: identifier x has invalid length: 1'],
  [
    'an invalid channel id',
    { sourceChannel: 'x' },
    'host 2: invalid source channel ID x: identifier x has invalid length: 1',
  ],
  ['amount 0', { token: { denom: 'achr', amount: '0' } }, 'ibc 6: 0achr: invalid coins'],
  ['an invalid denom of a hash', { token: { denom: 'ibc/xyz', amount: '1' } }, 'ibc 6: 1ibc/xyz: invalid coins'],
  ['a receiver of only U+0085', { receiver: '\u0085' }, 'ibc 5: missing recipient address: invalid address'],
  ['a receiver of only U+FEFF', { receiver: '\ufeff' }, 'channel 5: channel is not OPEN'],
  ['a receiver of only a space', { receiver: ' ' }, 'ibc 5: missing recipient address: invalid address'],
  [
    'a receiver of 2049 characters',
    { receiver: 'x'.repeat(2049) },
    'ibc 5: recipient address must not exceed 2048 bytes',
  ],
  ['a long memo', { memo: 'x'.repeat(32_769) }, 'transfer 11: memo must not exceed 32768 bytes: invalid memo'],
  [
    'a hash without a denom',
    { token: { denom: `ibc/${'AB'.repeat(32)}`, amount: '1' } },
    `transfer 6: ${'AB'.repeat(32)}: denomination not found`,
  ],
  [
    'a trace without a base denom',
    { token: { denom: 'transfer/channel-0/', amount: '1' } },
    'transfer 3: failed to validate ics20-1 packet data: base denomination cannot be blank: invalid denomination for cross-chain transfer',
  ],
  [
    'a trace with an invalid port',
    { token: { denom: 'a/channel-0/b', amount: '1' } },
    'host 2: failed to validate ics20-1 packet data: invalid trace: invalid hop source port ID a: identifier a has',
  ],
  ['more coins than the sender has', { token: { denom: 'achr', amount: '9'.repeat(30) } }, 'sdk 5: spendable balance'],
  [
    'the largest amount',
    { token: { denom: 'other', amount: `${2n ** 256n - 1n}` } },
    'transfer 5: empty spendable balance for other: invalid token amount',
  ],
  ['a channel that is not open', {}, 'channel 5: channel is not OPEN (got STATE_INIT): invalid channel state'],
  [
    'a port without a channel',
    { sourcePort: 'other' },
    'clientv2 35: send packet failed for source id: channel-0: counterparty not found for client: channel-0: counterparty not found',
  ],
  [
    'a client and timeout 0',
    { sourceChannel: 'channel-9', timeoutTimestamp: 0n },
    'channelv2 8: timeout must not be 0: invalid packet timeout',
  ],
  [
    'a client and an unknown encoding',
    { sourceChannel: 'channel-9', encoding: 'x' },
    'ibc 12: invalid encoding provided, must be either empty or one of',
  ],
  ['denom ibc', { token: { denom: 'ibc', amount: '1' } }, 'ibc 6: 1ibc: invalid coins'],
  ['a denom of an empty hash', { token: { denom: 'ibc/', amount: '1' } }, 'ibc 6: 1ibc/: invalid coins'],
])('MsgTransfer with %s is refused with the error of ibc-go', (_, change, refused) => {
  const context = connected();
  expect(sent(context, MsgChannelOpenInitSchema, channel())).toBe('');
  expect(sent(context, transferTx.MsgTransferSchema, coins(change))).toContain(refused);
});

test('MsgTransfer fails with out of gas at every step at which its gas ends', () => {
  const context = connected();
  expect(sent(context, MsgChannelOpenInitSchema, channel())).toBe('');
  const used = new GasMeter(undefined);
  const within = (gas: GasMeter): Context =>
    withStore(context, new MeteredStore(new CacheStore(context.store), gas), [], gas);
  expect(sent(within(used), transferTx.MsgTransferSchema, coins())).toContain('channel is not OPEN');
  for (let limit = 0n; limit < used.consumed; limit += 401n)
    expect(sent(within(new GasMeter(limit)), transferTx.MsgTransferSchema, coins())).toMatch(/^sdk 11: /u);
});

describe('the ICS-20 precompile', () => {
  const ABI = parseAbi([
    'struct Height { uint64 revisionNumber; uint64 revisionHeight; }',
    'function transfer(string port, string channel, string denom, uint256 amount, address sender, string receiver, Height height, uint64 time, string memo) returns (uint64)',
    'function denom(string hash) view returns (bytes)',
    'function denomHash(string trace) view returns (string)',
  ]);
  const CALLER = new Uint8Array(20).fill(1);
  const OTHER = new Uint8Array(20).fill(2);
  const never = (): never => {
    throw new Error('a transfer that is refused changes nothing of the EVM');
  };
  const journal: EvmJournal = {
    changes: never,
    balance: never,
    setBalance: never,
    storage: never,
    setStorage: never,
    log: never,
    call: never,
  };
  /** The error of a call that reverts; empty when it returns. */
  function refusal(context: Context, data: Hex): string {
    const call = {
      address: ics20Contract.address,
      caller: CALLER,
      value: 0n,
      input: hexToBytes(data),
      readOnly: false,
      isDelegateCall: false,
    };
    try {
      ics20Contract.run(context, { ...call, journal });
      return '';
    } catch (error) {
      if (!(error instanceof SdkError)) throw error;
      return error.message;
    }
  }
  const transfer = ({
    port = 'transfer',
    over = 'channel-0',
    amount = 1n,
    sender = CALLER,
    to = 'x',
    time = 1n,
  } = {}) =>
    encodeFunctionData({
      abi: ABI,
      functionName: 'transfer',
      args: [port, over, 'achr', amount, bytesToHex(sender), to, { revisionNumber: 0n, revisionHeight: 0n }, time, ''],
    });

  test.each<[string, Parameters<typeof transfer>[0], string]>([
    [
      'a channel that is not open',
      {},
      'channel (channel-0) is not open, current state: STATE_INIT: invalid channel state',
    ],
    ['a port without a channel', { port: 'other' }, 'port ID (other) channel ID (channel-0): channel not found'],
    ['an unknown channel', { over: 'channel-9' }, 'port ID (transfer) channel ID (channel-9): channel not found'],
    [
      'an invalid channel id',
      { over: 'x' },
      'invalid source channel ID x: identifier x has invalid length: 1, must be between 8-64 characters',
    ],
    ['amount 0', { amount: 0n }, '0achr: invalid coins'],
    ['a blank receiver', { to: ' ' }, 'missing recipient address: invalid address'],
    ['a client and another sender', { over: 'some-client', sender: OTHER }, 'does not match the requester address'],
    ['a client and timeout 0', { over: 'some-client', time: 0n }, 'timeout must not be 0: invalid packet timeout'],
    ['a client without a counterparty', { over: 'some-client' }, 'counterparty not found for client: some-client'],
  ])('refuses a transfer with the error of the module: %s', (_, change, refused) => {
    const context = connected();
    expect(sent(context, MsgChannelOpenInitSchema, channel())).toBe('');
    expect(refusal(context, transfer(change))).toContain(refused);
  });

  test('refuses every transfer on a chain without the transfer module', () => {
    expect(refusal(contextOf(DEV), transfer())).toContain('channel not found');
    expect(refusal(contextOf(DEV), transfer({ over: 'some-client' }))).toContain(
      'transfers from this chain are disabled',
    );
  });

  test('refuses malformed queries as the module does, and answers those for unknown denoms', () => {
    const denom = (hash: string): Hex => encodeFunctionData({ abi: ABI, functionName: 'denom', args: [hash] });
    const denomHash = (trace: string): Hex =>
      encodeFunctionData({ abi: ABI, functionName: 'denomHash', args: [trace] });
    const context = stage();
    expect(refusal(context, denom('xyz'))).toBe(
      "rpc error: code = InvalidArgument desc = invalid denom trace hash: , error: encoding/hex: invalid byte: U+0078 'x'",
    );
    expect(refusal(context, denomHash(' '))).toContain('base denomination cannot be blank');
    expect(
      [denom('AB'.repeat(32)), denomHash('transfer/channel-0/achr')].map((data) => refusal(context, data)),
    ).toEqual(['', '']);
  });
});

test('parameters of clients, connections and transfers are validated, and set by governance only', () => {
  const context = connected();
  const clients = (signer: string, allowedClients: string[]): string =>
    sent(context, clientTx.MsgUpdateParamsSchema, { signer, params: { allowedClients } });
  const refusal = `ibc 2: expected ${GOV}, got ${SIGNER}: unauthorized`;
  expect(clients(SIGNER, ['*'])).toBe(refusal);
  expect(clients('x', ['*'])).toContain('ibc 5: string could not be parsed as address');
  expect(clients(GOV, ['*', 'a'])).toContain('allow list must have only one element');
  expect(clients(GOV, ['a', 'a'])).toContain('duplicate client type: a');
  expect(clients(GOV, [' '])).toContain('client type 0 cannot be blank');
  expect(
    clients(
      GOV,
      Array.from({ length: 201 }, (_, i) => `${i}`),
    ),
  ).toContain('must not exceed 200 items');
  expect(clients(GOV, ['06-solomachine'])).toBe('');
  expect(sent(context, clientTx.MsgCreateClientSchema, client())).toBe(
    'client 10: client (07-tendermint-1) type 07-tendermint is not in the allowed client list: invalid client type',
  );
  const connections = (signer: string, maxExpectedTimePerBlock: bigint): string =>
    sent(context, connectionTx.MsgUpdateParamsSchema, { signer, params: { maxExpectedTimePerBlock } });
  expect(connections(SIGNER, 1n)).toBe(refusal);
  expect(connections(GOV, 0n)).toContain('MaxExpectedTimePerBlock cannot be zero');
  expect(connections(GOV, 1n)).toBe('');
  const transfers = (signer: string): string =>
    sent(context, transferTx.MsgUpdateParamsSchema, { signer, params: { sendEnabled: false } });
  expect(transfers(SIGNER)).toBe(refusal);
  expect(transfers('')).toContain('ibc 5: missing sender address');
  expect(transfers(GOV)).toBe('');
  expect(sent(context, transferTx.MsgTransferSchema, coins())).toBe(
    'transfer 7: fungible token transfers from this chain are disabled',
  );
});
