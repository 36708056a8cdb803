/**
 * Two nodes, and a relayer that uses only their public interfaces. With the headers, validators and proofs that they
 * serve, it relays a token from one node to the other and back.
 */
import { create, fromBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { createWalletClient, encodeFunctionData, http, parseAbi, parseEventLogs, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { fromHex, hex } from '../../src/core/bytes/hex.js';
import { utf8 } from '../../src/core/bytes/bytes.js';
import { type CommitJson, commitFromJson } from '../../src/core/comet/json/commit-json.js';
import { type HeaderJson, headerFromJson } from '../../src/core/comet/json/header-json.js';
import { type ValidatorJson, validatorFromJson } from '../../src/core/comet/json/validator-json.js';
import { sortedSet } from '../../src/core/comet/validator-set.js';
import { toDuration } from '../../src/core/comet/time.js';
import { VERSION } from '../../src/core/modules/ibc/connection/connections.js';
import { iavlSpec, simpleSpec } from '../../src/core/modules/ibc/ics23/specs.js';
import { channelKey, connectionKey, packetKey } from '../../src/core/modules/ibc/keys.js';
import { revisionOf } from '../../src/core/modules/ibc/self-height.js';
import { denomOfPath, localDenom } from '../../src/core/modules/transfer/denom.js';
import { CommitmentProofSchema } from '../../src/core/proto/cosmos/ics23/v1/proofs_pb.js';
import { MsgTransferSchema } from '../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import { Order, type Packet, PacketSchema, State } from '../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import * as channel from '../../src/core/proto/ibc/core/channel/v1/tx_pb.js';
import * as client from '../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import { MerkleProofSchema } from '../../src/core/proto/ibc/core/commitment/v1/commitment_pb.js';
import * as connection from '../../src/core/proto/ibc/core/connection/v1/tx_pb.js';
import {
  ClientStateSchema,
  ConsensusStateSchema,
  HeaderSchema,
} from '../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { packAny } from '../../src/core/sdk/codec/any.js';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { createPureCrypto } from '../../src/runtime/host/crypto.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { encode } from '../support/encode.js';
import { anyOf, signTx } from '../support/sign-tx.js';

const crypto = createPureCrypto();
/** Key of the first account of the well-known test mnemonic. */
const DEV0 = fromHex('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const DEV0_BYTES = fromHex('f39fd6e51aad88f6f4ce6ab8827279cfffb92266');
const ICS20 = parseAbi([
  'struct Height { uint64 revisionNumber; uint64 revisionHeight; }',
  'function transfer(string sourcePort, string sourceChannel, string denom, uint256 amount, address sender, string receiver, Height timeoutHeight, uint64 timeoutTimestamp, string memo) returns (uint64)',
  'event IBCTransfer(address indexed sender, string indexed receiver, string sourcePort, string sourceChannel, string denom, uint256 amount, string memo)',
]);
const HOUR = 3_600_000_000_000n;

/** Part of an answer at a path; undefined if it is absent. */
function at(json: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    json,
  );
}

const textAt = (json: unknown, ...path: readonly (string | number)[]): string => String(at(json, ...path));

function listAt(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const list = at(json, ...path);
  return Array.isArray(list) ? list : [];
}

/** Reads a part of an answer in the form that CometBFT documents. */
const read = <Form, Value>(part: unknown, parse: (json: Form) => Value): Value =>
  parse(JSON.parse(JSON.stringify(part)));

/** A node as a relayer sees it. */
class Remote {
  readonly address: string;
  clientId = '';
  connectionId = '';
  channelId = '';
  /** Latest height of the other chain that the light client here knows. */
  known = 0n;

  constructor(
    readonly node: DaemonProcess,
    readonly chainId: string,
  ) {
    this.address = encodeAddress('chron', DEV0_BYTES);
  }

  async rpc(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(this.node.endpoints.comet, { method: 'POST', body });
    const answer: unknown = JSON.parse(await response.text());
    if (at(answer, 'error') !== undefined) throw new Error(JSON.stringify(at(answer, 'error')));
    return at(answer, 'result');
  }

  async rest(path: string): Promise<unknown> {
    const answer: unknown = JSON.parse(await (await fetch(`${this.node.endpoints.rest}${path}`)).text());
    return answer;
  }

  async mine(): Promise<void> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] });
    await fetch(this.node.endpoints.eth_http ?? '', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
  }

  async height(): Promise<bigint> {
    return BigInt(textAt(await this.rpc('status'), 'sync_info', 'latest_block_height'));
  }

  /** Sends messages of dev0 and returns the result; they must succeed. */
  async send(messages: readonly Any[]): Promise<unknown> {
    const info = at(await this.rest(`/cosmos/auth/v1beta1/account_info/${this.address}`), 'info');
    const gasLimit = 3_000_000n;
    const tx = signTx(
      {
        messages,
        memo: '',
        fee: { amount: [{ denom: 'achr', amount: gasLimit * 2_000_000_000n }], gasLimit },
        chainId: this.chainId,
        accountNumber: BigInt(textAt(info, 'account_number')),
        sequence: BigInt(textAt(info, 'sequence')),
      },
      DEV0,
    );
    const result = await this.rpc('broadcast_tx_commit', { tx: Buffer.from(tx).toString('base64') });
    for (const part of ['check_tx', 'tx_result'])
      if (at(result, part, 'code') !== 0) throw new Error(JSON.stringify(at(result, part)));
    return at(result, 'tx_result');
  }

  async block(height: bigint) {
    const signed = at(await this.rpc('commit', { height: height.toString() }), 'signed_header');
    const found = at(await this.rpc('validators', { height: height.toString() }), 'validators');
    const list = read(found, (json: readonly ValidatorJson[]) => json.map(validatorFromJson));
    return {
      header: read(at(signed, 'header'), (json: HeaderJson) => headerFromJson(json)),
      commit: read(at(signed, 'commit'), (json: CommitJson) => commitFromJson(json)),
      validators: sortedSet(list, list[0]),
    };
  }

  heightAt(revisionHeight: bigint) {
    return { revisionNumber: revisionOf(this.chainId), revisionHeight };
  }

  /** The proof of a key under the header of the last block. */
  async prove(key: Uint8Array) {
    await this.mine();
    const height = await this.height();
    const answer = await this.rpc('abci_query', {
      path: '/store/ibc/key',
      data: Buffer.from(key).toString('hex'),
      height: (height - 1n).toString(),
      prove: true,
    });
    const proofs = listAt(answer, 'response', 'proofOps', 'ops').map((op) =>
      fromBinary(CommitmentProofSchema, Buffer.from(textAt(op, 'data'), 'base64')),
    );
    return { proof: encode(MerkleProofSchema, { proofs }), proofHeight: this.heightAt(height) };
  }
}

