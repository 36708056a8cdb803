/**
 * Packets that come to a chain which evmd and this program execute at once, from a chain in memory with real headers
 * and proofs: clients, the handshakes, and every way in which a packet ends.
 */
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  bytesToHex,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  getContractAddress,
  type Hex,
  hexToBytes,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeWrapper } from '../../src/core/ethereum/wrapper-codec.js';
import { isolatedAddress } from '../../src/core/modules/callbacks/isolated-address.js';
import { VERSION } from '../../src/core/modules/ibc/connection/connections.js';
import { commitmentOf, sourceOf } from '../../src/core/modules/ibc/channel/packets.js';
import { channelKey, connectionKey, packetKey, packetKeyV2 } from '../../src/core/modules/ibc/keys.js';
import {
  commitmentOf as commitmentOfV2,
  commitmentOfAnswer,
  errorAcknowledgement,
} from '../../src/core/modules/ibc/v2/commitments.js';
import { denomOfPath, localDenom } from '../../src/core/modules/transfer/denom.js';
import * as auth from '../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import { MsgTransferSchema } from '../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import {
  ChannelSchema,
  Order,
  type Packet,
  PacketSchema,
  State,
} from '../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import * as channel from '../../src/core/proto/ibc/core/channel/v1/tx_pb.js';
import {
  AcknowledgementSchema,
  type Packet as PacketV2,
  PacketSchema as PacketV2Schema,
  type PayloadSchema,
} from '../../src/core/proto/ibc/core/channel/v2/packet_pb.js';
import * as channelV2 from '../../src/core/proto/ibc/core/channel/v2/tx_pb.js';
import { FungibleTokenPacketDataSchema } from '../../src/core/proto/ibc/applications/transfer/v1/packet_pb.js';
import * as clientV2 from '../../src/core/proto/ibc/core/client/v2/tx_pb.js';
import * as client from '../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import {
  ConnectionEndSchema,
  State as ConnectionState,
} from '../../src/core/proto/ibc/core/connection/v1/connection_pb.js';
import * as connection from '../../src/core/proto/ibc/core/connection/v1/tx_pb.js';
import {
  ClientStateSchema,
  ConsensusStateSchema,
  HeaderSchema,
} from '../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { MsgConvertERC20Schema, MsgRegisterERC20Schema } from '../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { packAny } from '../../src/core/sdk/codec/any.js';
import { complete } from '../../src/core/sdk/codec/complete-message.js';
import { crypto } from '../core/app/support.js';
import { IbcChain } from '../core/modules/ibc/chains/chain.js';
import { clientStateOf, consensusStateOf, headerOf, heightOf, packetsOf } from '../core/modules/ibc/chains/relay.js';
import { Liar, Token } from '../contracts/index.js';
import { program } from '../core/precompiles/program.js';
import { encode } from '../support/encode.js';
import { goldenPath, hasGolden } from '../support/golden.js';
import { anyOf, signTx } from '../support/sign-tx.js';
import { EVMD } from './evmd.js';
import { EVM_CHAIN_ID, foundedChain } from './messages/genesis.js';
import { deploying } from './evm/signer.js';
import { type Pair, type PairedBlock, startPair } from './pair.js';
import { Random } from './random.js';

const SECOND = 1_000_000_000n;
/** The first block of a chain in memory is made 5 seconds after this time. */
const START = 1_700_000_000n * SECOND;
const HOUR = 3_600n * SECOND;
const THERE = { portId: 'transfer', channelId: 'channel-5' };
const HERE = { portId: 'transfer', channelId: 'channel-0' };
const CLIENT = '07-tendermint-0';
const NONE = { revisionNumber: 0n, revisionHeight: 0n };
const SUCCESS = Buffer.from('{"result":"AQ=="}');
const FAILURE = Buffer.from('{"error":"ABCI code: 5: error handling packet: see events for details"}');
const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();

