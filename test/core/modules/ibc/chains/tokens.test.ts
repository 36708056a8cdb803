/** ERC-20 tokens in transfers between two chains of this process: vouchers as tokens, and tokens of contracts. */
import { create } from '@bufbuild/protobuf';
import {
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToBigInt,
  hexToBytes,
  pad,
  parseAbi,
  toHex,
} from 'viem';
import { describe, expect, test } from 'vitest';
import { setMetadata, setSendEnabled } from '../../../../../src/core/modules/bank/balances.js';
import { ensureAccount, ensureModuleAccount, getAccount } from '../../../../../src/core/modules/auth/accounts.js';
import { setFlag, setTokenPair, tokenPairOfDenom, tokenPairs } from '../../../../../src/core/modules/erc20/store.js';
import { TOKEN_CODE } from '../../../../../src/core/modules/erc20/token-code.js';
import { addCoins } from '../../../../../src/core/modules/bank/transfer.js';
import {
  getParams as stakingParams,
  setParams as setStakingParams,
} from '../../../../../src/core/modules/staking/params.js';
import { coin } from '../../../../../src/core/sdk/coins/coins.js';
import { contractKind } from '../../../../../src/core/modules/evm/precompiles/active.js';
import { codeHashKey, codeKey, storageKey } from '../../../../../src/core/modules/evm/store.js';
import { erc20Middleware } from '../../../../../src/core/modules/erc20/transfers.js';
import { resultAcknowledgement } from '../../../../../src/core/modules/ibc/channel/acknowledgement.js';
import { around } from '../../../../../src/core/modules/ibc/channel/port.js';
import { encodePacketData } from '../../../../../src/core/modules/transfer/packet-data.js';
import { transferPort } from '../../../../../src/core/modules/transfer/port.js';
import { sendPacket } from '../../../../../src/core/modules/ibc/channel/packets.js';
import { MetadataSchema } from '../../../../../src/core/proto/cosmos/bank/v1beta1/bank_pb.js';
import { Owner, TokenPairSchema } from '../../../../../src/core/proto/cosmos/evm/erc20/v1/erc20_pb.js';
import { MsgConvertERC20Schema } from '../../../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { MsgTransferSchema } from '../../../../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import { type Packet, PacketSchema } from '../../../../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import type { ExecTxResult } from '../../../../../src/core/proto/tendermint/abci/types_pb.js';
import { encodeAddress, moduleAddress } from '../../../../../src/core/sdk/codec/address.js';
import type { Context } from '../../../../../src/core/sdk/module/context.js';
import { later } from '../../../app/later-chain.js';
import { crypto, fromHex, stateOf } from '../../../app/support.js';
import { anyOf, type ChainOptions, IbcChain, withoutEvm } from './chain.js';
import { balanceOf, supplyOf, voucherOf } from './coins.js';
import {
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
  relay,
  sendPacketOf,
} from './relay.js';

const SECOND = 1_000_000_000n;
const ABI = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function symbol() view returns (string)',
  'function transfer(address, uint256) returns (bool)',
]);
const TOKEN = getAddress(`0x${'aa'.repeat(20)}`);
const DENOM = `erc20:${TOKEN}`;
const CONTRACT = fromHex(TOKEN.slice(2));
const MODULE = moduleAddress(crypto, 'erc20');

function path(options: ChainOptions = {}): { a: End; b: End } {
  const [a, b] = createClients(
    new IbcChain('alpha-1', { evm: true, ...options }),
    new IbcChain('beta-4', { evm: true, prefix: 'other', denom: 'abeta' }),
  );
  connect(a, b);
  openChannel(a, b);
  return { a, b };
}

/** Registers the token pair of a contract in which account 0 has a thousand tokens. */
function withToken(end: End, change: (context: Context) => void = () => {}): void {
  const { chain } = end;
  const context = chain.context();
  const code = fromHex(TOKEN_CODE.slice(2));
  const hash = crypto.keccak256(code);
  const contract = fromHex(TOKEN.slice(2));
  ensureAccount(context, contract);
  context.store.set('evm', codeKey(hash), code);
  context.store.set('evm', codeHashKey(contract), hash);
  // the mapping of balances is the third variable
  const slot = crypto.keccak256(
    Buffer.concat([new Uint8Array(12), chain.accountBytes(0), fromHex('02'.padStart(64, '0'))]),
  );
  context.store.set('evm', storageKey(contract, slot), fromHex('03e8'.padStart(64, '0')));
  const pair = { erc20Address: TOKEN, denom: DENOM, enabled: true, contractOwner: Owner.EXTERNAL };
  setTokenPair(context, create(TokenPairSchema, pair), contract);
  setMetadata(context, create(MetadataSchema, { base: DENOM }));
  change(context);
  chain.keep(context);
  chain.block();
  chain.block();
}

