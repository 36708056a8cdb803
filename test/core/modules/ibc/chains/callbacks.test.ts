/** IBC callbacks: packets between two chains of this process that call contracts. */
import { createHash } from 'node:crypto';
import { encodeFunctionData, getAddress, type Hex, hexToBytes, parseAbi, toFunctionSelector, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import {
  ensureAccount,
  getAccount,
  requireAccount,
  setAccount,
  withBase,
} from '../../../../../src/core/modules/auth/accounts.js';
import { readCallback } from '../../../../../src/core/modules/callbacks/callback-data.js';
import { addressOfText } from '../../../../../src/core/modules/callbacks/contracts.js';
import { isolatedAddress } from '../../../../../src/core/modules/callbacks/isolated-address.js';
import { callbacksMiddleware } from '../../../../../src/core/modules/callbacks/transfers.js';
import { setFlag } from '../../../../../src/core/modules/erc20/store.js';
import { codeHashKey, codeKey, getStorage } from '../../../../../src/core/modules/evm/store.js';
import { resultAcknowledgement } from '../../../../../src/core/modules/ibc/channel/acknowledgement.js';
import { around } from '../../../../../src/core/modules/ibc/channel/port.js';
import { transferPort } from '../../../../../src/core/modules/transfer/port.js';
import { MsgTransferSchema } from '../../../../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import type { Packet } from '../../../../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import type { ExecTxResult } from '../../../../../src/core/proto/tendermint/abci/types_pb.js';
import { encodeAddress } from '../../../../../src/core/sdk/codec/address.js';
import { later } from '../../../app/later-chain.js';
import { crypto, fromHex } from '../../../app/support.js';
import { program } from '../../../precompiles/program.js';
import { anyOf, type ChainOptions, IbcChain, withoutEvm } from './chain.js';
import { balanceOf, supplyOf, voucherOf } from './coins.js';
import {
  acknowledge,
  connect,
  createClients,
  deliver,
  type End,
  openChannel,
  packetsOf,
  receive,
  synchronize,
  timeout,
  update,
} from './relay.js';

const SECOND = 1_000_000_000n;
const ABI = parseAbi([
  'function transferFrom(address, address, uint256) returns (bool)',
  'function onPacketAcknowledgement(string, string, uint64, bytes, bytes)',
  'function onPacketTimeout(string, string, uint64, bytes)',
]);
const CONTRACT = getAddress(`0x${'c0'.repeat(20)}`);
/** Stores the first word of its input, its caller, and the length of its input in its first slots. */
const RECORDS = '5f355f553360015536600255' + '00';
const REVERTS = '5f5ffd';
/** Writes sixty slots: more gas than the limit of a callback. */
const COSTLY = '603c5b8080556001900380600257' + '00';

function path(options: ChainOptions = {}): { a: End; b: End } {
  const [a, b] = createClients(
    new IbcChain('alpha-1', { evm: true }),
    new IbcChain('beta-4', { evm: true, prefix: 'other', denom: 'abeta', ...options }),
  );
  connect(a, b);
  openChannel(a, b);
  return { a, b };
}

/** Puts code at the address of the contract. */
function put({ chain }: End, code: string): void {
  const context = chain.context();
  const bytes = fromHex(code);
  const hash = crypto.keccak256(bytes);
  ensureAccount(context, hexToBytes(CONTRACT));
  context.store.set('evm', codeKey(hash), bytes);
  context.store.set('evm', codeHashKey(hexToBytes(CONTRACT)), hash);
  chain.keep(context);
  chain.block();
}

function send(from: End, receiver: string, memo: object, seconds = 600n): Packet {
  const message = anyOf(MsgTransferSchema, {
    sourcePort: 'transfer',
    sourceChannel: from.channelId,
    token: { denom: from.chain.denom, amount: '100' },
    sender: from.chain.account(0),
    receiver,
    memo: JSON.stringify(memo),
    timeoutTimestamp: from.chain.now + seconds * SECOND,
  });
  const [sent] = packetsOf(deliver(from, [message]));
  if (sent === undefined) throw new Error('no packet');
  return sent.packet;
}

function bring(from: End, to: End, packet: Packet): { received: ExecTxResult; acknowledgement: Uint8Array } {
  synchronize(from, to);
  const received = deliver(to, [update(to, from), receive(to, from, packet)]);
  return { received, acknowledgement: packetsOf(received, 'write_acknowledgement')[0]?.acknowledgement ?? fromHex('') };
}

const answer = (from: End, to: End, packet: Packet, acknowledgement: Uint8Array): ExecTxResult => {
  synchronize(from, to);
  return deliver(from, [update(from, to), acknowledge(from, to, packet, acknowledgement)]);
};

const attributes = ({ events }: ExecTxResult, type: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    events.find((event) => event.type === type)?.attributes.map(({ key, value }) => [key, value]) ?? [],
  );

const isolatedOf = (a: End, b: End): Uint8Array => isolatedAddress(crypto, b.channelId, a.chain.account(0));
const tokenOf = (voucher: string): Hex => `0x${voucher.slice(-40).toLowerCase()}`;
const takes = (a: End, b: End, amount: bigint): string => {
  const owner = toHex(isolatedOf(a, b));
  const data = encodeFunctionData({ abi: ABI, functionName: 'transferFrom', args: [owner, CONTRACT, amount] });
  return program(
    [{ to: hexToBytes(tokenOf(voucherOf(b, `transfer/${b.channelId}/${a.chain.denom}`))), data }],
    'return',
  );
};

describe('the destination callback of a packet', () => {
  test.each<[string, ChainOptions, bigint]>([
    ['in evmd, which resets the sequence of the isolated account', {}, 0n],
    [
      'in chronicle, which keeps the sequence of the isolated account',
      { version: later, prefix: 'chron', denom: 'achr' },
      5n,
    ],
  ])('takes the received tokens %s', (_, options, sequence) => {
    const { a, b } = path(options);
    const isolated = isolatedOf(a, b);
    const context = b.chain.context();
    ensureAccount(context, isolated);
    setAccount(context, isolated, withBase(requireAccount(context, isolated), { sequence: 5n }));
    b.chain.keep(context);
    put(b, takes(a, b, 100n));
    const memo = { dest_callback: { address: CONTRACT, gas_limit: '400000', calldata: '0102' } };
    const { received, acknowledgement } = bring(a, b, send(a, encodeAddress(b.chain.prefix, isolated), memo));
    expect(Buffer.from(acknowledgement).toString()).toBe('{"result":"AQ=="}');
    const event = received.events.find(({ type }) => type === 'ibc_dest_callback');
    expect(event?.attributes.map(({ key, value }) => `${key}=${value}`)).toEqual([
      'module=ibccallbacks',
      'callback_type=receive_packet',
      `callback_address=${CONTRACT}`,
      'callback_exec_gas_limit=400000',
      'callback_commit_gas_limit=400000',
      'packet_sequence=1',
      'callback_base_application_version=ics20-1',
      'callback_result=success',
      'packet_dest_port=transfer',
      `packet_dest_channel=${b.channelId}`,
      'msg_index=1',
    ]);
    const voucher = voucherOf(b, `transfer/${b.channelId}/${a.chain.denom}`);
    const held = (account: Uint8Array): bigint => balanceOf(b.chain, encodeAddress(b.chain.prefix, account), voucher);
    expect([held(hexToBytes(CONTRACT)), held(isolated)]).toEqual([100n, 0n]);
    expect(getAccount(b.chain.context(), isolated)?.base.sequence).toBe(sequence);
  });

  test.each<[string, string | undefined, (a: End, b: End) => object, RegExp, number]>([
    ['reverts', REVERTS, () => ({}), /^EVM returned error: execution reverted: .*: evm call failed$/, 8],
    [
      'does not exist',
      undefined,
      () => ({}),
      /^provided contract address is not a contract: 0x[Cc0]{40}: contract has no code$/,
      4,
    ],
    [
      'is an EIP-7702 delegation',
      `ef0100${'ab'.repeat(20)}`,
      () => ({}),
      /^provided contract address is not a contract/,
      4,
    ],
    [
      'leaves tokens at the isolated address',
      '00',
      () => ({}),
      /^receiver has 100 unrecoverable tokens after callback: EVM call unexpected error$/,
      12,
    ],
    [
      'needs more gas than the limit',
      COSTLY,
      () => ({}),
      /^ibc receive_packet callback out of gas: callback out of gas$/,
      6,
    ],
    [
      'gets a gas limit of 30',
      '00',
      () => ({ gas_limit: '30' }),
      /^ibc receive_packet callback out of gas: callback out of gas$/,
      6,
    ],
  ])('refuses the packet when the contract %s', (_, code, more, error, codeOfError) => {
    const { a, b } = path();
    if (code !== undefined) put(b, code);
    const receiver = encodeAddress('other', isolatedOf(a, b));
    const packet = send(a, receiver, { dest_callback: { address: CONTRACT, ...more(a, b) } });
    const { received, acknowledgement } = bring(a, b, packet);
    const type = 'ibccallbackerror-ibc_dest_callback';
    expect(attributes(received, type)['ibccallbackerror-callback_error']).toMatch(error);
    expect(attributes(received, type)['ibccallbackerror-callback_result']).toBe('failure');
    expect(Buffer.from(acknowledgement).toString()).toContain(`ABCI code: ${codeOfError}:`);
    expect(supplyOf(b.chain, voucherOf(b, `transfer/${b.channelId}/${a.chain.denom}`))).toBe(0n);
    expect(getStorage(b.chain.context(), hexToBytes(CONTRACT), fromHex('01'.padStart(64, '0')))).toBeUndefined();
  });

  test('refuses the packet for a wrong receiver, an unregistered token or a malformed memo', () => {
    const { a, b } = path();
    put(b, '00');
    const other = bring(a, b, send(a, b.chain.account(1), { dest_callback: { address: CONTRACT } }));
    const type = 'ibccallbackerror-ibc_dest_callback';
    expect(attributes(other.received, type)['ibccallbackerror-callback_error']).toMatch(
      /^expected 0x\w{40}, got 0x\w{40}: invalid receiver address$/,
    );
    const hex = bring(a, b, send(a, toHex(isolatedOf(a, b)), { dest_callback: { address: CONTRACT } }));
    expect(attributes(hex.received, type)['ibccallbackerror-callback_error']).toContain(
      'acc addr from bech32 conversion',
    );
    const wrong = bring(a, b, send(a, b.chain.account(1), { dest_callback: { address: CONTRACT, gas_limit: 5 } }));
    expect(Buffer.from(wrong.acknowledgement).toString()).toContain('ABCI code: 8:');
    const context = b.chain.context();
    setFlag(context, 'enableErc20', false);
    b.chain.keep(context);
    const receiver = encodeAddress('other', isolatedOf(a, b));
    const none = bring(a, b, send(a, receiver, { dest_callback: { address: CONTRACT } }));
    expect(attributes(none.received, type)['ibccallbackerror-callback_error']).toBe(
      `token pair for denom ${a.chain.denom} not found: token not registered`,
    );
    const plain = bring(a, b, send(a, b.chain.account(1), { dest_callback: [], src_callback: { address: CONTRACT } }));
    expect(Buffer.from(plain.acknowledgement).toString()).toBe('{"result":"AQ=="}');
  });

  test('fails the transaction of a relayer with less gas than the callback may use', () => {
    const { a, b } = path();
    put(b, COSTLY);
    const packet = send(a, encodeAddress('other', isolatedOf(a, b)), { dest_callback: { address: CONTRACT } });
    synchronize(a, b);
    const [short] = b.chain.block([b.chain.tx(0, [update(b, a), receive(b, a, packet)], 900_000n)]);
    expect([short?.codespace, short?.code]).toEqual(['sdk', 11]);
    expect(short?.log).toContain('ibc receive_packet callback out of gas; commitGasLimit: 1000000');
    expect(supplyOf(b.chain, voucherOf(b, `transfer/${b.channelId}/${a.chain.denom}`))).toBe(0n);
  });
});

describe('the source callback of a packet', () => {
  const slotOf = ({ chain }: End, slot: number): string =>
    Buffer.from(
      getStorage(chain.context(), hexToBytes(CONTRACT), fromHex(slot.toString(16).padStart(64, '0'))) ?? [],
    ).toString('hex');
  const memo = { src_callback: { address: CONTRACT } };

  test('calls the contract with the acknowledgement', () => {
    const { a, b } = path();
    put(a, RECORDS);
    const packet = send(a, b.chain.account(1), memo);
    const { acknowledgement } = bring(a, b, packet);
    const answered = answer(a, b, packet, acknowledgement);
    expect(attributes(answered, 'ibc_src_callback')).toMatchObject({
      callback_type: 'acknowledgement_packet',
      callback_exec_gas_limit: '1000000',
      callback_result: 'success',
      packet_src_port: 'transfer',
      packet_src_channel: a.channelId,
    });
    const args = ['channel-0', 'transfer', 1n, toHex(packet.data), toHex(acknowledgement)] as const;
    const data = encodeFunctionData({ abi: ABI, functionName: 'onPacketAcknowledgement', args: [...args] });
    expect(slotOf(a, 0)).toBe(data.slice(2, 66));
    expect(BigInt(`0x${slotOf(a, 1)}`)).toBe(BigInt(toHex(a.chain.accountBytes(0))));
    expect(BigInt(`0x${slotOf(a, 2)}`)).toBe(BigInt(data.length / 2 - 1));
  });

  test('does not prevent the refund to the sender when it fails', () => {
    const { a, b } = path();
    for (const [code, more, error] of [
      [
        REVERTS,
        {},
        /^EVM returned error: contract call failed: method 'onPacketAcknowledgement', contract '0x\w+': execution reverted: evm transaction execution failed: callback failed$/,
      ],
      [COSTLY, {}, /^ibc acknowledgement_packet callback out of gas: callback out of gas$/],
      [
        RECORDS,
        { calldata: '00' },
        /^acknowledgement callback data should not contain calldata: invalid calldata in callback data$/,
      ],
      ['', {}, /^provided contract address is not a contract: 0x\w+: callback failed$/],
    ] as const) {
      put(a, code);
      const packet = send(a, 'nobody', { src_callback: { address: CONTRACT, ...more } });
      const supply = supplyOf(b.chain, voucherOf(b, `transfer/${b.channelId}/${a.chain.denom}`));
      const { acknowledgement } = bring(a, b, packet);
      const answered = answer(a, b, packet, acknowledgement);
      expect(attributes(answered, 'ibc_src_callback')['callback_error']).toMatch(error);
      expect(attributes(answered, 'ibc_src_callback')['callback_result']).toBe('failure');
      expect(attributes(answered, 'fungible_token_packet')['denom']).toBe(a.chain.denom);
      expect(supply).toBe(0n);
      expect(slotOf(a, 0)).toBe('');
      // the relayer pays for the gas of the failed callback
      if (code === COSTLY) expect(answered.gasUsed).toBeGreaterThan(1_000_000n);
    }
  });

  test.each<[string, boolean, string, string]>([
    ['with a gas limit of 150000 in chronicle', true, '150000', 'success'],
    ['and fails with the same gas limit in evmd, which needs twice the gas', false, '150000', 'failure'],
    ['with a gas limit of 400000 in evmd', false, '400000', 'success'],
  ])('runs on a timeout %s', (_, isChronicle, gas_limit, callback_result) => {
    const ends = path(isChronicle ? { version: later, prefix: 'chron', denom: 'achr' } : {});
    // the chain with the options is the sender
    const [a, b] = [ends.b, ends.a];
    put(a, RECORDS);
    const packet = send(a, b.chain.account(1), { src_callback: { address: CONTRACT, gas_limit } }, 30n);
    for (const { chain } of [a, b]) chain.block([], 60n);
    b.chain.block();
    synchronize(a, b);
    const ended = deliver(a, [update(a, b), timeout(a, b, packet)]);
    expect(attributes(ended, 'ibc_src_callback')).toMatchObject({ callback_type: 'timeout_packet', callback_result });
    const selector = toFunctionSelector('onPacketTimeout(string,string,uint64,bytes)').slice(2);
    expect(slotOf(a, 0).slice(0, 8)).toBe(callback_result === 'success' ? selector : '');
    expect(attributes(ended, 'timeout')['receiver']).toBe(a.chain.account(0));
  });
});

describe('the memo of a callback', () => {
  const data = (memo: string) => ({
    denom: { base: 'a', trace: [] },
    amountText: '1',
    amount: 1n,
    sender: 'cosmos1sender',
    receiver: 'r',
    memo,
  });
  const read = (memo: string, remaining = 2_000_000n) =>
    readCallback(data(memo), 'src_callback', { remaining, maximum: 1_000_000n });

  test.each([
    '',
    'x',
    '[]',
    '{}',
    '{"src_callback":null}',
    '{"src_callback":"0x"}',
    '{"dest_callback":{"address":"0x01"}}',
  ])('names no callback: %s', (memo) => expect(read(memo)).toBeUndefined());

  test.each<[string, bigint, bigint]>([
    ['{"src_callback":{"address":"0x01"}}', 1_000_000n, 1_000_000n],
    ['{"src_callback":{"address":"0x01","gas_limit":""}}', 1_000_000n, 1_000_000n],
    ['{"src_callback":{"address":"0x01","gas_limit":"0"}}', 1_000_000n, 1_000_000n],
    ['{"src_callback":{"address":"0x01","gas_limit":"18446744073709551615"}}', 1_000_000n, 1_000_000n],
    ['{"src_callback":{"address":"0x01","gas_limit":"0042"}}', 42n, 42n],
  ])('limits the gas of the callback: %s', (memo, executionGas, commitGas) => {
    expect(read(memo)).toMatchObject({ executionGas, commitGas, sender: 'cosmos1sender' });
    expect(read(memo, 41n)).toMatchObject({ executionGas: 41n, commitGas });
  });

  test.each<[string, RegExp]>([
    ['{"src_callback":{}}', /^invalid callback data$/],
    ['{"src_callback":{"address":" "}}', /^invalid callback data$/],
    ['{"src_callback":{"address":1}}', /^invalid callback data$/],
    ['{"src_callback":{"address":"0x01","gas_limit":"0x1"}}', /invalid syntax: invalid callback data$/],
    ['{"src_callback":{"address":"0x01","gas_limit":"18446744073709551616"}}', /value out of range: invalid/],
    ['{"src_callback":{"address":"0x01","gas_limit":7}}', /^gas limit must be a string/],
    ['{"src_callback":{"address":"0x01","calldata":"0x00"}}', /invalid byte: U\+0078 'x': invalid callback data$/],
    ['{"src_callback":{"address":"0x01","calldata":"000"}}', /odd length hex string/],
    ['{"src_callback":{"address":"0x01","calldata":{}}}', /^calldata must be a string/],
  ])('is refused as malformed: %s', (memo, error) => expect(() => read(memo)).toThrow(error));

  test.each([
    ['0x01', `${'0'.repeat(38)}01`],
    ['1', `${'0'.repeat(38)}01`],
    ['0X' + 'ab'.repeat(22), 'ab'.repeat(20)],
    ['12zz34', `${'0'.repeat(38)}12`],
    ['cosmos1x', '0'.repeat(40)],
  ])('names an address, parsed as in go-ethereum: %s', (text, address) =>
    expect(Buffer.from(addressOfText(text)).toString('hex')).toBe(address),
  );
});

test('the isolated address of a channel and a sender is derived as in ADR 028', () => {
  const sha = (...parts: readonly (string | Uint8Array)[]): Buffer => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  const ofChannel = sha(sha('module'), 'ibc-callbacks\0channel-7');
  const expected = sha(sha(ofChannel), 'osmo1sender').subarray(0, 20);
  expect(Buffer.from(isolatedAddress(crypto, 'channel-7', 'osmo1sender'))).toEqual(expected);
});

test('CheckTx of an acknowledgement or a timeout calls no contract', () => {
  const { a, b } = path();
  put(a, RECORDS);
  const packet = send(a, b.chain.account(1), { src_callback: { address: CONTRACT } });
  const silent = { ...transferPort, onAcknowledge: () => {}, onTimeout: () => {} };
  const middle = around(silent, callbacksMiddleware);
  const checked = withoutEvm(a.chain.context(), 'check');
  const executed = withoutEvm(a.chain.context(), 'deliver');
  const { bytes } = resultAcknowledgement(new Uint8Array());
  const delivered = { packet, version: 'ics20-1' };
  middle.onAcknowledge(checked, delivered, bytes);
  middle.onTimeout(checked, delivered);
  expect(() => middle.onAcknowledge(executed, delivered, bytes)).toThrow('asked for the EVM');
  expect(() => middle.onTimeout(executed, delivered)).toThrow('asked for the EVM');
});