async function createClient(on: Remote, of: Remote): Promise<void> {
  const height = await of.height();
  const { header } = await of.block(height);
  const state = create(ClientStateSchema, {
    chainId: of.chainId,
    trustLevel: { numerator: 1n, denominator: 3n },
    trustingPeriod: toDuration(HOUR),
    unbondingPeriod: toDuration(2n * HOUR),
    maxClockDrift: toDuration(60_000_000_000n),
    latestHeight: of.heightAt(height),
    frozenHeight: {},
    proofSpecs: [iavlSpec(), simpleSpec()],
    upgradePath: ['upgrade', 'upgradedIBCState'],
  });
  const consensus = create(ConsensusStateSchema, {
    ...(header.time && { timestamp: header.time }),
    root: { hash: header.appHash },
    nextValidatorsHash: header.nextValidatorsHash,
  });
  const made = await on.send([
    anyOf(client.MsgCreateClientSchema, {
      clientState: packAny(ClientStateSchema, state),
      consensusState: packAny(ConsensusStateSchema, consensus),
      signer: on.address,
    }),
  ]);
  on.clientId = attribute(made, 'create_client', 'client_id');
  on.known = height;
}

/** Message that updates the client on `on` with the block of a proof. */
async function update(on: Remote, of: Remote, height: bigint): Promise<Any> {
  const { header, commit, validators } = await of.block(height);
  const { validators: trustedValidators } = await of.block(on.known + 1n);
  const message = create(HeaderSchema, {
    signedHeader: { header, commit },
    validatorSet: validators,
    trustedHeight: of.heightAt(on.known),
    trustedValidators,
  });
  on.known = height;
  return anyOf(client.MsgUpdateClientSchema, {
    clientId: on.clientId,
    clientMessage: packAny(HeaderSchema, message),
    signer: on.address,
  });
}

/** Submits a message to `on` with a proof from `of`. */
async function relay(
  on: Remote,
  of: Remote,
  key: Uint8Array,
  make: (proof: { proof: Uint8Array; proofHeight: ReturnType<Remote['heightAt']> }) => Any,
): Promise<unknown> {
  const proof = await of.prove(key);
  return on.send([await update(on, of, proof.proofHeight.revisionHeight), make(proof)]);
}

