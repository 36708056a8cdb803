/**
 * The EVM engine as a port: synchronous, deterministic, without state that could change a result
 * (`docs/decisions/0008-evm-engine.md`). Core owns the committed state. An engine owns the journal of the running
 * transaction and a read-through cache; its owner must report changes made elsewhere. Implemented over WebAssembly in
 * `src/runtime/evm`.
 */

/** An account as the EVM sees it. `codeHash` is keccak256 of no bytes for an account without code. */
export interface EvmAccount {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly codeHash: Uint8Array;
}

/**
 * Committed state below the running transaction. Reads may throw: the engine then stops and rethrows the same error.
 */
export interface EvmState {
  /** undefined for an account that does not exist. Addresses have 20 bytes. */
  account(address: Uint8Array): EvmAccount | undefined;
  /** Code by its keccak256 hash; fails the transaction when unknown. */
  code(hash: Uint8Array): Uint8Array;
  /** 32 bytes, or undefined for zero. `slot` has 32 bytes. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array | undefined;
  /** Hash of one of the 256 blocks before the running one. */
  blockHash(number: bigint): Uint8Array;
  /**
   * The address that ecrecover gives for a signature of 64 bytes without looking at what was signed; undefined for the
   * true one. Absent where no development chain may say so.
   */
  impersonatedSigner?(signature: Uint8Array, parity: number): Uint8Array | undefined;
  /** Hears of BLOBBASEFEE in a block without a blob base fee. Throws, which ends the execution, as reads do. */
  noBlobBaseFee?(): void;
  /**
   * Charges a read of a call with effects. A state with this function makes the call a call by a module, whose refunds
   * have no limit (EIP-3529). Answers false for an account that does not exist. May throw, which ends the execution.
   */
  chargeRead?(read: EvmStateRead): boolean;
  /**
   * The execution runs once more from its beginning, because the engine failed: what was read, heard and counted since
   * then does not count.
   */
  restarted?(): void;
}

/** A read of state that a call by a module pays for. Accounts that the execution created are free. */
export type EvmStateRead =
  /** The address that is about to be called may be a stateful precompile. */
  | { readonly kind: 'contract'; readonly address: Uint8Array }
  /** An account with or without its code. One that does not exist is read `times` times. */
  | { readonly kind: 'account' | 'code'; readonly address: Uint8Array; readonly times: number }
  /** The address of a new contract may have storage. */
  | { readonly kind: 'storage'; readonly address: Uint8Array }
  | { readonly kind: 'slot'; readonly address: Uint8Array; readonly slot: Uint8Array }
  | { readonly kind: 'blockHash'; readonly number: bigint };

export type EvmFork = 'london' | 'paris' | 'shanghai' | 'cancun' | 'prague' | 'osaka';

/** Gas that instructions cost beyond the prices of the fork; 16 bits each. */
export interface EvmSurcharges {
  /** Price of CREATE and CREATE2, 32 bits. */
  readonly creation: number;
  readonly instructions: readonly { readonly opcode: number; readonly gas: number }[];
}

/**
 * Permission by address: it is enough that the signer of a transaction, or the maker of a frame in it, is among the
 * addresses.
 */
export interface EvmPermission {
  readonly kind: 'all but' | 'nobody' | 'only';
  readonly addresses: readonly Uint8Array[];
}

/** Permissions to create contracts and to call, checked before each frame; a frame that is not allowed takes no gas. */
export interface EvmPermissions {
  readonly create: EvmPermission;
  readonly call: EvmPermission;
}

export interface EvmBlock {
  readonly fork: EvmFork;
  readonly chainId: bigint;
  readonly number: bigint;
  readonly coinbase: Uint8Array;
  /** Seconds. */
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  /** wei per gas. */
  readonly baseFee: bigint;
  readonly prevRandao: Uint8Array;
  /** Highest gas limit of one transaction (EIP-7825); undefined without a limit. */
  readonly txGasCap?: bigint;
  /**
   * wei per blob gas, for BLOBBASEFEE (EIP-7516); undefined is the minimum, 1. With 'none' the instruction ends the
   * whole execution (`EvmState.noBlobBaseFee`).
   */
  readonly blobBaseFee?: bigint | 'none';
  readonly surcharges?: EvmSurcharges;
  /** undefined: everybody may do both. */
  readonly permissions?: EvmPermissions;
  /** Changes name empty accounts that were touched: contracts of Ethereum that were called, targets of STATICCALL. */
  readonly showsTouches?: boolean;
  /** Calldata costs only its intrinsic gas, not the floor of EIP-7623. */
  readonly isFloorFree?: boolean;
  /** Transactions begin with the zero address warm in place of the coinbase (EIP-3651). */
  readonly warmsZero?: boolean;
}

