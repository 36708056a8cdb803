/// <reference lib="esnext.disposable" preserve="true" />
import type { CometMethods, EthereumMethods, Hex, JsonRpcClient, TransactionReceipt } from './methods.js';
import type { PacketCommands } from './packet-types.js';

/** A face that listens, by its name in `Endpoints`. */
export type FaceName = 'comet' | 'ethHttp' | 'ethWs' | 'grpc' | 'rest' | 'metrics';

/**
 * When blocks are made. `instant`: at once when a transaction waits. `manual`: only when a client asks for one
 * (`evm_mine`). Else every `intervalMs` milliseconds.
 */
export type Mining = 'instant' | 'manual' | { readonly intervalMs: number };

/** Options of a chain; all have defaults. */
export interface StartOptions {
  /** Network chain id, by default `chronicle_271828-1`. */
  readonly chainId?: string;
  /** EIP-155 id; by default the number in the chain id. */
  readonly evmChainId?: bigint;
  /** Prefix of addresses, by default `chron`. */
  readonly bech32Prefix?: string;
  /** Base denom, by default `achr`. */
  readonly denom?: string;
  /**
   * Funded accounts: by default ten of the well-known test mnemonic, with 10,000 each. `balance` is in the display
   * denom (18 decimals).
   */
  readonly accounts?: { readonly count?: number; readonly mnemonic?: string; readonly balance?: bigint };
  /** By default `instant`. */
  readonly mining?: Mining;
  /** True starts a second chain, too, with a relayer and an open IBC channel between the two. */
  readonly ibc?: boolean;
  /** Virtual clock and fixed keys: the same requests give the same bytes. */
  readonly deterministic?: boolean;
  /** A genesis.json for the chain, instead of the dev genesis. */
  readonly genesisFile?: string;
  /** Folder in which the chain is kept and continued; without one it is in a temporary folder that `stop` removes. */
  readonly home?: string;
  /** True keeps no data, even with a `home`; by default true without a home. */
  readonly ephemeral?: boolean;
  /** Ports to listen on; 0, the default of each, lets the system choose. All are on 127.0.0.1. */
  readonly ports?: { readonly [Name in FaceName]?: number };
  /** Least severe line on standard error; by default `error`. */
  readonly logLevel?: 'info' | 'error' | 'silent';
}

/** A funded account with a public private key. */
export interface Account {
  readonly index: number;
  /** `dev0` onwards. */
  readonly name: string;
  /** Checksummed 0x address (EIP-55). */
  readonly hex: Hex;
  /** The 20 bytes of the address as bech32 with the chain's prefix. */
  readonly bech32: string;
  /** 32 bytes. */
  readonly privateKey: Hex;
}

/** Addresses for clients: URLs, except for gRPC, which is `host:port`. */
export interface NodeEndpoints {
  readonly comet: string;
  readonly cometWs: string;
  readonly ethHttp: string;
  readonly ethWs: string;
  readonly grpc: string;
  readonly rest: string;
  readonly metrics: string;
}

/** A block of the consensus. */
export interface BlockFacts {
  readonly height: bigint;
  /** The hash of the consensus block. */
  readonly hash: Hex;
  /** The hash of the block on the Ethereum face: that of its Ethereum header, on chains whose genesis says so. */
  readonly ethereumHash: Hex;
  /** Nanoseconds since 1970. */
  readonly time: bigint;
  /** Its consensus transactions. */
  readonly txs: readonly Uint8Array[];
}

/** The second chain of `ibc: true`. */
export interface SecondChain {
  /** Its `stop` ends it and the relayer; that of the first node does so, too. */
  readonly node: ChronicleNode;
  /**
   * The channels of the port `transfer` on the first chain and on this one; undefined before they are open. They are
   * others after one of the chains was taken back to before its channel.
   */
  readonly channels: { readonly here: string; readonly there: string } | undefined;
}

/** A running node. */
export interface ChronicleNode {
  /** Undefined without `ibc: true`. */
  readonly second: SecondChain | undefined;
  /** Commands for packets to the other chain; both chains of `ibc: true` have them. */
  readonly packets: PacketCommands | undefined;
  readonly chainId: string;
  readonly evmChainId: bigint;
  readonly endpoints: NodeEndpoints;
  readonly accounts: readonly Account[];
  readonly mnemonic: string;
  /** The Ethereum face as an EIP-1193 provider, for viem's `custom` and ethers' `BrowserProvider`. */
  readonly ethereum: JsonRpcClient<EthereumMethods>;
  /** The consensus RPC. */
  readonly comet: JsonRpcClient<CometMethods>;
  /** Receipt of an Ethereum transaction, once its block is published; rejects when the node ends before. */
  readonly receipt: (hash: Hex) => Promise<TransactionReceipt>;
  /**
   * Blocks in order, each once and without gaps, however slowly they are read: from a past height, by default from the
   * next block on, until the node stops or `signal` aborts. An interrupted reader continues from the height after the
   * last.
   */
  readonly blocks: (options?: {
    readonly from?: bigint;
    readonly signal?: AbortSignal;
  }) => AsyncGenerator<BlockFacts, void, undefined>;
  /** Resolves with the reason when the node fails; otherwise it never settles. */
  readonly failed: Promise<Error>;
  /**
   * Finishes the block in flight, closes every face, ends the threads and removes temporary files. Further calls do
   * nothing.
   */
  readonly stop: () => Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
