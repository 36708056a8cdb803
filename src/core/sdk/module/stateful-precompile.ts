import type { EvmJournal, PrecompileCall } from '../../evm/precompile-call.js';
import type { Context } from './context.js';
import { plainError, SdkError } from './sdk-error.js';

/** The call of a contract of the chain, as it sees it. */
export interface ContractCall extends Pick<PrecompileCall, 'address' | 'caller' | 'value' | 'input'> {
  /** The call must not change any state: a static call, or one that runs the contract for another account. */
  readonly readOnly: boolean;
  /** A DELEGATECALL, which brings no value of its own. */
  readonly isDelegateCall: boolean;
  readonly journal: EvmJournal;
}

/**
 * A contract that the chain itself answers for, behind an address of the EVM (cosmos/evm v0.6 `precompiles`). It throws
 * SdkError to revert; the text becomes the reason.
 */
export interface StatefulPrecompile {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** Its functions, for those who write a page of it. */
  readonly functions: readonly { readonly signature: string; readonly outputs: string; readonly writes: boolean }[];
  /** Gas that the call costs before it runs. */
  requiredGas(context: Context, input: Uint8Array): bigint;
  /**
   * - `messages`: it reads and writes the state of the chain, undone with the EVM's; balances that it moves move in the
   *   EVM, too. `storeGas`: accesses to stores cost gas as in a Cosmos transaction.
   * - `pure`: a function of its input; what it throws ends the call as a halt that takes all gas.
   * - `p256`: the engine's own check of P-256 (RIP-7212).
   */
  readonly kind: 'messages' | 'pure' | 'p256';
  readonly storeGas: boolean;
  /** Calls may bring value. */
  readonly takesValue?: boolean;
  /** The answer. Not called for `p256`. */
  run(context: Context, call: ContractCall): Uint8Array;
}

/** Contracts that come into the state while the chain runs, each at an account with the same code. */
export interface LaterContracts {
  /** True for the hash of that code. */
  isCode(context: Pick<Context, 'crypto'>, codeHash: Uint8Array): boolean;
  /** The contract at an address (20 bytes); undefined where the state has none there. */
  at(context: Context, address: Uint8Array): StatefulPrecompile | undefined;
  /** Addresses of all of them that a walk over the store finds, 40 lower-case hex digits each. */
  all(context: Context): readonly string[];
}

/** The contracts of an application version. */
export interface PrecompileSet {
  /** Active where the parameters of the EVM name their addresses. */
  readonly static: readonly StatefulPrecompile[];
  /** Tokens of native coins, whose addresses are in the state. */
  readonly tokens?: (context: Context) => readonly StatefulPrecompile[];
  readonly later?: LaterContracts;
}

/** Text of the revert of a contract that takes no value, for a value in wei. */
export const refusalOfValue = (value: bigint): string => `cannot receive funds, received: ${value}`;

/** A `pure` contract reverts without a reason. */
export class SilentRevert extends SdkError {
  constructor() {
    super(plainError('execution reverted').registered);
    this.name = 'SilentRevert';
  }
}