export interface EvmAccessListItem {
  readonly address: Uint8Array;
  readonly storageKeys: readonly Uint8Array[];
}

/** EIP-7702 authorization whose authority was recovered by the host; undefined when its signature is invalid. */
export interface EvmAuthorization {
  readonly chainId: bigint;
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly authority: Uint8Array | undefined;
}

/** A transaction whose signature was already checked. */
export interface EvmTransaction {
  readonly type: 0 | 1 | 2 | 3 | 4;
  readonly from: Uint8Array;
  /** undefined creates a contract. */
  readonly to: Uint8Array | undefined;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Gas price of types 0 and 1; `maxFeePerGas` of the others. wei. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly accessList: readonly EvmAccessListItem[];
  readonly authorizations: readonly EvmAuthorization[];
  /** Blobs of a transaction of type 3; absent for other types. */
  readonly blobs?: EvmBlobs;
}

/** The blobs of a transaction or a call (EIP-4844), which themselves are nowhere in the EVM. */
export interface EvmBlobs {
  /** Versioned hashes of 32 bytes, which BLOBHASH reads. */
  readonly hashes: readonly Uint8Array[];
  /** wei. */
  readonly maxFeePerBlobGas: bigint;
}

/** Treatment of fees and checks of a transaction. */
export interface EvmRules {
  /**
   * 'engine': the engine checks nonce and balance, takes the fee, and pays refund and tip (Ethereum's own rules; state
   * tests). 'host': the caller (the ante chain) has already taken the fee and increased the nonce; the engine checks
   * neither and moves no fee, but GASPRICE and contract addresses are as if it did. 'none': as 'host', for calls whose
   * nonce the caller raises or nobody: no fee is taken, the price may be zero below the base fee, balances are checked
   * for `value` only, and senders may have code. 'nonce': as 'none', for calls, estimates and their traces by the rules
   * of geth: the sender's nonce rises by one, as that of each message does there (`core/state_transition.go`).
   */
  readonly fees: 'engine' | 'host' | 'none' | 'nonce';
}