function attribute(result: unknown, type: string, key: string): string {
  const event = listAt(result, 'events').findLast((each) => at(each, 'type') === type);
  const found = listAt(event, 'attributes').find((each) => at(each, 'key') === key);
  if (found === undefined) throw new Error(`no ${type}.${key}`);
  return textAt(found, 'value');
}

function packetOf(result: unknown): Packet {
  const value = (key: string): string => attribute(result, 'send_packet', key);
  return create(PacketSchema, {
    sequence: BigInt(value('packet_sequence')),
    sourcePort: value('packet_src_port'),
    sourceChannel: value('packet_src_channel'),
    destinationPort: value('packet_dst_port'),
    destinationChannel: value('packet_dst_channel'),
    data: fromHex(value('packet_data_hex')),
    timeoutHeight: {},
    timeoutTimestamp: BigInt(value('packet_timeout_timestamp')),
  });
}

async function connect(a: Remote, b: Remote): Promise<void> {
  const prefix = { keyPrefix: utf8('ibc') };
  const init = await a.send([
    anyOf(connection.MsgConnectionOpenInitSchema, {
      clientId: a.clientId,
      counterparty: { clientId: b.clientId, prefix },
      version: VERSION,
      signer: a.address,
    }),
  ]);
  a.connectionId = attribute(init, 'connection_open_init', 'connection_id');
  const tried = await relay(b, a, connectionKey(a.connectionId), ({ proof: proofInit, proofHeight }) =>
    anyOf(connection.MsgConnectionOpenTrySchema, {
      clientId: b.clientId,
      counterparty: { clientId: a.clientId, connectionId: a.connectionId, prefix },
      counterpartyVersions: [VERSION],
      proofInit,
      proofHeight,
      signer: b.address,
    }),
  );
  b.connectionId = attribute(tried, 'connection_open_try', 'connection_id');
  await relay(a, b, connectionKey(b.connectionId), ({ proof: proofTry, proofHeight }) =>
    anyOf(connection.MsgConnectionOpenAckSchema, {
      connectionId: a.connectionId,
      counterpartyConnectionId: b.connectionId,
      version: VERSION,
      proofTry,
      proofHeight,
      signer: a.address,
    }),
  );
  await relay(b, a, connectionKey(a.connectionId), ({ proof: proofAck, proofHeight }) =>
    anyOf(connection.MsgConnectionOpenConfirmSchema, {
      connectionId: b.connectionId,
      proofAck,
      proofHeight,
      signer: b.address,
    }),
  );
}

const named = ({ channelId }: Remote) => ({ portId: 'transfer', channelId });

async function openChannel(a: Remote, b: Remote): Promise<void> {
  const ordering = Order.UNORDERED;
  const init = await a.send([
    anyOf(channel.MsgChannelOpenInitSchema, {
      portId: 'transfer',
      channel: {
        state: State.INIT,
        ordering,
        counterparty: { portId: 'transfer' },
        connectionHops: [a.connectionId],
        version: 'ics20-1',
      },
      signer: a.address,
    }),
  ]);
  a.channelId = attribute(init, 'channel_open_init', 'channel_id');
  const tried = await relay(b, a, channelKey(named(a)), ({ proof: proofInit, proofHeight }) =>
    anyOf(channel.MsgChannelOpenTrySchema, {
      portId: 'transfer',
      channel: {
        state: State.TRYOPEN,
        ordering,
        counterparty: named(a),
        connectionHops: [b.connectionId],
      },
      counterpartyVersion: 'ics20-1',
      proofInit,
      proofHeight,
      signer: b.address,
    }),
  );
  b.channelId = attribute(tried, 'channel_open_try', 'channel_id');
  await relay(a, b, channelKey(named(b)), ({ proof: proofTry, proofHeight }) =>
    anyOf(channel.MsgChannelOpenAckSchema, {
      ...named(a),
      counterpartyChannelId: b.channelId,
      counterpartyVersion: 'ics20-1',
      proofTry,
      proofHeight,
      signer: a.address,
    }),
  );
  await relay(b, a, channelKey(named(a)), ({ proof: proofAck, proofHeight }) =>
    anyOf(channel.MsgChannelOpenConfirmSchema, { ...named(b), proofAck, proofHeight, signer: b.address }),
  );
}

/** Sends a token, delivers the packet, and returns its acknowledgement. */
async function transfer(from: Remote, to: Remote, denom: string, amount: string): Promise<string> {
  const now = BigInt(Date.parse(textAt(await from.rpc('status'), 'sync_info', 'latest_block_time'))) * 1_000_000n;
  const sent = await from.send([
    anyOf(MsgTransferSchema, {
      sourcePort: 'transfer',
      sourceChannel: from.channelId,
      token: { denom, amount },
      sender: from.address,
      receiver: to.address,
      timeoutTimestamp: now + HOUR,
    }),
  ]);
  return bring(from, to, packetOf(sent));
}

