import type { EvmFork } from '../../evm/transaction.js';
import type { OtherRules } from './rule-set.js';

/**
 * Facts of an application version in every context: names, orders, stores and rules. `AppVersion` adds the parts
 * whose functions take a context.
 */
export interface VersionFacts {
  readonly name: string;
  /** All module names in order of InitGenesis. */
  readonly initOrder: readonly string[];
  readonly preBlockOrder: readonly string[];
  readonly beginBlockOrder: readonly string[];
  readonly endBlockOrder: readonly string[];
  /** IAVL stores, sorted by name; each is a leaf of the app hash, even when empty. */
  readonly stores: readonly string[];
  /** Consensus version of each module, stored by InitChain and reported by ModuleVersions. */
  readonly moduleVersions: Readonly<Record<string, bigint>>;
  /** Module accounts and their permissions; users cannot send to any of them. */
  readonly moduleAccounts: Readonly<Record<string, readonly string[]>>;
  /** Accepted alias type URLs with their canonical ones. */
  readonly typeUrlAliases: Readonly<Record<string, string>>;
  /** EVM rules: fork, and the highest gas limit of a transaction, if any (EIP-7825). */
  readonly evm: {
    readonly fork: EvmFork;
    readonly txGasCap?: bigint;
    /** EIP-155 chain id when the Cosmos chain id contains none; undefined: the user must specify it. */
    readonly defaultChainId?: bigint;
    /** Lowest priority fee that price suggestions return, wei per gas. */
    readonly minTip: bigint;
  };
  /**
   * Gas that fills a proposal: the transactions' gas limits, as in CometBFT's reaping, or the gas that they use. For
   * the latter the proposer executes them before the block's hash is known, so the hash is filled in later.
   */
  readonly blockLimit: 'gas wanted' | 'gas used';
  /** Overrides of default rules. */
  readonly rules: OtherRules;
}
