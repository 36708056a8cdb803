/** Commands and status of IBC packets that a chain of `dev --ibc` sent. */
import type { Outcome } from '../errors.js';

/** Delay of packets: blocks of the sending chain and seconds of its clock after the packet was sent. */
export interface PacketDelay {
  readonly blocks: bigint;
  readonly seconds: bigint;
}

/**
 * State of a packet. `waiting`: not received. `received`: its acknowledgement is not relayed yet. `timed out`: its
 * sender processed the timeout. `lost`: after a revert its chain reused the sequence, of which the other chain
 * received another packet, so it can neither arrive nor time out.
 */
export type PacketStatus = 'waiting' | 'received' | 'acknowledged' | 'timed out' | 'lost';

/** A packet that a chain sent. */
export interface RelayedPacket {
  readonly sequence: bigint;
  /** Channel on the sending chain, and on the other one. */
  readonly channel: string;
  readonly destinationChannel: string;
  readonly status: PacketStatus;
  /** Why the packet is not relayed, such as `held` or an expired client; undefined while it is. */
  readonly reason: string | undefined;
  /** Acknowledgement by the other chain; undefined before it exists, and when no event has it any more. */
  readonly acknowledgement: Uint8Array | undefined;
}

/**
 * Commands for packets that this chain sent over the relayer's channel. They are settings of the process: after a
 * restart all packets are relayed. Commands that name a packet fail unless it is waiting; all fail while the channel
 * is not open.
 */
export interface PacketCommands {
  /** Packets in flight. */
  list(): Promise<Outcome<readonly RelayedPacket[]>>;
  /** Packets of a transaction by its Ethereum or CometBFT hash; undefined when no block has it. */
  ofTransaction(hash: Uint8Array): Promise<Outcome<readonly RelayedPacket[] | undefined>>;
  /** Packet with a sequence; undefined when none was sent. */
  find(sequence: bigint): Promise<Outcome<RelayedPacket | undefined>>;
  /**
   * Stops relaying packets, their acknowledgements and timeouts; without sequences all packets, later ones included.
   */
  hold(sequences: readonly bigint[] | undefined): Outcome<undefined>;
  /** Releases held packets; without sequences all packets, and clears order and delay. */
  release(sequences: readonly bigint[] | undefined): Outcome<undefined>;
  /** Never relays a packet to the other chain; only its timeout is relayed. */
  drop(sequence: bigint): Promise<Outcome<undefined>>;
  /** Relays packets one after another in this order. */
  order(sequences: readonly bigint[]): Promise<Outcome<undefined>>;
  /** Relays packets with a delay after they were sent. */
  delay(delay: PacketDelay): Outcome<undefined>;
  /** Drops a packet, and moves clock or height of the other chain past its timeout. */
  timeOut(sequence: bigint): Promise<Outcome<undefined>>;
  /** Id of the light client by which this chain follows the other one. */
  client(): Outcome<string>;
}