const wordOf = ({ chain }: End, to: Hex, data: Hex): bigint => hexToBigInt(chain.call(to, data));
const supply = (end: End, token: Hex): bigint =>
  wordOf(end, token, encodeFunctionData({ abi: ABI, functionName: 'totalSupply' }));
const symbol = ({ chain }: End, token: Hex): string =>
  decodeFunctionResult({
    abi: ABI,
    functionName: 'symbol',
    data: chain.call(token, encodeFunctionData({ abi: ABI, functionName: 'symbol' })),
  });
const word = (digits: string): Uint8Array => fromHex(digits.padStart(64, '0'));
const hexOf = ({ chain }: End, index: number): Hex => toHex(chain.accountBytes(index));
const tokensOf = (end: End, token: Hex, account: Hex): bigint =>
  wordOf(end, token, encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [account] }));
/** The address of the token of a voucher: the last bytes of its hash. */
const tokenOf = (voucher: string): Hex => getAddress(`0x${voucher.slice(-40)}`);

const convert = (end: End, amount: bigint) =>
  anyOf(MsgConvertERC20Schema, {
    contractAddress: TOKEN,
    amount: amount.toString(),
    receiver: end.chain.account(0),
    sender: hexOf(end, 0),
  });

function message(from: End, denom: string, amount: bigint, receiver: string, seconds = 600n) {
  return anyOf(MsgTransferSchema, {
    sourcePort: 'transfer',
    sourceChannel: from.channelId,
    token: { denom, amount: amount.toString() },
    sender: from.chain.account(0),
    receiver,
    timeoutTimestamp: from.chain.now + seconds * SECOND,
  });
}

const send = (...args: Parameters<typeof message>): Packet => sendPacketOf(args[0], message(...args));

const shown = ({ events }: ExecTxResult, type: string): readonly string[] =>
  events
    .filter((event) => event.type === type)
    .map(({ attributes }) => attributes.map(({ key, value }) => `${key}=${value}`).join(' '));

