/** The resolved options of a daemon command: flags, environment, files and defaults are merged. */

import type { Mining } from '../core/chain/mining.js';
import type { ExpectedFact } from '../core/chain/chain-mismatch.js';
import type { ConsensusTimeouts } from '../core/consensus/timeouts.js';
import type { LogSync } from '../core/ports/log-sync.js';

/**
 * The faces of the node by their keys in the ready file, in the order of `--port-base`
 * (`src/config/ready-file.ts`).
 */
export const FACES = ['comet', 'eth_http', 'eth_ws', 'grpc', 'rest', 'rest_alias', 'metrics'] as const;
export type Face = (typeof FACES)[number];

/** The faces as a person calls them. */
export const FACE_NAMES: Readonly<Record<Face, string>> = {
  comet: 'consensus RPC',
  eth_http: 'Ethereum JSON-RPC',
  eth_ws: 'Ethereum websocket',
  grpc: 'gRPC',
  rest: 'REST',
  rest_alias: 'REST alias',
  metrics: 'metrics',
};

/** A value for each face. */
export function ofEachFace<Value>(value: (face: Face) => Value): Readonly<Record<Face, Value>> {
  return {
    comet: value('comet'),
    eth_http: value('eth_http'),
    eth_ws: value('eth_ws'),
    grpc: value('grpc'),
    rest: value('rest'),
    rest_alias: value('rest_alias'),
    metrics: value('metrics'),
  };
}

/** Port 0 lets the system choose. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Levels of the log, from the least severe one. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface DaemonOptions {
  /**
   * `dev`: funded accounts and dev namespaces; `start`: an initialised home, with the consensus timeouts of its
   * config.toml.
   */
  readonly mode: 'dev' | 'start';
  readonly home: string;
  readonly listen: Readonly<Record<Face, ListenAddress>>;
  readonly jsonRpc: JsonRpcOptions;
  /**
   * Accepted host names, besides localhost, its subdomains and IP addresses; origins whose pages may call. `*` is
   * any.
   */
  readonly allowedHosts: readonly string[];
  readonly corsAllowedOrigins: readonly string[];
  /**
   * Library of the HTTP servers: `uws` (uWebSockets.js), or `node` if chosen or if uws has no binary for this
   * platform.
   */
  readonly httpServer: 'uws' | 'node';
  readonly readyFile: string | undefined;
  readonly moniker: string;
  readonly chainId: string;
  /** EIP-155 id; undefined when the chain id or the genesis decides. */
  readonly evmChainId: bigint | undefined;
  readonly bech32Prefix: string;
  /** Facts of the chain that the user set explicitly; a start compares them with the chain of the home. */
  readonly named: readonly ExpectedFact[];
  readonly baseDenom: string;
  /** Smallest gas price of mempool admission, in the base denom. */
  readonly minGasPrice: bigint;
  /** Number of blocks between checks of all invariants; 0 disables the checks. */
  readonly invariantPeriod: bigint;
  /** Creates a chain even if the invariants of its genesis do not hold. */
  readonly skipInvariants: boolean;
  /** A genesis.json for a new chain, instead of the dev genesis. */
  readonly genesisFile: string | undefined;
  readonly mining: Mining;
  /**
   * In instant mode, when a sent transaction is answered: after its block can be read (`eager`), or after its
   * admission (`strict`). ganache has the same option.
   */
  readonly instamine: 'eager' | 'strict';
  /** Consensus timeouts in the home's config.toml; empty in dev mode. */
  readonly timeouts: Partial<ConsensusTimeouts>;
  /** Database in a temporary folder that is removed at stop. */
  readonly ephemeral: boolean;
  /**
   * `dev`: run a temporary copy of the home's chain from the state after this height. A node may run on the home
   * meanwhile. Implies `ephemeral`.
   */
  readonly branch: bigint | undefined;
  /** `dev`: a second chain runs beside this one, with a relayer between them. */
  readonly ibc: boolean;
  /** Virtual clock, no heartbeat, fixed keys: equal requests give equal bytes. */
  readonly deterministic: boolean;
  readonly accounts: {
    readonly mnemonic: string;
    readonly count: number;
    /** In the base denom, each. */ readonly balance: bigint;
  };
  readonly logSync: LogSync;
  /** How many old states are kept. */
  readonly pruning: PruningOptions;
  /** How many old blocks are kept. */
  readonly retained: RetainedBlocks;
  readonly snapshots: SnapshotOptions;
  /** The consensus engine in another process that makes the blocks; undefined if this process makes them. */
  readonly engine: EngineOptions | undefined;
  /** Plan name of the application version to run; undefined for the first one. */
  readonly appVersion: string | undefined;
  /** Heights at which a scheduled upgrade is skipped. */
  readonly unsafeSkipUpgrades: readonly bigint[];
  /** Ends the process with exit code 7 when it halts for an upgrade; otherwise queries stay up. */
  readonly exitOnHalt: boolean;
  /** Stop when the parent process ends; undefined: only if a package manager (npx, npm, ...) is the parent. */
  readonly exitWithParent: boolean | undefined;
  /** Name of the application preset: `chronicle` or `evmd`. */
  readonly preset: string;
  readonly logLevel: LogLevel;
  readonly logFormat: 'plain' | 'json';
  /** No banner, and no lines of the activity log. */
  readonly quiet: boolean;
  /** Folders of compiled contracts; empty for the default ones of hardhat and foundry. */
  readonly abi: readonly string[];
}

