/**
 * A chain that evmd and this program execute at once, with packets to and from a chain in memory that has real headers
 * and proofs. The state of the other end of the path is put into that chain; nothing executes the packets there.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Hex, hexToBytes } from 'viem';
import { expect } from 'vitest';
import { VERSION } from '../../../src/core/modules/ibc/connection/connections.js';
import { commitmentOf, sourceOf } from '../../../src/core/modules/ibc/channel/packets.js';
import { channelKey, connectionKey, packetKey } from '../../../src/core/modules/ibc/keys.js';
import * as auth from '../../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import { MsgTransferSchema } from '../../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import {
  ChannelSchema,
  Order,
  type Packet,
  PacketSchema,
  State,
} from '../../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import * as channel from '../../../src/core/proto/ibc/core/channel/v1/tx_pb.js';
import * as client from '../../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import {
  ConnectionEndSchema,
  State as ConnectionState,
} from '../../../src/core/proto/ibc/core/connection/v1/connection_pb.js';
import * as connection from '../../../src/core/proto/ibc/core/connection/v1/tx_pb.js';
import {
  ClientStateSchema,
  ConsensusStateSchema,
  HeaderSchema,
} from '../../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { packAny } from '../../../src/core/sdk/codec/any.js';
import { complete } from '../../../src/core/sdk/codec/complete-message.js';
import { crypto } from '../../core/app/support.js';
import { IbcChain } from '../../core/modules/ibc/chains/chain.js';
import { clientStateOf, consensusStateOf, headerOf, heightOf, packetsOf } from '../../core/modules/ibc/chains/relay.js';
import { encode } from '../../support/encode.js';
import { goldenPath } from '../../support/golden.js';
import { anyOf, signTx } from '../../support/sign-tx.js';
import { EVMD } from '../evmd.js';
import { EVM_CHAIN_ID, type Founded, foundedChain } from '../messages/genesis.js';
import { type Pair, type PairedBlock, startPair } from '../pair.js';
import { Random } from '../random.js';

export const SECOND = 1_000_000_000n;
/** The first block of a chain in memory is made 5 seconds after this time. */
const START = 1_700_000_000n * SECOND;
const HOUR = 3_600n * SECOND;
export const THERE = { portId: 'transfer', channelId: 'channel-5' };
export const HERE = { portId: 'transfer', channelId: 'channel-0' };
export const CLIENT = '07-tendermint-0';
const NONE = { revisionNumber: 0n, revisionHeight: 0n };
/** Acknowledgements of transfers. */
export const SUCCESS = Buffer.from('{"result":"AQ=="}');
export const FAILURE = Buffer.from('{"error":"ABCI code: 5: error handling packet: see events for details"}');
export const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();

/** Members of the data of a transfer. */
export interface Transferred {
  readonly denom?: string;
  readonly amount?: string;
  readonly sender?: string;
  readonly receiver?: string;
  readonly memo?: string;
}

/** The private key of a recorded account. */
export function keyOf(name: string): Hex {
  const keys: Readonly<Record<string, { readonly priv: Hex }>> = JSON.parse(
    readFileSync(goldenPath('tx-vectors/keys.json'), 'utf8'),
  );
  return keys[name]?.priv ?? '0x';
}

export class PacketPair {
  /** Account that signs, and another one. */
  readonly signer: string;
  readonly other: string;
  readonly there: IbcChain;
  sequence: bigint;
  readonly #founded: Founded;
  readonly #accountNumber: bigint;
  /** Height of the other chain that the light client here knows. */
  #known = 0n;
  /** Last packet from the other chain. */
  #last = 0n;

  private constructor(
    readonly pair: Pair,
    founded: Founded,
    account: Pick<auth.QueryAccountInfoResponse, 'info'>,
  ) {
    this.#founded = founded;
    this.signer = founded.actors[0]?.bech32 ?? '';
    this.other = founded.actors[1]?.bech32 ?? '';
    this.#accountNumber = account.info?.accountNumber ?? 0n;
    this.sequence = account.info?.sequence ?? 0n;
    this.there = new IbcChain('counter-1', { offset: pair.time() - START - 60n * SECOND });
  }

  /** Begins both chains, and opens a channel of transfers from one to the other. The caller stops the pair. */
  static async start(): Promise<PacketPair> {
    const founded = foundedChain(new Random(3));
    const pair = await startPair(EVMD ?? '', founded.genesis, EVM_CHAIN_ID);
    expect((await pair.block([])).difference).toBeUndefined();
    const request = encode(auth.QueryAccountInfoRequestSchema, { address: founded.actors[0]?.bech32 ?? '' });
    const { theirs } = await pair.query('/cosmos.auth.v1beta1.Query/AccountInfo', request);
    const started = new PacketPair(pair, founded, fromBinary(auth.QueryAccountInfoResponseSchema, theirs.value));
    started.#putOtherEnd();
    await started.#open();
    return started;
  }

