/// <reference lib="esnext.disposable" preserve="true" />
import type { CometMethods, EthereumMethods, Hex, JsonRpcClient, TransactionReceipt } from './methods.js';
import type { PacketCommands } from './packet-types.js';

/** A face that listens, by its name in `Endpoints`. */
export type FaceName = 'comet' | 'ethHttp' | 'ethWs' | 'grpc' | 'rest' | 'metrics';

/**
 * When blocks are made. `instant`: as soon as a transaction is pending. `manual`: only on request (`evm_mine`).
 * `intervalMs`: every so many milliseconds.
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
  /** True also starts a second chain, a relayer, and an IBC channel between the two chains. */
  readonly ibc?: boolean;
  /** Virtual clock and fixed keys: the same requests give the same bytes. */
  readonly deterministic?: boolean;
  /** A genesis.json for the chain, instead of the dev genesis. */
  readonly genesisFile?: string;
  /** Data folder; a later start continues the chain in it. By default a temporary folder, which `stop` removes. */
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

/** Addresses for clients: URLs, except gRPC, which has `host:port`. */
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
  /**
   * Block hash in Ethereum JSON-RPC: the Ethereum header's hash if the genesis of the chain enables it, else that of
   * the consensus block.
   */
  readonly ethereumHash: Hex;
  /** Nanoseconds since 1970. */
  readonly time: bigint;
  /** Its consensus transactions. */
  readonly txs: readonly Uint8Array[];
}

/** The second chain of `ibc: true`. */
export interface SecondChain {
  /** Its `stop` stops this chain and the relayer. The `stop` of the first node stops them, too. */
  readonly node: ChronicleNode;
  /**
   * Channel ids of the port `transfer` on the first chain (`here`) and on this one (`there`); undefined until the
   * channel is open. If a chain is reverted to before the channel, new channels with other ids are opened.
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
   * Blocks in order, each once and without gaps, at the reader's pace, until the node stops or `signal` aborts.
   * `from` may be a past height; by default the next block. To resume, pass the height after the last block read.
   */
  readonly blocks: (options?: {
    readonly from?: bigint;
    readonly signal?: AbortSignal;
  }) => AsyncGenerator<BlockFacts, void, undefined>;
  /** Resolves with the reason when the node fails; otherwise it never settles. */
  readonly failed: Promise<Error>;
  /**
   * Finishes the running block, closes every server, ends the threads and removes temporary files. Further calls
   * return the same promise.
   */
  readonly stop: () => Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
