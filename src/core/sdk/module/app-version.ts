import type { EvmFork } from '../../evm/engine.js';
import type { AnteRule } from './ante.js';
import type { Hooks } from './hooks.js';
import type { Module } from './module.js';
import type { OtherRules } from './rule-set.js';
import type { PrecompileSet } from './stateful-precompile.js';

/**
 * An application version as data: modules and stores, the orders in which they run, their consensus versions, the ante
 * rules, type URL aliases and the quirks of a peer. The SDK composes the same in an application's `app.go`.
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
  readonly quirks: Quirks;
}

/** A later application version: what its upgrade changes, in the block of the plan before the transactions. */
export interface Upgrade {
  /** Modules that it adds, and later versions of modules that are there, by name. */
  readonly modules?: readonly Module[];
  readonly added: readonly string[];
  readonly deleted: readonly string[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

interface StoreKey {
  readonly store: string;
  readonly key: Uint8Array;
}

/** Habits of one peer. */
export interface Quirks {
  /** Fees other than in exactly the base denom are refused with an unregistered error (evmd). */
  readonly singleFeeDenom: boolean;
  /**
   * A conversion of the token of the EVM's own coin ends in a nil pointer: erc20 asks precisebank about a coin without
   * an amount, and its sender pays (cosmos/evm v0.6). A contract that withdraws no coin ends in a panic as well: its
   * event has the first (`precompiles/distribution/events.go`).
   */
  readonly absentAmountsPanic: boolean;
  /**
   * A transaction whose code executes BLOBBASEFEE ends in a nil pointer, whatever frame it is in: its sender pays
   * (cosmos/evm v0.6, whose block has no blob base fee). On other chains it is 1.
   */
  readonly blobBaseFeePanics: boolean;
  /**
   * A contract of the chain that looks at the value of a DELEGATECALL ends the transaction in a nil pointer: each does
   * with an empty input, tokens of coins always (cosmos/evm v0.6 `precompiles/common/precompile.go`,
   * `precompiles/erc20`).
   */
  readonly delegatedValuePanics: boolean;
  /**
   * A page that a contract asks for backwards from the last key of a list ends the transaction in a panic (cosmos-sdk
   * v0.53 `types/query/pagination.go` getIterator); queries are answered.
   */
  readonly pagesPanic: boolean;
  /**
   * A contract of the chain that is called by CALL may write also inside of a STATICCALL (cosmos/go-ethereum v1.16
   * `core/vm/evm.go` Call, which tells such a contract nothing of the frame around it).
   */
  readonly staticFramesWrite: boolean;
  /**
   * While base fees are on, the gas that a block's transactions want is counted in a transient store: each pays for its
   * access (evmd).
   */
  readonly transientGasWanted: boolean;
  /**
   * The base fee has decimals below one wei and falls to nothing while blocks are empty (cosmos/evm); EIP-1559 counts
   * in whole wei.
   */
  readonly decimalBaseFee: boolean;
  /** Signature verification gas of ethsecp256k1 keys. */
  readonly ethSigGas: bigint;
  /**
   * Balances that the EVM changed are minted and burned through the module account of evm; all touched accounts are
   * rewritten (evmd).
   */
  readonly evmMintsAndBurns: boolean;
  /**
   * A transaction fails in which a contract ends itself that has no code in the state, but an account, because coins
   * were sent to its address before it was made (cosmos/evm v0.6 `x/vm/keeper/statedb.go` DeleteAccount).
   */
  readonly endsOnlyStoredCode: boolean;
  /** A failed Ethereum transaction also undoes its EIP-7702 authorizations (evmd; Ethereum keeps them). */
  readonly failureUndoesAuthorizations: boolean;
  /** A simulation charges the dearest key where the one given is not the account's, as clients do not know it. */
  readonly simulatesDearestKey: boolean;
  /** The floor of calldata's gas (EIP-7623) is a minimum of the gas limit, and is not charged (evmd). */
  readonly floorIsOnlyChecked: boolean;
  /**
   * What a transaction reads before it has a gas meter with its limit (evmd: a context reads the consensus parameters,
   * the ante handler those of feemarket, for Ethereum transactions those of the EVM before). A refusal until then shows
   * the gas of these reads; its gas limit is none before the ante rules and in a panic, and -1, for without a limit,
   * in the ante rules (cosmos-sdk v0.53 `baseapp.runTx`). Where undefined, a refusal before the ante rules shows no
   * gas, and any other one the transaction's limit and what was metered.
   */
  readonly unmeteredReads: Readonly<Record<'context' | 'ante' | 'ethereum', readonly StoreKey[]>> | undefined;
  /**
   * A transaction without a fee, with a signer without a key, with a proposal of the first generation without a
   * content, or with a grant of fees without an allowance, ends in a nil pointer, and one with more keys than signers
   * in an index out of range (cosmos-sdk v0.53). So does a wrong signature of a message with an absent part, which is
   * looked for in its typed data.
   */
  readonly absentPartsPanic: boolean;
  /** Of several bodies of a transaction the last counts, and of its signers (evmd; anybody can change its hash). */
  readonly repeatedPartsCount: boolean;
  /**
   * Typed data (EIP-712) in place of the bytes of direct mode signs a time and unknown fields too, which its document
   * does not hold (evmd; anybody can change them).
   */
  readonly typedDataHidesParts: boolean;
  /** A granter of the fee that is no address ends in a panic (evmd). */
  readonly wrongGranterPanics: boolean;
  /** Unordered transactions are accepted. */
  readonly unorderedTransactions: boolean;
  /** A slot set to zero stays in the store as 32 zero bytes (evmd). */
  readonly zeroSlotsStay: boolean;
  /** COINBASE is the last 20 characters of the proposer's operator address as text (evmd takes the text for bytes). */
  readonly coinbaseIsText: boolean;
  /**
   * Transactions begin with the zero address warm, and not the coinbase (cosmos/evm v0.6
   * `x/vm/keeper/state_transition.go`).
   */
  readonly zeroIsWarm: boolean;
  /** Contracts of the chain run with the value of a call, and the transaction fails at its end (evmd). */
  readonly contractsTakeValue: boolean;
  /**
   * After a contract of the chain, balances in the EVM move as the events of bank say, those of module accounts not at
   * all (evmd); else they are what bank has.
   */
  readonly balancesFollowEvents: boolean;
  /**
   * Rules and texts that refuse Ethereum transactions: geth's or evmd's
   * (`docs/decisions/0009-ethereum-transactions.md`).
   */
  readonly ethereumRules: 'geth' | 'evmd';
}