/** Members of the data of a transfer. */
interface Transferred {
  readonly denom?: string;
  readonly amount?: string;
  readonly sender?: string;
  readonly receiver?: string;
  readonly memo?: string;
}

/** A signed Ethereum transaction in its envelope. */
async function ethereum(
  account: PrivateKeyAccount,
  call: { readonly nonce: number; readonly data: Hex; readonly to?: Hex },
): Promise<Uint8Array> {
  const [gas, price] = [3_000_000n, 10n ** 11n];
  const raw = hexToBytes(
    await account.signTransaction({
      type: 'eip1559',
      chainId: Number(EVM_CHAIN_ID),
      gas,
      maxFeePerGas: price,
      maxPriorityFeePerGas: 0n,
      ...call,
    }),
  );
  return writeWrapper({ from: hexToBytes(account.address), raw, denom: 'atest', fee: gas * price, gasLimit: gas });
}

describe.skipIf(EVMD === undefined || !hasGolden)('packets', () => {
  const founded = hasGolden ? foundedChain(new Random(3)) : undefined;
  const signer = founded?.actors[0]?.bech32 ?? '';
  const other = founded?.actors[1]?.bech32 ?? '';
  let pair: Pair;
  let there: IbcChain;
  /** The height of the chain there that the client here knows. */
  let known = 0n;
  let accountNumber = 0n;
  let sequence = 0n;
  /** The last packet that came from there. */
  let last = 0n;

  function keyOf(name: string): Hex {
    const keys: Readonly<Record<string, { readonly priv: Hex }>> = JSON.parse(
      readFileSync(goldenPath('tx-vectors/keys.json'), 'utf8'),
    );
    return keys[name]?.priv ?? '0x';
  }

  function signed(messages: readonly Any[]): Uint8Array {
    const fee = { amount: [{ denom: 'atest', amount: 4n * 10n ** 16n }], gasLimit: 2_000_000n };
    const chainId = founded?.chainId ?? '';
    const unsigned = { messages, memo: '', fee, chainId, accountNumber, sequence, coinMetadata: new Map() };
    sequence += 1n;
    return signTx(unsigned, hexToBytes(keyOf('mykey')));
  }

  /** A block of these transactions, each of so many messages, that both execute alike; answers their codes. */
  async function executed(
    ...txs: readonly (readonly Any[])[]
  ): Promise<PairedBlock & { readonly codes: readonly string[] }> {
    const block = await pair.block(txs.map(signed));
    expect(block.difference).toBeUndefined();
    return { ...block, codes: block.theirs.txResults.map(({ codespace, code }) => `${codespace} ${code}`) };
  }

  /** Two blocks there, the second of which has the root of what was put before; each is 5 seconds long. */
  function advance(): void {
    there.block();
    there.block();
  }

  const updated = (): Any => {
    const message = anyOf(client.MsgUpdateClientSchema, {
      clientId: CLIENT,
      clientMessage: packAny(HeaderSchema, headerOf(there, known)),
      signer,
    });
    known = there.height;
    return message;
  };

  const proofOf = (key: Uint8Array) => ({
    proof: there.prove(key, there.height - 1n),
    proofHeight: heightOf(there, there.height),
  });

  /** A packet that the chain there sends, in its state. */
  function sent(data: Uint8Array, choices: { readonly height?: bigint; readonly time?: bigint } = {}): Packet {
    last += 1n;
    const packet = create(PacketSchema, {
      sequence: last,
      sourcePort: THERE.portId,
      sourceChannel: THERE.channelId,
      destinationPort: HERE.portId,
      destinationChannel: HERE.channelId,
      data,
      timeoutHeight: choices.height === undefined ? NONE : { revisionNumber: 0n, revisionHeight: choices.height },
      timeoutTimestamp: choices.time ?? pair.time() + HOUR,
    });
    there.put('ibc', packetKey('commitments', sourceOf(packet), packet.sequence), commitmentOf({ crypto }, packet));
    return packet;
  }

  const dataOf = (members: Transferred): Uint8Array =>
    Buffer.from(JSON.stringify({ amount: '10', denom: 'uatom', receiver: signer, sender: 'counter1x', ...members }));

  function received(packet: Packet): Any {
    const { proof: proofCommitment, proofHeight } = proofOf(
      packetKey('commitments', sourceOf(packet), packet.sequence),
    );
    return anyOf(channel.MsgRecvPacketSchema, { packet, proofCommitment, proofHeight, signer });
  }

  /** Sends coins to there; answers the packet. */
  async function transferred(denom: string, amount: string, memo = '', seconds = 3_600n): Promise<Packet> {
    const message = anyOf(MsgTransferSchema, {
      sourcePort: HERE.portId,
      sourceChannel: HERE.channelId,
      token: { denom, amount },
      sender: signer,
      receiver: 'counter1x',
      timeoutTimestamp: pair.time() + seconds * SECOND,
      memo,
    });
    const { theirs, codes } = await executed([message]);
    expect({ codes, logs: theirs.txResults.map(({ log }) => log) }).toEqual({ codes: [' 0'], logs: [''] });
    const [found] = theirs.txResults.flatMap((result) => packetsOf(result));
    if (found === undefined) throw new Error('no packet');
    return found.packet;
  }

  /** The answer of the chain there to a packet of here. */
  function answered(packet: Packet, acknowledgement: Uint8Array): () => Any {
    const key = packetKey('acks', THERE, packet.sequence);
    there.put('ibc', key, sha256(acknowledgement));
    return () => {
      const { proof: proofAcked, proofHeight } = proofOf(key);
      return anyOf(channel.MsgAcknowledgementSchema, { packet, acknowledgement, proofAcked, proofHeight, signer });
    };
  }

  beforeAll(async () => {
    pair = await startPair(EVMD ?? '', founded?.genesis ?? new Uint8Array(), EVM_CHAIN_ID);
    expect((await pair.block([])).difference).toBeUndefined();
    const request = encode(auth.QueryAccountInfoRequestSchema, { address: signer });
    const { theirs } = await pair.query('/cosmos.auth.v1beta1.Query/AccountInfo', request);
    const { info } = fromBinary(auth.QueryAccountInfoResponseSchema, theirs.value);
    ({ accountNumber, sequence } = info ?? { accountNumber, sequence });
    there = new IbcChain('counter-1', { offset: pair.time() - START - 60n * SECOND });
    there.put(
      'ibc',
      connectionKey('connection-5'),
      toBinary(
        ConnectionEndSchema,
        complete(
          ConnectionEndSchema,
          create(ConnectionEndSchema, {
            clientId: '07-tendermint-9',
            versions: [VERSION],
            state: ConnectionState.TRYOPEN,
            counterparty: {
              clientId: CLIENT,
              connectionId: 'connection-0',
              prefix: { keyPrefix: Buffer.from('ibc') },
            },
          }),
        ),
      ),
    );
    there.put(
      'ibc',
      channelKey(THERE),
      toBinary(
        ChannelSchema,
        complete(
          ChannelSchema,
          create(ChannelSchema, {
            state: State.TRYOPEN,
            ordering: Order.UNORDERED,
            counterparty: HERE,
            connectionHops: ['connection-5'],
            version: 'ics20-1',
          }),
        ),
      ),
    );
    advance();
  });
  afterAll(() => pair.stop());

  test('a client, a connection and a channel', async () => {
    const counterparty = { clientId: '07-tendermint-9', prefix: { keyPrefix: Buffer.from('ibc') } };
    known = there.height;
    const opened = await executed(
      [
        anyOf(client.MsgCreateClientSchema, {
          clientState: packAny(ClientStateSchema, clientStateOf(there, known)),
          consensusState: packAny(ConsensusStateSchema, consensusStateOf(there.shown(known))),
          signer,
        }),
      ],
      [anyOf(connection.MsgConnectionOpenInitSchema, { clientId: CLIENT, counterparty, version: VERSION, signer })],
    );
    expect(opened.codes).toEqual([' 0', ' 0']);
    advance();
    const { proof: proofTry, proofHeight } = proofOf(connectionKey('connection-5'));
    const acknowledged = await executed(
      [updated()],
      [
        anyOf(connection.MsgConnectionOpenAckSchema, {
          connectionId: 'connection-0',
          counterpartyConnectionId: 'connection-5',
          version: VERSION,
          proofTry,
          proofHeight,
          signer,
        }),
      ],
      [
        anyOf(channel.MsgChannelOpenInitSchema, {
          portId: HERE.portId,
          channel: {
            state: State.INIT,
            ordering: Order.UNORDERED,
            counterparty: { portId: THERE.portId },
            connectionHops: ['connection-0'],
            version: 'ics20-1',
          },
          signer,
        }),
      ],
    );
    expect(acknowledged.codes).toEqual([' 0', ' 0', ' 0']);
    advance();
    const { proof: channelTry, proofHeight: tryHeight } = proofOf(channelKey(THERE));
    const done = await executed(
      [updated()],
      [
        anyOf(channel.MsgChannelOpenAckSchema, {
          ...HERE,
          counterpartyChannelId: THERE.channelId,
          counterpartyVersion: 'ics20-1',
          proofTry: channelTry,
          proofHeight: tryHeight,
          signer,
        }),
      ],
    );
    expect(done.codes).toEqual([' 0', ' 0']);
  });

  test('packets that come, of all sorts', async () => {
    const packets = [
      dataOf({}),
      dataOf({ denom: 'ufoo' }),
      dataOf({ denom: 'ufoo', amount: '7', memo: 'again' }),
      dataOf({ denom: 'gamm/pool/1', receiver: other }),
      dataOf({ receiver: 'nobody' }),
      dataOf({ receiver: '0x00000000000000000000000000000000000000aa' }),
      // amounts of zero and less are left out: evmd prints the address of a pointer in their error
      dataOf({ amount: String(2n ** 256n - 1n), denom: 'ubig' }),
      dataOf({ amount: String(2n ** 256n), denom: 'ubig' }),
      dataOf({ denom: 'transfer/channel-5/atest' }),
      dataOf({ denom: 'transfer/channel-5/aother' }),
      dataOf({ denom: 'transfer/channel-5/nothing' }),
      dataOf({ denom: ' ' }),
      dataOf({ denom: 'a b' }),
      dataOf({ sender: '' }),
      dataOf({ receiver: '' }),
      dataOf({ memo: 'x'.repeat(40_000) }),
      dataOf({ memo: '{"dest_callback":{"address":"0x00000000000000000000000000000000000000aa"}}' }),
      dataOf({ memo: '{"dest_callback":{"address":"nobody","gas_limit":"200000"}}' }),
      dataOf({
        memo: '{"dest_callback":{"address":"0x00000000000000000000000000000000000000aa","gas_limit":"1","calldata":"00"}}',
      }),
      dataOf({ memo: '{"dest_callback":5}' }),
      Buffer.from('{"amount":"1"}'),
      Buffer.from('{'),
      Buffer.from('{"amount":"1","denom":"u1","receiver":"x","sender":"y","more":1}'),
    ].map((data) => sent(data));
    advance();
    const { codes } = await executed([updated()], ...packets.map((packet) => [received(packet)]));
    expect(codes).toEqual(codes.map(() => ' 0'));
    // once more: nothing to do
    const [first] = packets;
    if (first === undefined) throw new Error('a packet');
    expect((await executed([received(first)])).codes).toEqual([' 0']);
  });

  test('packets that are refused', async () => {
    const late = [sent(dataOf({}), { time: pair.time() + 1n }), sent(dataOf({}), { height: pair.height() })];
    const good = sent(dataOf({}));
    const unsent = create(PacketSchema, { ...good, sequence: 99n });
    advance();
    const wrongData = { ...received(good) };
    const { codes } = await executed(
      [updated()],
      ...late.map((packet) => [received(packet)]),
      [
        anyOf(channel.MsgRecvPacketSchema, {
          packet: unsent,
          proofCommitment: proofOf(packetKey('commitments', THERE, good.sequence)).proof,
          proofHeight: heightOf(there, there.height),
          signer,
        }),
      ],
      [
        anyOf(channel.MsgRecvPacketSchema, {
          packet: create(PacketSchema, { ...good, data: dataOf({ amount: '11' }) }),
          proofCommitment: proofOf(packetKey('commitments', THERE, good.sequence)).proof,
          proofHeight: heightOf(there, there.height),
          signer,
        }),
      ],
      [
        anyOf(channel.MsgRecvPacketSchema, {
          packet: create(PacketSchema, { ...good, destinationChannel: 'channel-9' }),
          proofCommitment: proofOf(packetKey('commitments', THERE, good.sequence)).proof,
          proofHeight: heightOf(there, there.height + 5n),
          signer,
        }),
      ],
      [
        anyOf(channel.MsgRecvPacketSchema, {
          packet: good,
          proofCommitment: proofOf(packetKey('commitments', THERE, good.sequence)).proof,
          proofHeight: heightOf(there, there.height + 5n),
          signer,
        }),
      ],
      [wrongData],
    );
    expect(codes.slice(0, 1)).toEqual([' 0']);
    expect(codes.slice(1, -1)).not.toContain(' 0');
    expect(codes.at(-1)).toBe(' 0');
  });

  test('packets that are sent: taken, refused with a refund, and timed out with one', async () => {
    const voucher = localDenom(sha256, denomOfPath('transfer/channel-0/uatom'));
    const foo = localDenom(sha256, denomOfPath('transfer/channel-0/ufoo'));
    const callback = '{"src_callback":{"address":"0x00000000000000000000000000000000000000aa","gas_limit":"100000"}}';
    const sends = [
      await transferred('atest', '1000'),
      await transferred(voucher, '3'),
      await transferred('atest', '1001'),
      await transferred(voucher, '2'),
      await transferred(foo, '4'),
      await transferred('atest', '5', callback),
    ];
    const answers = sends.map((packet, index) => answered(packet, index < 2 ? SUCCESS : FAILURE));
    advance();
    const { codes } = await executed([updated()], ...answers.map((message) => [message()]));
    expect(codes.slice(0, -1)).toEqual(codes.slice(0, -1).map(() => ' 0'));
    await executed(...answers.slice(0, 1).map((message) => [message()]));

    const late = [await transferred('atest', '9', '', 30n), await transferred(foo, '1', callback, 30n)];
    // the chain there is older than the block here that sends, until its clock has passed the time of the packet
    for (let block = 0; block < 20; block += 1) there.block();
    advance();
    const timed = (packet: Packet): Any => {
      const { proof: proofUnreceived, proofHeight } = proofOf(packetKey('receipts', THERE, packet.sequence));
      return anyOf(channel.MsgTimeoutSchema, { packet, proofUnreceived, proofHeight, nextSequenceRecv: 1n, signer });
    };
    await pair.block([], { seconds: 120 });
    await executed([updated()], ...late.map((packet) => [timed(packet)]));
    await executed(...late.map((packet) => [timed(packet)]));
  });

  test('tokens of contracts, and contracts that packets name', async () => {
    const account = privateKeyToAccount(keyOf('mykey'));
    const isolated = encodeAddress('cosmos', isolatedAddress(crypto, HERE.channelId, 'counter1x'));
    const voucher = localDenom(sha256, denomOfPath('transfer/channel-0/ucall'));
    const codes = [
      // writes the beginning of its input, its caller, and the length of its input
      '5f355f55336001553660025500',
      '5f5ffd',
      // writes sixty slots
      '603c5b808055600190038060025700',
    ];
    const made: Hex[] = [];
    const deployed = async (data: Hex): Promise<Uint8Array> => {
      const nonce = Number(sequence);
      sequence += 1n;
      made.push(getContractAddress({ from: account.address, nonce: BigInt(nonce) }));
      return ethereum(account, { nonce, data });
    };
    const takes = (amount: bigint): string => {
      const owner = bytesToHex(isolatedAddress(crypto, HERE.channelId, 'counter1x'));
      const contract = getContractAddress({ from: account.address, nonce: sequence });
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [owner, contract, amount] });
      return program([{ to: hexToBytes(`0x${voucher.slice(-40).toLowerCase()}`), data }], 'return');
    };
    const txs = [
      await deployed(encodeDeployData({ ...Token, args: ['Coin', 'COIN', 1_000n] })),
      await deployed(Liar.bytecode),
    ];
    for (const code of codes) txs.push(await deployed(deploying(code)));
    txs.push(await deployed(deploying(takes(20n))), await deployed(deploying(takes(5n))));
    const block = await pair.block(txs);
    expect(block.difference).toBeUndefined();
    const [token, liar, ...contracts] = made.map((address) => getAddress(address));
    if (token === undefined || liar === undefined) throw new Error('two tokens');

    const pairs = await executed(
      [anyOf(MsgRegisterERC20Schema, { signer, erc20addresses: [token] })],
      [anyOf(MsgRegisterERC20Schema, { signer, erc20addresses: [liar] })],
    );
    expect(pairs.codes[0]).toBe(' 0');
    const denom = `erc20:${token}`;
    const conversion = { contractAddress: token, amount: '130', receiver: signer, sender: account.address };
    expect((await executed([anyOf(MsgConvertERC20Schema, conversion)])).codes).toEqual([' 0']);
    const out = [await transferred(denom, '30'), await transferred(denom, '40'), await transferred(denom, '50')];
    const answers = out.map((packet, index) => answered(packet, index === 1 ? FAILURE : SUCCESS));
    advance();
    const ended = await executed([updated()], ...answers.map((message) => [message()]));
    expect(ended.codes).toEqual(ended.codes.map(() => ' 0'));

    const call = (address: string | undefined, more: object = {}): string =>
      JSON.stringify({ dest_callback: { address, gas_limit: '400000', ...more } });
    const packets = [
      dataOf({ denom: `transfer/channel-5/${denom}`, amount: '12' }),
      dataOf({ denom: `transfer/channel-5/${denom}`, amount: '3', receiver: other }),
      dataOf({ denom: `transfer/channel-5/${denom}`, amount: '1000' }),
      ...contracts.map((address) => dataOf({ denom: 'ucall', amount: '20', receiver: isolated, memo: call(address) })),
      ...contracts.map((address) =>
        dataOf({ denom: 'ucall', amount: '20', receiver: isolated, memo: call(address, { calldata: '0102' }) }),
      ),
      dataOf({ denom: 'ucall', amount: '20', memo: call(contracts[0], { calldata: '0102' }) }),
      dataOf({ denom: 'ucall', amount: '20', receiver: isolated, memo: call(account.address, { calldata: '0102' }) }),
      dataOf({ denom: 'ucall', amount: '20', receiver: isolated, memo: call(contracts[0], { calldata: 'zz' }) }),
      dataOf({ denom: 'ucall', amount: '20', receiver: isolated, memo: call(contracts[0], { gas_limit: '1000' }) }),
      dataOf({ denom: 'ucall', amount: '20', receiver: isolated, memo: call(contracts[0], { gas_limit: 'x' }) }),
      dataOf({
        denom: `transfer/channel-5/${denom}`,
        amount: '5',
        receiver: isolated,
        memo: call(contracts[0], { calldata: '0102' }),
      }),
    ].map((data) => sent(data));
    advance();
    const came = await executed([updated()], ...packets.map((packet) => [received(packet)]));
    expect(came.codes).toEqual(came.codes.map(() => ' 0'));
    await pair.block([]);

    const source = (address: string | undefined): string =>
      JSON.stringify({ src_callback: { address, gas_limit: '400000' } });
    const calls: Packet[] = [];
    for (const address of contracts.slice(0, 3)) calls.push(await transferred('atest', '6', source(address)));
    calls.push(await transferred(denom, '2', source(contracts[0])));
    const heard = calls.map((packet, index) => answered(packet, index % 2 === 0 ? SUCCESS : FAILURE));
    advance();
    await executed([updated()], ...heard.map((message) => [message()]));
  });

  test('packets of v2, from client to client', async () => {
    const THEIRS = '07-tendermint-9';
    const prefix = [Buffer.from('ibc'), new Uint8Array()];
    const registration = { clientId: CLIENT, counterpartyMerklePrefix: prefix, counterpartyClientId: THEIRS, signer };
    const register = anyOf(clientV2.MsgRegisterCounterpartySchema, registration);
    expect((await executed([register], [register])).codes).toEqual([' 0', 'ibc 8']);

    const second = (): bigint => pair.time() / SECOND;
    const data = (members: Transferred): Uint8Array =>
      Buffer.from(
        JSON.stringify({ denom: 'uatom', amount: '5', sender: 'counter1x', receiver: signer, memo: '', ...members }),
      );
    const protobuf = encode(FungibleTokenPacketDataSchema, {
      denom: 'uatom',
      amount: '6',
      sender: 'counter1x',
      receiver: signer,
    });
    let next = 0n;
    const sentThere = (
      payload: MessageInitShape<typeof PayloadSchema>,
      timeoutTimestamp = second() + 600n,
    ): PacketV2 => {
      next += 1n;
      const packet = create(PacketV2Schema, {
        sequence: next,
        sourceClient: THEIRS,
        destinationClient: CLIENT,
        timeoutTimestamp,
        payloads: [
          {
            sourcePort: 'transfer',
            destinationPort: 'transfer',
            version: 'ics20-1',
            encoding: 'application/json',
            value: data({}),
            ...payload,
          },
        ],
      });
      there.put('ibc', packetKeyV2('commitments', THEIRS, next), commitmentOfV2({ crypto }, packet));
      return packet;
    };
    const receivedV2 = (packet: PacketV2): Any => {
      const { proof: proofCommitment, proofHeight } = proofOf(packetKeyV2('commitments', THEIRS, packet.sequence));
      return anyOf(channelV2.MsgRecvPacketSchema, { packet, proofCommitment, proofHeight, signer });
    };
    const packets = [
      sentThere({}),
      sentThere({ encoding: 'application/x-protobuf', value: protobuf }),
      sentThere({ encoding: 'application/x-solidity-abi' }),
      sentThere({ encoding: 'text/plain' }),
      sentThere({ version: 'ics20-2' }),
      sentThere({ value: data({ receiver: 'nobody' }) }),
      sentThere({ value: data({ denom: 'transfer/07-tendermint-9/atest' }) }),
      sentThere({ value: Buffer.from('{') }),
      sentThere({ destinationPort: 'nothing' }),
      sentThere({ sourcePort: 'other' }),
      sentThere({}, second() + 1n),
      sentThere({}, second() + 200_000n),
    ];
    advance();
    const came = await executed([updated()], ...packets.map((packet) => [receivedV2(packet)]));
    expect(came.codes.slice(0, 3)).toEqual([' 0', ' 0', ' 0']);
    const [first] = packets;
    if (first === undefined) throw new Error('a packet');
    await executed([receivedV2(first)]);

    const voucher = localDenom(sha256, denomOfPath(`transfer/${CLIENT}/uatom`));
    const sends = [
      anyOf(MsgTransferSchema, {
        sourcePort: 'transfer',
        sourceChannel: CLIENT,
        token: { denom: 'atest', amount: '100' },
        sender: signer,
        receiver: 'counter1x',
        timeoutTimestamp: second() + 600n,
      }),
      anyOf(MsgTransferSchema, {
        sourcePort: 'transfer',
        sourceChannel: CLIENT,
        token: { denom: voucher, amount: '3' },
        sender: signer,
        receiver: 'counter1x',
        timeoutTimestamp: second() + 600n,
        encoding: 'application/x-protobuf',
      }),
      anyOf(channelV2.MsgSendPacketSchema, {
        sourceClient: CLIENT,
        timeoutTimestamp: second() + 30n,
        payloads: [
          {
            sourcePort: 'transfer',
            destinationPort: 'transfer',
            version: 'ics20-1',
            encoding: 'application/json',
            value: data({ denom: 'atest', amount: '7', sender: signer, receiver: 'counter1x' }),
          },
        ],
        signer,
      }),
      anyOf(channelV2.MsgSendPacketSchema, {
        sourceClient: CLIENT,
        timeoutTimestamp: second() + 600n,
        payloads: [
          {
            sourcePort: 'transfer',
            destinationPort: 'transfer',
            version: 'ics20-1',
            encoding: 'application/json',
            value: data({ denom: 'atest', amount: '7', sender: other, receiver: 'counter1x' }),
          },
        ],
        signer,
      }),
      anyOf(channelV2.MsgSendPacketSchema, {
        sourceClient: CLIENT,
        timeoutTimestamp: second() + 90_000n,
        payloads: [
          { sourcePort: 'transfer', destinationPort: 'transfer', version: 'ics20-1', encoding: 'x', value: data({}) },
        ],
        signer,
      }),
    ];
    const went = await executed(...sends.map((message) => [message]));
    expect(went.codes.slice(0, 3)).toEqual([' 0', ' 0', ' 0']);
    const encoded = went.theirs.txResults.flatMap(({ events }) =>
      events
        .filter(({ type }) => type === 'send_packet')
        .map(({ attributes }) => attributes.find(({ key }) => key === 'encoded_packet_hex')?.value ?? ''),
    );
    const [taken, refused, late] = encoded.map((hex) => fromBinary(PacketV2Schema, Buffer.from(hex, 'hex')));
    if (taken === undefined || refused === undefined || late === undefined) throw new Error('three packets');
    const answers = (
      [
        [taken, SUCCESS],
        [refused, errorAcknowledgement({ crypto })],
      ] as const
    ).map(([packet, answer]) => {
      const acknowledgement = create(AcknowledgementSchema, { appAcknowledgements: [answer] });
      const key = packetKeyV2('acks', THEIRS, packet.sequence);
      there.put('ibc', key, commitmentOfAnswer({ crypto }, acknowledgement));
      return (): Any => {
        const { proof: proofAcked, proofHeight } = proofOf(key);
        return anyOf(channelV2.MsgAcknowledgementSchema, { packet, acknowledgement, proofAcked, proofHeight, signer });
      };
    });
    for (let block = 0; block < 60; block += 1) there.block();
    advance();
    await pair.block([], { seconds: 300 });
    const { proof: proofUnreceived, proofHeight } = proofOf(packetKeyV2('receipts', THEIRS, late.sequence));
    const timed = anyOf(channelV2.MsgTimeoutSchema, { packet: late, proofUnreceived, proofHeight, signer });
    const ended = await executed([updated()], ...answers.map((message) => [message()]), [timed]);
    expect(ended.codes).toEqual([' 0', ' 0', ' 0', ' 0']);
    await executed(...answers.map((message) => [message()]), [timed]);

    const config = { clientId: CLIENT, config: { allowedRelayers: [other] }, signer };
    const last = sentThere({});
    advance();
    await pair.block([], { seconds: 60 });
    expect(
      (await executed([updated()], [anyOf(clientV2.MsgUpdateClientConfigSchema, config)], [receivedV2(last)])).codes,
    ).toMatchObject([' 0', expect.any(String), expect.any(String)]);
  });
});