/** The SDK's names for pruning strategies (cosmossdk.io/store v1.1.2 `pruning/types/options.go`). */
export type PruningStrategy = 'default' | 'nothing' | 'everything' | 'custom';

export interface PruningOptions {
  readonly strategy: PruningStrategy;
  /** Number of old states kept besides that of the head; undefined keeps all. */
  readonly keepRecent: bigint | undefined;
  /** Number of blocks between prunings. */
  readonly interval: bigint;
}

/** A block is kept if either rule keeps it; without a rule all blocks are kept. */
export interface RetainedBlocks {
  /** Number of newest blocks to keep. */
  readonly blocks: bigint | undefined;
  /** Keep blocks younger than this many seconds before the head's time. */
  readonly seconds: bigint | undefined;
}

/** A consensus engine that drives the application over ABCI. */
export interface EngineOptions {
  /** Address at which the node listens for the engine (`abci --address`; `proxy_app` in CometBFT's config.toml). */
  readonly address: string;
  /**
   * The engine's RPC, to which this node forwards transactions of its clients; undefined: they stay in this node's
   * mempool.
   */
  readonly comet: URL | undefined;
  /** Blocks that the engine should keep; undefined for all. */
  readonly retainBlocks: bigint | undefined;
}

/** Snapshots of the state, under the SDK's names (cosmos-sdk v0.53 `server/config/config.go`). */
export interface SnapshotOptions {
  /** Number of blocks between snapshots; 0 takes none. */
  readonly interval: bigint;
  /** Number of snapshots to keep; 0 keeps all. */
  readonly keepRecent: number;
}

/** Options of the Ethereum face, under the flag names of cosmos/evm and anvil. */
export interface JsonRpcOptions {
  /** False opens neither the HTTP nor the websocket port. */
  readonly enabled: boolean;
  /** Served namespaces; undefined for the default of the mode. */
  readonly namespaces: readonly string[] | undefined;
  /** Raw transactions without a chain id (EIP-155) are admitted; in dev mode only. */
  readonly allowUnprotectedTxs: boolean;
  /** Highest fee in wei of a transaction sent through Ethereum JSON-RPC; 0 means no limit. */
  readonly txFeeCap: bigint;
  /** A second address of the websocket. */
  readonly webSocketAlias: ListenAddress | undefined;
}
