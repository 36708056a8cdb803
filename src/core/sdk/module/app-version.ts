import type { EvmFork } from '../../evm/engine.js';
import type { AnteRule } from './ante.js';
import type { Hooks } from './hooks.js';
import type { Module } from './module.js';
import type { OtherRules } from './rule-set.js';
import type { PrecompileSet } from './stateful-precompile.js';

/**
 * An application version as data: modules and stores, the orders in which they run, their consensus versions, the ante
 * rules, type URL aliases and rules. The SDK composes the same in an application's `app.go`.
 */
export interface AppVersion {
  readonly name: string;
  /** Modules of this build; a name of `initOrder` that is not among them is missing. */
  readonly modules: readonly Module[];
  /** Names of all modules in order of InitGenesis. */
  readonly initOrder: readonly string[];
  readonly preBlockOrder: readonly string[];
  readonly beginBlockOrder: readonly string[];
  readonly endBlockOrder: readonly string[];
  /** Ante rules of ordinary transactions (those of no module's own kind), in order. */
  readonly ante: readonly AnteRule[];
  readonly hooks: Hooks;
  /** IAVL stores, sorted by name: each is one leaf of the app hash, also when it is empty. */
  readonly stores: readonly string[];
  /** Consensus version of every module, as InitChain stores it and ModuleVersions reports it. */
  readonly moduleVersions: Readonly<Record<string, bigint>>;
  /** Module accounts and their permissions; all are refused as recipients of user sends. */
  readonly moduleAccounts: Readonly<Record<string, readonly string[]>>;
  /** Type URLs accepted on input, to the canonical one. */
  readonly typeUrlAliases: Readonly<Record<string, string>>;
  /**
   * The later versions of this application by the names of their upgrade plans. A plan of another name changes neither
   * stores nor modules.
   */
  readonly upgrades: ReadonlyMap<string, Upgrade>;
  /** The EVM's rules: fork, and the highest gas limit of a transaction where there is one (EIP-7825). */
  readonly evm: {
    readonly fork: EvmFork;
    readonly txGasCap?: bigint;
    /** EIP-155 id of a chain whose id names none; undefined: it must be given. */
    readonly defaultChainId?: bigint;
    /** Lowest tip that the Ethereum face suggests, wei for each gas. */
    readonly leastTip: bigint;
  };
  /** Contracts that the chain answers for itself. */
  readonly precompiles: PrecompileSet;
  /**
   * The gas that fills a proposal: the limits of its transactions, as CometBFT reaps them, or the gas that they use.
   * For the latter the proposer executes them before the hash of the block exists, so it is stored behind them.
   */
  readonly blockLimit: 'gas wanted' | 'gas used';
  /** Rules that are not the ordinary ones. */
  readonly rules: OtherRules;
}

/** A later application version: what its upgrade changes, in the block of the plan before the transactions. */
export interface Upgrade {
  /** Modules that it adds, and later versions of modules that are there, by name. */
  readonly modules?: readonly Module[];
  readonly added: readonly string[];
  readonly deleted: readonly string[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}
