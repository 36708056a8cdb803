import type { EvmFork } from '../../evm/transaction.js';
import type { OtherRules } from './rule-set.js';

/**
 * Facts of an application version that every context has: names, orders, stores and rules. Its parts that take a
 * context themselves are in `AppVersion`.
 */
export interface VersionFacts {
  readonly name: string;
  /** Names of all modules in order of InitGenesis. */
  readonly initOrder: readonly string[];
  readonly preBlockOrder: readonly string[];
  readonly beginBlockOrder: readonly string[];
  readonly endBlockOrder: readonly string[];
  /** IAVL stores, sorted by name: each is one leaf of the app hash, also when it is empty. */
  readonly stores: readonly string[];
  /** Consensus version of every module, as InitChain stores it and ModuleVersions reports it. */
  readonly moduleVersions: Readonly<Record<string, bigint>>;
  /** Module accounts and their permissions; all are refused as recipients of user sends. */
  readonly moduleAccounts: Readonly<Record<string, readonly string[]>>;
  /** Type URLs accepted on input, to the canonical one. */
  readonly typeUrlAliases: Readonly<Record<string, string>>;
  /** The EVM's rules: fork, and the highest gas limit of a transaction where there is one (EIP-7825). */
  readonly evm: {
    readonly fork: EvmFork;
    readonly txGasCap?: bigint;
    /** EIP-155 id of a chain whose id names none; undefined: it must be given. */
    readonly defaultChainId?: bigint;
    /** Lowest tip that the Ethereum face suggests, wei for each gas. */
    readonly leastTip: bigint;
  };
  /**
   * The gas that fills a proposal: the limits of its transactions, as CometBFT reaps them, or the gas that they use.
   * For the latter the proposer executes them before the hash of the block exists, so it is stored after them.
   */
  readonly blockLimit: 'gas wanted' | 'gas used';
  /** Rules that are not the ordinary ones. */
  readonly rules: OtherRules;
}