export interface EvmLog {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** One account after a transaction; absent fields did not change. */
export type EvmAccountChange =
  | { readonly kind: 'deleted'; readonly address: Uint8Array }
  | {
      readonly kind: 'changed';
      readonly address: Uint8Array;
      /** True when the account was created in this transaction: storage that it had before is deleted. */
      readonly created: boolean;
      readonly balance: bigint;
      readonly nonce: bigint;
      readonly codeHash: Uint8Array;
      /** An account that was touched and is empty; only where the block asks for them. */
      readonly isTouch?: true;
      /** New code, when this transaction set it. */
      readonly code: Uint8Array | undefined;
      /** Changed slots in ascending order; a value of 32 zero bytes deletes. */
      readonly slots: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
    };

export interface EvmResult {
  /** `halt`: out of gas, invalid opcode and similar (`reason` is the engine's text); `revert`: REVERT with `output`. */
  readonly status: 'success' | 'revert' | 'halt';
  readonly reason: string | undefined;
  /** Gas after the refund, as in a receipt. */
  readonly gasUsed: bigint;
  /** Gas given back by EIP-3529, already subtracted. */
  readonly gasRefunded: bigint;
  /** Return data, revert data, deployed code, or the code of a creation that halted because of it. */
  readonly output: Uint8Array;
  readonly created: Uint8Array | undefined;
  readonly logs: readonly EvmLog[];
}

/** Executed, or refused before execution with a code from this list, each for a rule of Ethereum. */
export type EvmOutcome =
  | {
      readonly kind: 'executed';
      readonly result: EvmResult;
      readonly changes: readonly EvmAccountChange[];
      /**
       * Addresses that the frames inside of it called or created, and those that a contract that destroyed itself paid;
       * each once, in the order of the first touches. Frames that reverted count.
       */
      readonly touched: readonly Uint8Array[];
    }
  | EvmRefused;

/** The outcome of a call that changes nothing. */
export type EvmAnswer = { readonly kind: 'executed'; readonly result: EvmResult } | EvmRefused;

export interface EvmRefused {
  readonly kind: 'refused';
  readonly reason: EvmRefusal;
  readonly detail: string;
}

export type EvmRefusal =
  | 'intrinsic-gas'
  | 'floor-gas'
  | 'initcode-size'
  | 'nonce-too-low'
  | 'nonce-too-high'
  | 'nonce-overflow'
  | 'insufficient-funds'
  | 'fee-below-base-fee'
  | 'tip-above-fee'
  | 'gas-above-block'
  | 'gas-above-cap'
  | 'sender-has-code'
  | 'wrong-chain-id'
  | 'unsupported-type'
  | 'empty-authorizations'
  | 'overflow'
  | 'other';

/** Temporary edits of a call (geth's state overrides). `storage` replaces all slots, `slots` edits some. */
export interface EvmOverride {
  readonly address: Uint8Array;
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  readonly storage?: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
  readonly slots?: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
  /**
   * The address at which the precompiled contract of this one runs instead. Any edit of its address takes a precompiled
   * contract away from it, so that its code runs.
   */
  readonly movePrecompileTo?: Uint8Array;
}

/** The input of a stateful precompile; it may change the live journal through `journal`. */
export interface PrecompileCall {
  readonly address: Uint8Array;
  readonly caller: Uint8Array;
  readonly target: Uint8Array;
  readonly value: bigint;
  readonly input: Uint8Array;
  readonly gas: bigint;
  /** The frame may not write, also where not it but a frame around it was called by STATICCALL. */
  readonly isStatic: boolean;
  readonly isStaticCall: boolean;
  readonly isDelegate: boolean;
  /** Registers the inverse of a change of state outside of the EVM; it runs when the EVM reverts past this call. */
  undo(revert: () => void): void;
  readonly journal: EvmJournal;
}

export interface EvmJournal {
  /** The changes of the transaction so far, ascending by address. */
  changes(): readonly EvmAccountChange[];
  balance(address: Uint8Array): bigint;
  setBalance(address: Uint8Array, balance: bigint): void;
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array;
  setStorage(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void;
  log(log: EvmLog): void;
  call(call: {
    readonly caller: Uint8Array;
    readonly to: Uint8Array;
    readonly value: bigint;
    readonly gas: bigint;
    readonly isStatic: boolean;
    readonly data: Uint8Array;
  }): {
    readonly status: 'success' | 'revert' | 'halt';
    readonly gasUsed: bigint;
    readonly output: Uint8Array;
  };
}

export interface PrecompileResult {
  /** `p256`: the engine checks P-256 itself (RIP-7212), and takes its gas. */
  readonly status: 'success' | 'revert' | 'halt' | 'p256';
  readonly gasUsed: bigint;
  readonly output: Uint8Array;
}

export type Precompile = (call: PrecompileCall) => PrecompileResult;

export interface EvmHooks {
  /** Stateful precompiles by lower-case hex address without 0x. */
  readonly precompiles?: ReadonlyMap<string, Precompile>;
  /**
   * Hears of each account that is read. Answers true for one that `precompiles` has since then: the execution begins
   * again with it. Such a trace fails when pieces of it were taken.
   */
  readonly joins?: (address: Uint8Array, codeHash: Uint8Array) => boolean;
  /**
   * Polled every 4,096 steps and at costly precompiles; true ends the execution with halt `Interrupted`. Queries only.
   */
  readonly interrupted?: () => boolean;
  /**
   * Takes a piece of the JSON text of a trace without a named tracer, about 1 MiB of UTF-8, valid during the call; the
   * trace's result is then what follows the last piece. False to receive the whole result at the end.
   */
  readonly tracePiece?: (text: Uint8Array) => boolean;
}

export interface EvmEngine {
  /** Sets the block of the following transactions and calls. Keeps the cache. */
  beginBlock(block: EvmBlock): void;
  /**
   * Executes and keeps the changes in the engine's cache; the caller applies `changes` to its state, or calls `clear`.
   */
  transact(state: EvmState, transaction: EvmTransaction, rules: EvmRules): EvmOutcome;
  /** Executes over temporary edits, without lasting effects. */
  call(state: EvmState, transaction: EvmTransaction, rules: EvmRules, overrides: readonly EvmOverride[]): EvmAnswer;
  /**
   * Executes a call over temporary edits whose `changes` the caller applies. Nothing lasts in the engine; what the
   * chain's contracts did in frames that did not revert lasts with them.
   */
  callWithEffects(
    state: EvmState,
    transaction: EvmTransaction,
    rules: EvmRules,
    overrides?: readonly EvmOverride[],
  ): EvmOutcome;
  /**
   * Calls as `call` does, with the geth-shaped JSON text of `debug_trace*` as result; `options` is the tracer's options
   * object as JSON text. The tracer `accessListTracer` gives the result of `eth_createAccessList`.
   */
  trace(
    state: EvmState,
    transaction: EvmTransaction,
    rules: EvmRules,
    overrides: readonly EvmOverride[],
    options: string,
  ): EvmTrace;
  /** Drops the cache of one account, which was changed outside of the engine. */
  forget(address: Uint8Array): void;
  /** Drops the whole cache, before another state or version is read. */
  clear(): void;
}

export type EvmTrace = { readonly ok: true; readonly json: string } | { readonly ok: false; readonly message: string };

/** Creates an engine; cheap (1-2 ms) after the first. Dropping an engine never changes a result. */
export type EvmEngineFactory = (hooks?: EvmHooks) => EvmEngine;
