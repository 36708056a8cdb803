/** Commands for the packets that a chain of `dev --ibc` sent, and what they answer. */
import type { Outcome } from '../errors.js';

/** Packets wait until their chain has made so many blocks after theirs, and its clock has gone so many seconds on. */
export interface PacketDelay {
  readonly blocks: bigint;
  readonly seconds: bigint;
}

/**
 * Where a packet is. `waiting`: it was not received; `received`: its answer is not brought yet; `timed out`: its sender
 * was told that it was not received; `lost`: its chain went back and used a sequence again, of which the other chain
 * received another packet, so that it neither arrives nor times out.
 */
export type PacketStatus = 'waiting' | 'received' | 'acknowledged' | 'timed out' | 'lost';

/** A packet that a chain sent. */
export interface RelayedPacket {
  readonly sequence: bigint;
  /** The channel of the sending chain, and of the other one. */
  readonly channel: string;
  readonly destinationChannel: string;
  readonly status: PacketStatus;
  /** The reason for which it does not go on, as `held`, or a client that expired; undefined while it goes on. */
  readonly reason: string | undefined;
  /** The answer of the other chain; undefined before it, and where no event tells of it any more. */
  readonly acknowledgement: Uint8Array | undefined;
}

/**
 * Commands for the packets that this chain sent over the channel of the relayer. They are settings of the process: a
 * restart brings everything. Those that name a packet are refused where it is not waiting; all are while the channel is
 * not open.
 */
export interface PacketCommands {
  /** The packets that have not ended. */
  list(): Promise<Outcome<readonly RelayedPacket[]>>;
  /** The packets of a transaction by its Ethereum or consensus hash; undefined where no block holds it. */
  ofTransaction(hash: Uint8Array): Promise<Outcome<readonly RelayedPacket[] | undefined>>;
  /** The packet of a sequence; undefined where none was sent. */
  find(sequence: bigint): Promise<Outcome<RelayedPacket | undefined>>;
  /** Holds packets, with their answers and timeouts; all, also later ones, without sequences. */
  hold(sequences: readonly bigint[] | undefined): Outcome<undefined>;
  /** Lets held packets go; without sequences, all, and their order and delay end. */
  release(sequences: readonly bigint[] | undefined): Outcome<undefined>;
  /** Never brings a packet: only its timeout. */
  drop(sequence: bigint): Promise<Outcome<undefined>>;
  /** Brings packets one after another in this order. */
  order(sequences: readonly bigint[]): Promise<Outcome<undefined>>;
  /** Brings packets a while after they were sent. */
  delay(delay: PacketDelay): Outcome<undefined>;
  /** Drops a packet, and moves clock or height of the other chain past its timeout. */
  timeOut(sequence: bigint): Promise<Outcome<undefined>>;
  /** The client by which this chain follows the other one. */
  client(): Outcome<string>;
}