describe('a voucher', () => {
  test('becomes an ERC-20 token with the first packet, and its owner transfers it as one', async () => {
    const { a, b } = path();
    const voucher = voucherOf(b, `transfer/${b.channelId}/${a.chain.denom}`);
    const token = tokenOf(voucher);
    const before = stateOf(b.chain.state.writes());
    // a call to an account without code returns nothing
    expect(b.chain.call(token, '0x18160ddd')).toBe('0x');
    const { received } = relay(a, b, send(a, a.chain.denom, 1_000n, b.chain.account(0)));
    expect(shown(received, 'register_erc20_extension')).toEqual([
      `source_channel=${a.channelId} erc20_token=${token} cosmos_coin=${voucher} msg_index=1`,
    ]);
    expect(tokenPairOfDenom(b.chain.context(), voucher)).toMatchObject({
      erc20Address: token,
      enabled: true,
      contractOwner: Owner.MODULE,
    });
    expect([tokensOf(b, token, hexOf(b, 0)), supply(b, token)]).toEqual([1_000n, 1_000n]);
    expect(contractKind(b.chain.context(), hexToBytes(token))).toBe('token');
    expect(symbol(b, token)).toBe(a.chain.denom.toUpperCase());
    const moved = await b.chain.transact(
      0,
      token,
      encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [hexOf(b, 2), 300n] }),
    );
    expect(shown(moved, 'ethereum_tx').join(' ')).not.toContain('ethereumTxFailed');
    expect([tokensOf(b, token, hexOf(b, 2)), balanceOf(b.chain, b.chain.account(2), voucher)]).toEqual([300n, 300n]);
    // the state before the packet has no token, whatever the engine has executed since
    expect(b.chain.call(token, '0x18160ddd', before)).toBe('0x');
    const again = relay(a, b, send(a, a.chain.denom, 5n, b.chain.account(1)));
    expect(shown(again.received, 'register_erc20_extension')).toEqual([]);
    relay(b, a, send(b, voucher, 700n, a.chain.account(1)));
    expect(supply(b, token)).toBe(305n);
  });

  test('stays a token after a restart of the process, and only in states that have it', async () => {
    const { a, b } = path();
    const denoms = [a.chain.denom, 'second', 'third'];
    for (const denom of denoms.slice(1)) {
      const context = a.chain.context();
      addCoins(context, a.chain.accountBytes(0), [coin(denom, 9n)]);
      a.chain.keep(context);
      a.chain.block();
    }
    const tokens = denoms.map((denom) => tokenOf(voucherOf(b, `transfer/${b.channelId}/${denom}`)));
    for (const [index, denom] of denoms.entries()) {
      relay(a, b, send(a, denom, 7n, b.chain.account(0)));
      b.chain.restart();
      for (const [at, token] of tokens.entries())
        expect(
          b.chain.call(token, encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [hexOf(b, 0)] })),
        ).toBe(at <= index ? pad('0x07') : '0x');
    }
    b.chain.restart();
    for (const token of tokens) {
      const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [hexOf(b, 1), 3n] });
      await b.chain.transact(0, token, data);
      expect([tokensOf(b, token, hexOf(b, 0)), tokensOf(b, token, hexOf(b, 1))]).toEqual([4n, 3n]);
    }
  });

  test('keeps an account that exists at the address of its token', () => {
    const { a, b } = path();
    const voucher = voucherOf(b, `transfer/${b.channelId}/${a.chain.denom}`);
    const address = fromHex(voucher.slice(-40).toLowerCase());
    const context = b.chain.context();
    ensureAccount(context, address);
    b.chain.keep(context);
    b.chain.block();
    const before = getAccount(b.chain.context(), address);
    relay(a, b, send(a, a.chain.denom, 7n, b.chain.account(1)));
    expect(getAccount(b.chain.context(), address)).toEqual(before);
    expect(tokensOf(b, tokenOf(voucher), hexOf(b, 1))).toBe(7n);
  });

  test('gets no token while erc20 is disabled, or when it is the bond denom', () => {
    const { a, b } = path();
    const voucher = voucherOf(b, `transfer/${b.channelId}/${a.chain.denom}`);
    const changes: readonly ((context: Context) => void)[] = [
      (context) => setFlag(context, 'enableErc20', false),
      (context) => {
        setFlag(context, 'enableErc20', true);
        setStakingParams(context, { ...stakingParams(context), bondDenom: voucher });
      },
    ];
    for (const [index, change] of changes.entries()) {
      const context = b.chain.context();
      change(context);
      b.chain.keep(context);
      const { answer } = relay(a, b, send(a, a.chain.denom, 7n, b.chain.account(1)));
      expect(answer).toBe('{"result":"AQ=="}');
      expect(balanceOf(b.chain, b.chain.account(1), voucher)).toBe(7n * BigInt(index + 1));
      expect(tokenPairOfDenom(b.chain.context(), voucher)).toBeUndefined();
    }
  });
});

/** Balances of account 0 of a chain: tokens, and coins of them. */
const held = (end: End): readonly unknown[] => [
  tokensOf(end, TOKEN, hexOf(end, 0)),
  balanceOf(end.chain, end.chain.account(0), DENOM),
];

