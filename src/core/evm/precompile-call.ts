/** A call of a stateful precompile, and the journal that it may change. */
import type { EvmAccountChange, EvmLog } from './outcome.js';

/** Input of a stateful precompile, which may change the live journal through `journal`. */
export interface PrecompileCall {
  readonly address: Uint8Array;
  readonly caller: Uint8Array;
  readonly target: Uint8Array;
  readonly value: bigint;
  readonly input: Uint8Array;
  readonly gas: bigint;
  /** True when writes are forbidden: this frame or an outer one was entered by STATICCALL. */
  readonly isStatic: boolean;
  readonly isStaticCall: boolean;
  readonly isDelegate: boolean;
  /** Registers the inverse of a state change outside of the EVM; it runs when the EVM reverts this call. */
  undo(revert: () => void): void;
  readonly journal: EvmJournal;
}

export interface EvmJournal {
  /** Changes of the transaction so far, ordered by address. */
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
  /** `p256`: the engine verifies the P-256 signature itself (RIP-7212) and charges its gas. */
  readonly status: 'success' | 'revert' | 'halt' | 'p256';
  readonly gasUsed: bigint;
  readonly output: Uint8Array;
}

export type Precompile = (call: PrecompileCall) => PrecompileResult;