  #putOtherEnd(): void {
    const { there } = this;
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
    this.advance();
  }

  async #open(): Promise<void> {
    const { there, signer, advance, executed, proofOf, updated } = this;
    const counterparty = { clientId: '07-tendermint-9', prefix: { keyPrefix: Buffer.from('ibc') } };
    this.#known = there.height;
    const opened = await executed(
      [
        anyOf(client.MsgCreateClientSchema, {
          clientState: packAny(ClientStateSchema, clientStateOf(there, there.height)),
          consensusState: packAny(ConsensusStateSchema, consensusStateOf(there.shown(there.height))),
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
  }

  readonly signed = (messages: readonly Any[]): Uint8Array => {
    const fee = { amount: [{ denom: 'atest', amount: 4n * 10n ** 16n }], gasLimit: 2_000_000n };
    const { chainId } = this.#founded;
    const unsigned = {
      messages,
      memo: '',
      fee,
      chainId,
      accountNumber: this.#accountNumber,
      sequence: this.sequence,
      coinMetadata: new Map(),
    };
    this.sequence += 1n;
    return signTx(unsigned, hexToBytes(keyOf('mykey')));
  };

  /**
   * Executes a block of these transactions, each with so many messages, and expects equal results. Returns the codes.
   */
  readonly executed = async (
    ...txs: readonly (readonly Any[])[]
  ): Promise<PairedBlock & { readonly codes: readonly string[] }> => {
    const block = await this.pair.block(txs.map(this.signed));
    expect(block.difference).toBeUndefined();
    return { ...block, codes: block.theirs.txResults.map(({ codespace, code }) => `${codespace} ${code}`) };
  };

  /** Two blocks there, the second of which has the root of what was put before; each is 5 seconds long. */
  readonly advance = (): void => {
    this.there.block();
    this.there.block();
  };

  readonly updated = (): Any => {
    const message = anyOf(client.MsgUpdateClientSchema, {
      clientId: CLIENT,
      clientMessage: packAny(HeaderSchema, headerOf(this.there, this.#known)),
      signer: this.signer,
    });
    this.#known = this.there.height;
    return message;
  };

  readonly proofOf = (key: Uint8Array) => ({
    proof: this.there.prove(key, this.there.height - 1n),
    proofHeight: heightOf(this.there, this.there.height),
  });

  /** A packet that the chain there sends, in its state. */
  readonly sent = (data: Uint8Array, choices: { readonly height?: bigint; readonly time?: bigint } = {}): Packet => {
    this.#last += 1n;
    const packet = create(PacketSchema, {
      sequence: this.#last,
      sourcePort: THERE.portId,
      sourceChannel: THERE.channelId,
      destinationPort: HERE.portId,
      destinationChannel: HERE.channelId,
      data,
      timeoutHeight: choices.height === undefined ? NONE : { revisionNumber: 0n, revisionHeight: choices.height },
      timeoutTimestamp: choices.time ?? this.pair.time() + HOUR,
    });
    this.there.put(
      'ibc',
      packetKey('commitments', sourceOf(packet), packet.sequence),
      commitmentOf({ crypto }, packet),
    );
    return packet;
  };

  readonly dataOf = (members: Transferred): Uint8Array =>
    Buffer.from(
      JSON.stringify({ amount: '10', denom: 'uatom', receiver: this.signer, sender: 'counter1x', ...members }),
    );

  readonly received = (packet: Packet): Any => {
    const { proof: proofCommitment, proofHeight } = this.proofOf(
      packetKey('commitments', sourceOf(packet), packet.sequence),
    );
    return anyOf(channel.MsgRecvPacketSchema, { packet, proofCommitment, proofHeight, signer: this.signer });
  };

  /** Sends coins to the other chain. Returns the packet. */
  readonly transferred = async (denom: string, amount: string, memo = '', seconds = 3_600n): Promise<Packet> => {
    const message = anyOf(MsgTransferSchema, {
      sourcePort: HERE.portId,
      sourceChannel: HERE.channelId,
      token: { denom, amount },
      sender: this.signer,
      receiver: 'counter1x',
      timeoutTimestamp: this.pair.time() + seconds * SECOND,
      memo,
    });
    const { theirs, codes } = await this.executed([message]);
    expect({ codes, logs: theirs.txResults.map(({ log }) => log) }).toEqual({ codes: [' 0'], logs: [''] });
    const [found] = theirs.txResults.flatMap((result) => packetsOf(result));
    if (found === undefined) throw new Error('no packet');
    return found.packet;
  };

  /** Proof that the other chain has not received a packet from here. */
  readonly timed = (packet: Packet): Any => {
    const { proof: proofUnreceived, proofHeight } = this.proofOf(packetKey('receipts', THERE, packet.sequence));
    const { signer } = this;
    return anyOf(channel.MsgTimeoutSchema, { packet, proofUnreceived, proofHeight, nextSequenceRecv: 1n, signer });
  };

  /** Acknowledgement of the other chain for a packet from here. */
  readonly answered = (packet: Packet, acknowledgement: Uint8Array): (() => Any) => {
    const key = packetKey('acks', THERE, packet.sequence);
    this.there.put('ibc', key, sha256(acknowledgement));
    return () => {
      const { proof: proofAcked, proofHeight } = this.proofOf(key);
      return anyOf(channel.MsgAcknowledgementSchema, {
        packet,
        acknowledgement,
        proofAcked,
        proofHeight,
        signer: this.signer,
      });
    };
  };
}