describe('the token of an ERC-20 contract', () => {
  test('leaves as a coin, is a token on the other chain, and comes back as a token', () => {
    const { a, b } = path();
    withToken(a);
    // evmd sends coins, not tokens
    expect(a.chain.send([message(a, DENOM, 300n, b.chain.account(0))]).log).toContain('insufficient funds');
    expect(held(a)).toEqual([1_000n, 0n]);
    deliver(a, [convert(a, 400n)]);
    expect(held(a)).toEqual([600n, 400n]);
    const { received } = relay(a, b, send(a, DENOM, 300n, b.chain.account(0)));
    const voucher = voucherOf(b, `transfer/${b.channelId}/${DENOM}`);
    expect(shown(received, 'register_erc20_extension')).toHaveLength(1);
    expect(tokensOf(b, tokenOf(voucher), hexOf(b, 0))).toBe(300n);
    const back = relay(b, a, send(b, voucher, 100n, a.chain.account(1)));
    expect(back.answer).toBe('{"result":"AQ=="}');
    expect(tokensOf(a, TOKEN, hexOf(a, 1))).toBe(100n);
    expect(balanceOf(a.chain, a.chain.account(1), DENOM)).toBe(0n);
    // the coins of the sender and of the escrow account equal the tokens that the module holds
    expect([supplyOf(a.chain, DENOM), tokensOf(a, TOKEN, toHex(MODULE))]).toEqual([300n, 300n]);
  });

  test('comes back as a coin while conversion is disabled, and is refused while its coin may not be sent', () => {
    const { a, b } = path();
    withToken(a);
    deliver(a, [convert(a, 400n)]);
    relay(a, b, send(a, DENOM, 300n, b.chain.account(0)));
    const voucher = voucherOf(b, `transfer/${b.channelId}/${DENOM}`);
    const pair = tokenPairOfDenom(a.chain.context(), DENOM);
    if (pair === undefined) throw new Error('no pair');
    const set = (change: (context: Context) => void): void => {
      const context = a.chain.context();
      change(context);
      a.chain.keep(context);
      a.chain.block();
    };
    set((context) => setTokenPair(context, { ...pair, enabled: false }, fromHex(TOKEN.slice(2))));
    relay(b, a, send(b, voucher, 10n, a.chain.account(1)));
    expect(balanceOf(a.chain, a.chain.account(1), DENOM)).toBe(10n);
    set((context) => {
      setTokenPair(context, pair, fromHex(TOKEN.slice(2)));
      setSendEnabled(context, DENOM, false);
    });
    const { answer, received } = relay(b, a, send(b, voucher, 10n, a.chain.account(1)));
    expect(answer).toBe('{"error":"ABCI code: 5: error handling packet: see events for details"}');
    expect(shown(received, 'ibccallbackerror-erc20_callback_failure')).toEqual([
      `ibccallbackerror-convert_coin=mint_failure ibccallbackerror-cosmos_coin=${DENOM} ibccallbackerror-receiver=${a.chain.account(1)} msg_index=1`,
    ]);
    expect(tokensOf(b, tokenOf(voucher), hexOf(b, 0))).toBe(290n);
  });

  test('becomes a token again when its transfer is refused or times out', () => {
    const { a, b } = path();
    withToken(a);
    deliver(a, [convert(a, 400n)]);
    expect(relay(a, b, send(a, DENOM, 300n, 'nobody')).answer).toContain('"error"');
    expect(held(a)).toEqual([900n, 100n]);
    const packet = send(a, DENOM, 100n, b.chain.account(0), 30n);
    for (const { chain } of [a, b]) chain.block([], 60n);
    b.chain.block();
    synchronize(a, b);
    deliver(a, [update(a, b), timeout(a, b, packet)]);
    expect(held(a)).toEqual([1_000n, 0n]);
    expect([supplyOf(a.chain, DENOM), tokensOf(a, TOKEN, toHex(MODULE))]).toEqual([0n, 0n]);
  });

  /** Sends to an invalid receiver, changes the state, and relays the error acknowledgement. */
  function refusedAfter(options: ChainOptions, change: (context: Context) => void) {
    const { a, b } = path(options);
    withToken(a);
    deliver(a, [convert(a, 400n)]);
    const packet = send(a, DENOM, 300n, 'nobody');
    const context = a.chain.context();
    change(context);
    a.chain.keep(context);
    a.chain.block();
    return { a, relayed: () => relay(a, b, packet).answered };
  }
  const inChronicle = { version: later, denom: 'achr', prefix: 'chron' };
  const pause = ({ store }: Context): void => store.set('evm', storageKey(CONTRACT, word('07')), word('01'));
  /** Replaces the contract by one that returns true and does nothing. */
  const lie = ({ store }: Context): void => {
    const code = fromHex('60015f5260205ff3');
    const hash = crypto.keccak256(code);
    store.set('evm', codeKey(hash), code);
    store.set('evm', codeHashKey(CONTRACT), hash);
  };
  const failed = (result: ExecTxResult): string => shown(result, 'failed_convert_erc20')[0] ?? '';

  test('stays in the module of evmd when its contract lies, and its relay fails when the contract reverts', () => {
    const lied = refusedAfter({}, lie);
    expect(failed(lied.relayed())).toBe(
      `source_channel=${DENOM} erc20_token=${TOKEN} error=invalid token balance - expected: 301, actual: 1: post transfer balance invariant failed msg_index=1`,
    );
    expect(balanceOf(lied.a.chain, lied.a.chain.account(0), DENOM)).toBe(100n);
    const paused = refusedAfter({}, pause);
    expect(paused.relayed).toThrow('out of gas');
  });

  test('is refunded as a coin in chronicle when its contract lies or reverts', () => {
    for (const change of [lie, pause]) {
      const { a, relayed } = refusedAfter(inChronicle, change);
      expect(failed(relayed())).toContain(`source_channel=${DENOM} erc20_token=${TOKEN} error=`);
      expect(balanceOf(a.chain, a.chain.account(0), DENOM)).toBe(400n);
    }
  });

  test('is refused by chronicle when its contract reverts, and CheckTx converts nothing', () => {
    const { a, b } = path(inChronicle);
    withToken(a);
    deliver(a, [convert(a, 400n)]);
    relay(a, b, send(a, DENOM, 300n, b.chain.account(0)));
    const context = a.chain.context();
    pause(context);
    a.chain.keep(context);
    a.chain.block();
    const back = send(b, voucherOf(b, `transfer/${b.channelId}/${DENOM}`), 100n, a.chain.account(1));
    expect(relay(b, a, back).answer).toContain('ABCI code: 10:');
    const silent = around({ ...transferPort, onTimeout: () => {} }, erc20Middleware);
    const packet = create(PacketSchema, {
      data: encodePacketData({ denom: DENOM, amount: '1', sender: a.chain.account(0), receiver: 'x', memo: '' }),
    });
    silent.onTimeout(withoutEvm(a.chain.context(), 'check'), { packet, version: 'ics20-1' });
    const executed = withoutEvm(a.chain.context(), 'deliver');
    expect(() => silent.onTimeout(executed, { packet, version: 'ics20-1' })).toThrow('asked for the EVM');
  });

  test('leaves without coins in chronicle, which converts as many tokens as are missing', () => {
    const { a, b } = path(inChronicle);
    withToken(a);
    deliver(a, [convert(a, 100n)]);
    const { answer } = relay(a, b, send(a, DENOM, 300n, b.chain.account(0)));
    expect(answer).toBe('{"result":"AQ=="}');
    expect(held(a)).toEqual([700n, 0n]);
    const short = a.chain.send([message(a, DENOM, 701n, b.chain.account(0))]);
    expect(short.log).toContain('execution reverted: evm transaction execution failed');
    expect(held(a)).toEqual([700n, 0n]);
  });
});

