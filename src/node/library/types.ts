/// <reference lib="esnext.disposable" preserve="true" />
import type { CometMethods, EthereumMethods, Hex, JsonRpcClient, TransactionReceipt } from './methods.js';

/** A face that listens, by its name in `Endpoints`. */
export type FaceName = 'comet' | 'ethHttp' | 'ethWs' | 'grpc' | 'rest' | 'metrics';

/**
 * When blocks are made. `instant`: at once when a transaction waits. `manual`: only when a client asks for one
 * (`evm_mine`). Else every `intervalMs` milliseconds.
 */
export type Mining = 'instant' | 'manual' | { readonly intervalMs: number };

/** What a chain is started with; all of it has a default. */
export interface StartOptions {
  /** Network chain id, by default `chronicle_271828-1`. */
  readonly chainId?: string;
  /** EIP-155 id; by default the number in the chain id. */
  readonly evmChainId?: bigint;
  /** Prefix of addresses, by default `chron`. */
  readonly bech32Prefix?: string;
  /** Base denom, by default `achr`. */
  readonly denom?: string;
  /** Funded accounts: ten of the mnemonic that everybody knows, 10,000 each, by default. `balance` is in the display denom (18 decimals). */
  readonly accounts?: { readonly count?: number; readonly mnemonic?: string; readonly balance?: bigint };
  /** By default `instant`. */
  readonly mining?: Mining;
  /** Virtual clock and fixed keys: the same requests give the same bytes. */
  readonly deterministic?: boolean;
  /** A genesis.json that founds the chain in place of the dev genesis. */
  readonly genesisFile?: string;
  /** Folder that the chain is kept in and continued from; without one it lies in a temporary folder that `stop` removes. */
  readonly home?: string;
  /** True keeps nothing whatever `home` says; by default true without a home. */
  readonly ephemeral?: boolean;
  /** Ports to listen on; 0, the default of each, lets the system choose. All are on 127.0.0.1. */
  readonly ports?: { readonly [Name in FaceName]?: number };
  /** Least severe line on standard error; by default `error`. */
  readonly logLevel?: 'info' | 'error' | 'silent';
}

/** A funded account, with a key that is no secret. */
export interface Account {
  readonly index: number;
  /** `dev0` on. */
  readonly name: string;
  /** Checksummed 0x address (EIP-55). */
  readonly hex: Hex;
  /** The same 20 bytes with the chain's prefix. */
  readonly bech32: string;
  /** 32 bytes. */
  readonly privateKey: Hex;
}

/** Addresses to connect to: URLs, but for gRPC, which is `host:port`. */
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
  /** What both the consensus RPC and the Ethereum face call the block's hash. */
  readonly hash: Hex;
  /** Nanoseconds since 1970. */
  readonly time: bigint;
  /** Its transactions, as the consensus has them. */
  readonly txs: readonly Uint8Array[];
}

/** A node that answers. */
export interface ChronicleNode {
  readonly chainId: string;
  readonly evmChainId: bigint;
  readonly endpoints: NodeEndpoints;
  readonly accounts: readonly Account[];
  readonly mnemonic: string;
  /** The Ethereum face; an EIP-1193 provider, so it is what viem's `custom` and ethers' `BrowserProvider` take. */
  readonly ethereum: JsonRpcClient<EthereumMethods>;
  /** The consensus RPC. */
  readonly comet: JsonRpcClient<CometMethods>;
  /** Receipt of an Ethereum transaction, once its block is there; rejects when the node ends before. */
  readonly receipt: (hash: Hex) => Promise<TransactionReceipt>;
  /**
   * Blocks in order, each once and none left out, however slowly they are read: from a past height, by default from the next
   * block on, until the node stops or `signal` says so. Who was interrupted goes on from the height after the last.
   */
  readonly blocks: (options?: {
    readonly from?: bigint;
    readonly signal?: AbortSignal;
  }) => AsyncGenerator<BlockFacts, void, undefined>;
  /** Resolves, with the reason, should the node fail; never otherwise. */
  readonly failed: Promise<Error>;
  /** Finishes the block in flight, closes every face, ends the threads and removes what was temporary. Again: nothing. */
  readonly stop: () => Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
