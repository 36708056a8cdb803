import type { Hex } from './methods.js';

/** An EIP-1193 client of Ethereum JSON-RPC, such as one of viem or Hardhat, or `ChronicleNode.ethereum`. */
export interface Eip1193Client {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** A packet that a chain sent over IBC. */
export interface Packet {
  readonly sequence: bigint;
  /** Channel id on the chain that sent the packet, then on the other chain. */
  readonly channel: string;
  readonly destinationChannel: string;
  /**
   * `received`: the acknowledgement is not relayed back yet; `timed out`: the tokens are refunded; `lost`: a revert
   * of the sending chain reused the sequence of a packet that the other chain has already received.
   */
  readonly status: 'waiting' | 'received' | 'acknowledged' | 'timed out' | 'lost';
  /** Why the packet is not relayed now, for example `held` or `client 07-tendermint-0 of ... is Expired`. */
  readonly reason: string | undefined;
  /** Error of the acknowledgement, after which the tokens were refunded; undefined without an error. */
  readonly error: string | undefined;
}

/** A packet in a final state. */
export type EndedPacket = Packet & { readonly status: 'acknowledged' | 'timed out' };

/** Options of a wait for a packet. */
export interface WaitOptions {
  /** Longest wait in milliseconds; by default one minute. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Commands that control the relayer for packets which this chain sends to the second chain of `ibc: true`. A restart
 * of the node forgets them.
 */
export interface PacketCommands {
  /** The packets that have not ended. */
  readonly list: () => Promise<readonly Packet[]>;
  /** The packet with this sequence; undefined if none was sent. */
  readonly find: (sequence: bigint) => Promise<Packet | undefined>;
  /** Waits as `waitForPacket` does. */
  readonly wait: (which: Hex | bigint, options?: WaitOptions) => Promise<EndedPacket>;
  /**
   * Stops relaying these packets, their acknowledgements and timeouts; without sequences, stops all packets, later
   * ones too.
   */
  readonly hold: (...sequences: readonly bigint[]) => Promise<void>;
  /** Resumes relaying these packets; without sequences, all held packets, and clears order and delay. */
  readonly release: (...sequences: readonly bigint[]) => Promise<void>;
  /** Never relays this packet, so that it times out. */
  readonly drop: (sequence: bigint) => Promise<void>;
  /** Relays packets one after another in this order. */
  readonly order: (...sequences: readonly bigint[]) => Promise<void>;
  /** Relays packets only after this many blocks and seconds of this chain have passed since they were sent. */
  readonly delay: (delay: { readonly blocks?: bigint; readonly seconds?: bigint }) => Promise<void>;
  /** Drops a packet and at once moves the clock or height of the other chain past the packet's timeout. */
  readonly timeOut: (sequence: bigint) => Promise<void>;
  /**
   * Expires a light client of this chain by moving time past its trusting period. By default it is the client of the
   * channel. Resolves with the client id.
   */
  readonly expireClient: (clientId?: string) => Promise<string>;
}