/** Delivers a packet to its chain, and its acknowledgement back. */
async function bring(from: Remote, to: Remote, packet: Packet): Promise<string> {
  const received = await relay(
    to,
    from,
    packetKey('commitments', named(from), packet.sequence),
    ({ proof: proofCommitment, proofHeight }) =>
      anyOf(channel.MsgRecvPacketSchema, { packet, proofCommitment, proofHeight, signer: to.address }),
  );
  const acknowledgement = fromHex(attribute(received, 'write_acknowledgement', 'packet_ack_hex'));
  await relay(from, to, packetKey('acks', named(to), packet.sequence), ({ proof: proofAcked, proofHeight }) =>
    anyOf(channel.MsgAcknowledgementSchema, { packet, acknowledgement, proofAcked, proofHeight, signer: from.address }),
  );
  return Buffer.from(acknowledgement).toString();
}

test('a token goes from one node to the other and back', async () => {
  const start = (chainId: string) => startDaemonProcess({ args: ['--ephemeral', '--chain-id', chainId] });
  const [one, two] = await Promise.all([start('alpha_271828-1'), start('beta_271829-4')]);
  const [a, b] = [new Remote(one, 'alpha_271828-1'), new Remote(two, 'beta_271829-4')];
  for (const each of [a, b]) await each.mine();
  await createClient(a, b);
  await createClient(b, a);
  await connect(a, b);
  await openChannel(a, b);
  expect(await transfer(a, b, 'achr', '1000')).toBe('{"result":"AQ=="}');
  const voucher = localDenom((data) => crypto.sha256(data), denomOfPath(`transfer/${b.channelId}/achr`));
  const supply = async () =>
    at(await b.rest(`/cosmos/bank/v1beta1/supply/by_denom?denom=${encodeURIComponent(voucher)}`), 'amount', 'amount');
  expect(await supply()).toBe('1000');
  expect(await b.rest(`/ibc/apps/transfer/v1/denoms/${voucher.slice(4)}`)).toEqual({
    denom: { base: 'achr', trace: [{ port_id: 'transfer', channel_id: b.channelId }] },
  });
  expect(await a.rest('/ibc/apps/transfer/v1/total_escrow/achr')).toEqual({
    amount: { denom: 'achr', amount: '1000' },
  });
  expect(await transfer(b, a, voucher, '1000')).toBe('{"result":"AQ=="}');
  expect(await supply()).toBe('0');
  // a contract call sends packets as a message does
  const account = privateKeyToAccount(`0x${hex(DEV0)}`);
  const wallet = createWalletClient({ account, transport: http(a.node.endpoints.eth_http) }).extend(publicActions);
  const hash = await wallet.sendTransaction({
    chain: null,
    to: '0x0000000000000000000000000000000000000802',
    data: encodeFunctionData({
      abi: ICS20,
      functionName: 'transfer',
      args: [
        'transfer',
        a.channelId,
        'achr',
        77n,
        account.address,
        b.address,
        { revisionNumber: 0n, revisionHeight: 0n },
        BigInt(Date.now()) * 1_000_000n + HOUR,
        'from a contract',
      ],
    }),
  });
  const receipt = await wallet.waitForTransactionReceipt({ hash });
  expect(parseEventLogs({ abi: ICS20, logs: receipt.logs })).toMatchObject([
    {
      eventName: 'IBCTransfer',
      args: {
        sender: account.address,
        sourceChannel: a.channelId,
        denom: 'achr',
        amount: 77n,
        memo: 'from a contract',
      },
    },
  ]);
  const results = await a.rpc('block_results', { height: receipt.blockNumber.toString() });
  expect(await bring(a, b, packetOf(at(results, 'txs_results', 0)))).toBe('{"result":"AQ=="}');
  expect(await supply()).toBe('77');
  expect(listAt(await a.rest('/ibc/core/channel/v1/channels'), 'channels')).toMatchObject([
    { state: 'STATE_OPEN', counterparty: { channel_id: b.channelId } },
  ]);
  const path = ({ channelId }: Remote): string => `/ibc/core/channel/v1/channels/${channelId}/ports/transfer`;
  expect(listAt(await a.rest(`${path(a)}/packet_commitments`), 'commitments')).toEqual([]);
  expect(listAt(await b.rest(`${path(b)}/packet_acknowledgements`), 'acknowledgements')).toHaveLength(2);
}, 120_000);
