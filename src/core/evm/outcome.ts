/** The outcome of an execution of the EVM engine: its result, changed accounts, or why it was refused. */

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

export type EvmTrace = { readonly ok: true; readonly json: string } | { readonly ok: false; readonly message: string };
