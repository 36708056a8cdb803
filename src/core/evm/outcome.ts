/** Outcome of an EVM execution: result and changed accounts, or the reason of a refusal. */

export interface EvmLog {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** Change of one account by a transaction; absent fields did not change. */
export type EvmAccountChange =
  | { readonly kind: 'deleted'; readonly address: Uint8Array }
  | {
      readonly kind: 'changed';
      readonly address: Uint8Array;
      /** True when this transaction created the account: storage from before is deleted. */
      readonly created: boolean;
      readonly balance: bigint;
      readonly nonce: bigint;
      readonly codeHash: Uint8Array;
      /** Set for a touched empty account; only when the block asks for them (`showsTouches`). */
      readonly isTouch?: true;
      /** New code, if this transaction set it. */
      readonly code: Uint8Array | undefined;
      /** Changed slots in ascending order; 32 zero bytes delete a slot. */
      readonly slots: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
    };

export interface EvmResult {
  /** `halt`: out of gas, invalid opcode and so on (`reason` is the engine's text). `revert`: REVERT with `output`. */
  readonly status: 'success' | 'revert' | 'halt';
  readonly reason: string | undefined;
  /** Gas used after the refund, as in a receipt. */
  readonly gasUsed: bigint;
  /** Refund (EIP-3529), already subtracted from `gasUsed`. */
  readonly gasRefunded: bigint;
  /** Return data, revert data, deployed code, or the code that made a creation halt. */
  readonly output: Uint8Array;
  readonly created: Uint8Array | undefined;
  readonly logs: readonly EvmLog[];
}

/** Executed, or refused before execution for one of the listed reasons, each an Ethereum rule. */
export type EvmOutcome =
  | {
      readonly kind: 'executed';
      readonly result: EvmResult;
      readonly changes: readonly EvmAccountChange[];
      /**
       * Addresses that inner frames called or created, and beneficiaries of SELFDESTRUCT; each once, in the order of
       * first touch. Reverted frames count.
       */
      readonly touched: readonly Uint8Array[];
    }
  | EvmRefused;

/** Outcome of a call without lasting effects. */
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
