import type { EvmJournal, PrecompileCall } from '../../../evm/precompile-call.js';
import type { Event } from '../../../proto/tendermint/abci/types_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import { MeteredStore, type GasMeter } from '../../../sdk/module/gas.js';
import { RuleSet } from '../../../sdk/module/rule-set.js';
import { refusalOfValue, type StatefulPrecompile } from '../../../sdk/module/stateful-precompile.js';
import type { StateStore } from '../../../state/state.js';
import { takeBalances } from './take-balances.js';

/** Rules of calls of the chain's contracts. */
export interface CallRules {
  /**
   * The contract at an address (20 bytes) that the parameters of the EVM name as `name`; undefined: none. `known`: the
   * one of this application version.
   */
  readonly named: (
    crypto: Context['crypto'],
    name: string,
    address: Uint8Array,
    known: StatefulPrecompile | undefined,
  ) => StatefulPrecompile | undefined;
  /** Gives the reason why a contract reverts before it runs; undefined when it runs. */
  readonly refusal: (contract: StatefulPrecompile, call: PrecompileCall) => string | undefined;
  /** True for a call in a frame that must not change the state. */
  readonly isStatic: (call: PrecompileCall) => boolean;
  /** The store of a contract that pays for its accesses. */
  readonly meteredStore: (store: StateStore, gas: GasMeter) => MeteredStore;
  /** Sets the balances of the EVM after a contract; returns the accounts. Throws SdkError. */
  readonly follow: (moves: ContractMoves) => readonly Uint8Array[];
}

/** The changes of a contract, over the state `before` the transaction and `after` the contract. */
export interface ContractMoves {
  readonly before: Context;
  readonly after: Context;
  readonly events: readonly Event[];
  readonly journal: EvmJournal;
  /** A module pays for each account that the EVM looks for. */
  readonly isPaid: boolean;
}

export const callRules = new RuleSet<CallRules>({
  named: (_crypto, _name, _address, known) => known,
  refusal: ({ takesValue }, { value }) => (value > 0n && takesValue !== true ? refusalOfValue(value) : undefined),
  isStatic: ({ isStatic }) => isStatic,
  meteredStore: (store, gas) => new MeteredStore(store, gas),
  follow: ({ after, events, journal }) => takeBalances(after, events, journal),
});
