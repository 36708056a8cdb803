/** The resolved options of a daemon command: flags, environment, files and defaults are merged. */

import type { Mining } from '../core/chain/mining.js';
import type { NamedFact } from '../core/chain/other-chain.js';
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
  /** Host names accepted besides localhost, names below it and addresses; origins whose pages may call. `*` is any. */
  readonly allowedHosts: readonly string[];
  readonly corsAllowedOrigins: readonly string[];
  /** Library of the HTTP servers: `uws` where it has a binary, else and by choice `node`. */
  readonly httpServer: 'uws' | 'node';
  readonly readyFile: string | undefined;
  readonly moniker: string;
  readonly chainId: string;
  /** EIP-155 id; undefined when the chain id or the genesis decides. */
  readonly evmChainId: bigint | undefined;
  readonly bech32Prefix: string;
  /** Facts of the chain that the user names, without defaults. */
  readonly named: readonly NamedFact[];
  readonly baseDenom: string;
  /** Smallest gas price of mempool admission, in the base denom. */
  readonly minGasPrice: bigint;
  /** Blocks from one check of all invariants to the next; 0 checks none. */
  readonly invariantPeriod: bigint;
  /** A genesis whose invariants do not hold founds a chain, too. */
  readonly skipInvariants: boolean;
  /** A genesis.json for a new chain, instead of the dev genesis. */
  readonly genesisFile: string | undefined;
  readonly mining: Mining;
  /**
   * When a send is answered that gets a block at once: when its block can be read (`eager`), or when it was admitted
   * (`strict`). ganache has the same option.
   */
  readonly instamine: 'eager' | 'strict';
  /** Consensus timeouts in the home's config.toml; empty in dev mode. */
  readonly timeouts: Partial<ConsensusTimeouts>;
  /** Database in a temporary folder that is removed at stop. */
  readonly ephemeral: boolean;
  /**
   * `dev`: the chain of the home as it was after the block of this height, in a temporary folder; a node may be running
   * on the home. It is `ephemeral`, too.
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
  /** Earlier states that are kept. */
  readonly pruning: PruningOptions;
  /** Blocks that are kept. */
  readonly retained: RetainedBlocks;
  readonly snapshots: SnapshotOptions;
  /** The consensus engine in another process that makes the blocks; undefined: this process makes them. */
  readonly engine: EngineOptions | undefined;
  /** Plan name of the application version to run; undefined for the first one. */
  readonly appVersion: string | undefined;
  /** Heights at which a scheduled upgrade is skipped. */
  readonly unsafeSkipUpgrades: readonly bigint[];
  /** Ends the process with exit code 7 when it halts for an upgrade; otherwise queries stay up. */
  readonly exitOnHalt: boolean;
  /** Ends with the process that started the node; undefined: with a package manager that ran the command. */
  readonly exitWithParent: boolean | undefined;
  /** Name of the application preset: `chronicle` or `evmd`. */
  readonly preset: string;
  readonly logLevel: LogLevel;
  readonly logFormat: 'plain' | 'json';
  /** No banner, and no lines of the activity log. */
  readonly quiet: boolean;
  /** Folders of compiled contracts; empty for the usual ones of hardhat and foundry. */
  readonly abi: readonly string[];
}

/** The words of the SDK for what is kept of earlier states (cosmossdk.io/store v1.1.2 `pruning/types/options.go`). */
export type PruningStrategy = 'default' | 'nothing' | 'everything' | 'custom';

export interface PruningOptions {
  readonly strategy: PruningStrategy;
  /** States that are kept besides that of the head; undefined keeps all. */
  readonly keepRecent: bigint | undefined;
  /** Blocks from one pruning to the next. */
  readonly interval: bigint;
}

/** Blocks that either rule keeps; without a rule all are kept. */
export interface RetainedBlocks {
  /** Newest blocks. */
  readonly blocks: bigint | undefined;
  /** Seconds before the head. */
  readonly seconds: bigint | undefined;
}

/** A consensus engine that drives the application over ABCI. */
export interface EngineOptions {
  /** Where the engine finds the node (`abci --address`), as CometBFT's `proxy_app` has it. */
  readonly address: string;
  /** Its RPC, to which transactions of this node's faces are brought; undefined: they wait here. */
  readonly comet: URL | undefined;
  /** Blocks that the engine should keep; undefined for all. */
  readonly retainBlocks: bigint | undefined;
}

/** Snapshots of the state, under the SDK's names (cosmos-sdk v0.53 `server/config/config.go`). */
export interface SnapshotOptions {
  /** Blocks from one snapshot to the next; 0 takes none. */
  readonly interval: bigint;
  /** Snapshots that are kept; 0 keeps all. */
  readonly keepRecent: number;
}

/** Options of the Ethereum face, under the flag names of cosmos/evm and anvil. */
export interface JsonRpcOptions {
  /** When false, neither of its ports is opened. */
  readonly enabled: boolean;
  /** Served namespaces; undefined for the default of the mode. */
  readonly namespaces: readonly string[] | undefined;
  /** Raw transactions without a chain id (EIP-155) are admitted; in dev mode only. */
  readonly allowUnprotectedTxs: boolean;
  /** wei: the highest fee with which a transaction is sent through the Ethereum face; 0 is no bound. */
  readonly txFeeCap: bigint;
  /** A second address of the websocket. */
  readonly webSocketAlias: ListenAddress | undefined;
}
