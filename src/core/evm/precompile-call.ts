/** A call of a stateful precompile, and the journal that it may change. */
import type { EvmAccountChange, EvmLog } from './outcome.js';

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