test.each<[string, number, Readonly<Record<string, string>>]>([
  ['a packet with an unknown JSON member is refused by the transfer application', 12, { extra: 'x' }],
  ['a packet with a member name in capitals is refused after the transfer application', 29, { Memo: 'x' }],
])('%s, as Go does (code %i)', (_, code, other) => {
  const { a, b } = path();
  const context = a.chain.context();
  const timeoutTimestamp = a.chain.now + 600n * SECOND;
  const texts = { denom: a.chain.denom, amount: '5', sender: a.chain.account(0), receiver: b.chain.account(1) };
  const data = Buffer.from(JSON.stringify({ ...texts, memo: '', ...other }));
  const none = { revisionNumber: 0n, revisionHeight: 0n };
  const sequence = sendPacket(context, { source: a, timeoutHeight: none, timeoutTimestamp, data });
  a.chain.keep(context);
  a.chain.block();
  a.chain.block();
  const names = { sourcePort: a.portId, sourceChannel: a.channelId, destinationPort: b.portId };
  const packet = create(PacketSchema, { ...names, destinationChannel: b.channelId, sequence, data, timeoutTimestamp });
  synchronize(a, b);
  const received = deliver(b, [update(b, a), receive(b, a, packet)]);
  expect(Buffer.from(packetsOf(received, 'write_acknowledgement')[0]?.acknowledgement ?? []).toString()).toContain(
    `ABCI code: ${code}: `,
  );
  expect(supplyOf(b.chain, voucherOf(b, `transfer/${b.channelId}/${a.chain.denom}`))).toBe(0n);
});

test.each<[string, { readonly denom: string; readonly receiver?: string; readonly coins?: bigint }]>([
  ['sent to a module account', { denom: 'atoken', receiver: encodeAddress('other', MODULE) }],
  ['of a token factory', { denom: 'factory/maker/coin' }],
  ['that the receiver has already forwarded', { denom: `transfer/channel-0/${DENOM}`, coins: 8n }],
])('coins %s are not converted to tokens', (_, { denom, receiver, coins = 0n }) => {
  const chain = new IbcChain('beta-4', { prefix: 'other', denom: 'abeta' });
  const context = chain.context();
  ensureModuleAccount(context, 'erc20');
  const pair = { erc20Address: TOKEN, denom: DENOM, enabled: true, contractOwner: Owner.EXTERNAL };
  setTokenPair(context, create(TokenPairSchema, pair), fromHex(TOKEN.slice(2)));
  if (coins > 0n) addCoins({ ...context, events: [] }, chain.accountBytes(1), [coin(DENOM, coins)]);
  const texts = { denom, amount: '9', sender: 'cosmos1abc', receiver: receiver ?? chain.account(1), memo: '' };
  const names = { sourcePort: 'transfer', sourceChannel: 'channel-0', destinationPort: 'transfer' };
  const packet = create(PacketSchema, { ...names, destinationChannel: 'channel-7', data: encodePacketData(texts) });
  const taking = { ...transferPort, onReceive: () => resultAcknowledgement(new Uint8Array()) };
  const { success } = around(taking, erc20Middleware).onReceive(context, { packet, version: 'ics20-1' });
  expect([success, context.events, tokenPairs(context).length]).toEqual([true, [], 2]);
});
