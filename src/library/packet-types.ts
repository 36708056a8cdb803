import type { Hex } from './methods.js';

/** A client of the Ethereum face in the form of EIP-1193, as of viem, Hardhat and `ChronicleNode.ethereum`. */
export interface Eip1193Client {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** A packet that a chain sent over IBC. */
export interface Packet {
  readonly sequence: bigint;
  /** The channel of the chain that sent it, and of the other one. */
  readonly channel: string;
  readonly destinationChannel: string;
  /**
   * `received`: its answer is not back yet; `timed out`: its tokens are back; `lost`: a revert of its chain alone gave
   * it the sequence of a packet that the other chain has received.
   */
  readonly status: 'waiting' | 'received' | 'acknowledged' | 'timed out' | 'lost';
  /** The reason for which it does not go on, for example `held` or `client 07-tendermint-0 of ... is Expired`. */
  readonly reason: string | undefined;
  /** The error that the other chain answered, which gave the tokens back; undefined without one. */
  readonly error: string | undefined;
}

/** A packet that goes nowhere any more. */
export type EndedPacket = Packet & { readonly status: 'acknowledged' | 'timed out' };

/** Options of a wait for a packet. */
export interface WaitOptions {
  /** By default one minute. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Commands for the packets that this chain sends to the other one of `ibc: true`; a restart forgets them. */
export interface PacketCommands {
  /** The packets that have not ended. */
  readonly list: () => Promise<readonly Packet[]>;
  /** The packet of a sequence; undefined where none was sent. */
  readonly find: (sequence: bigint) => Promise<Packet | undefined>;
  /** Waits as `waitForPacket` does. */
  readonly wait: (which: Hex | bigint, options?: WaitOptions) => Promise<EndedPacket>;
  /** Keeps the relayer from packets, their answers and timeouts; without sequences from all, also later ones. */
  readonly hold: (...sequences: readonly bigint[]) => Promise<void>;
  /** Lets packets go; without sequences all that are held, and their order and delay end. */
  readonly release: (...sequences: readonly bigint[]) => Promise<void>;
  /** Never brings a packet, so that it times out. */
  readonly drop: (sequence: bigint) => Promise<void>;
  /** Brings packets one after another in this order. */
  readonly order: (...sequences: readonly bigint[]) => Promise<void>;
  /** Brings packets only so many blocks and seconds of this chain after they were sent. */
  readonly delay: (delay: { readonly blocks?: bigint; readonly seconds?: bigint }) => Promise<void>;
  /** Drops a packet and moves the other chain past its timeout at once. */
  readonly timeOut: (sequence: bigint) => Promise<void>;
  /** Lets the trusting period of a light client of this chain pass, by default the one of the channel; its id. */
  readonly expireClient: (clientId?: string) => Promise<string>;
}
