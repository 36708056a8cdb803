import type { EvmJournal, PrecompileCall } from '../../evm/precompile-call.js';
import type { Context } from './context.js';
import { plainError, SdkError } from './sdk-error.js';

/** A call as the precompile sees it. */
export interface ContractCall extends Pick<PrecompileCall, 'address' | 'caller' | 'value' | 'input'> {
  /** True when the call must not change state: a static call, or one that runs the precompile for another account. */
  readonly readOnly: boolean;
  /** True for a DELEGATECALL, which transfers no value. */
  readonly isDelegateCall: boolean;
  readonly journal: EvmJournal;
}

/**
 * A stateful precompile: a contract that the chain implements at an EVM address (cosmos/evm v0.6 `precompiles`).
 * Throws SdkError to revert, with the text as the reason.
 */
export interface StatefulPrecompile {
  /** Address, 20 bytes. */
  readonly address: Uint8Array;
  /** Its functions, for documentation pages. */
  readonly functions: readonly { readonly signature: string; readonly outputs: string; readonly writes: boolean }[];
  /** Gas charged before it runs. */
  requiredGas(context: Context, input: Uint8Array): bigint;
  /**
   * `messages`: reads and writes chain state, reverted together with the EVM's; balances that it moves also move in
   * the EVM. With `storeGas`, store accesses cost gas like in a Cosmos transaction. `pure`: a function of its input;
   * an exception is a halt that consumes all gas. `p256`: the engine verifies P-256 signatures itself (RIP-7212).
   */
  readonly kind: 'messages' | 'pure' | 'p256';
  readonly storeGas: boolean;
  /** True when calls may transfer value. */
  readonly takesValue?: boolean;
  /** Returns the output. Not called for `p256`. */
  run(context: Context, call: ContractCall): Uint8Array;
}

/** Precompiles that the state adds while the chain runs, each at an account with the same code. */
export interface DynamicPrecompiles {
  /** True for that code's hash. */
  isCode(context: Pick<Context, 'crypto'>, codeHash: Uint8Array): boolean;
  /** Precompile at an address (20 bytes); undefined when the state has none there. */
  at(context: Context, address: Uint8Array): StatefulPrecompile | undefined;
  /** Addresses of all of them, found by iterating the store; 40 lower-case hex digits each. */
  all(context: Context): readonly string[];
}

/** Precompiles of an application version. */
export interface PrecompileSet {
  /** Precompiles that the EVM parameters activate by address. */
  readonly static: readonly StatefulPrecompile[];
  /** ERC-20 precompiles, whose addresses are in the state. */
  readonly tokens?: (context: Context) => readonly StatefulPrecompile[];
  readonly dynamic?: DynamicPrecompiles;
}

/** Revert reason of a precompile that rejects value, for a value in wei. */
export const refusalOfValue = (value: bigint): string => `cannot receive funds, received: ${value}`;

/** Revert of a `pure` precompile, without a reason. */
export class SilentRevert extends SdkError {
  constructor() {
    super(plainError('execution reverted').registered);
    this.name = 'SilentRevert';
  }
}
