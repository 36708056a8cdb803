import type { EvmJournal, PrecompileCall } from '../../../evm/precompile-call.js';
import type { Event } from '../../../proto/tendermint/abci/types_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import { MeteredStore, type GasMeter } from '../../../sdk/module/gas.js';
import { RuleSet } from '../../../sdk/module/rule-set.js';
import { refusalOfValue, type StatefulPrecompile } from '../../../sdk/module/stateful-precompile.js';
import type { StateStore } from '../../../state/state.js';
import { syncBalances } from './take-balances.js';

/** Rules of precompile calls. */
export interface CallRules {
  /**
   * Precompile at an address (20 bytes) that the EVM parameters list as `name`; undefined when there is none. `known`
   * is this application version's.
   */
  readonly named: (
    crypto: Context['crypto'],
    name: string,
    address: Uint8Array,
    known: StatefulPrecompile | undefined,
  ) => StatefulPrecompile | undefined;
  /** Reason why a precompile reverts before it runs; undefined when it runs. */
  readonly refusal: (contract: StatefulPrecompile, call: PrecompileCall) => string | undefined;
  /** True for a call in a frame that must not change state. */
  readonly isStatic: (call: PrecompileCall) => boolean;
  /** Store of a precompile that pays for its accesses. */
  readonly meteredStore: (store: StateStore, gas: GasMeter) => MeteredStore;
  /** Updates the EVM's balances after a precompile; returns the accounts. Throws SdkError. */
  readonly follow: (moves: ContractMoves) => readonly Uint8Array[];
}

/** Changes of a precompile: the states `before` the transaction and `after` the precompile. */
export interface ContractMoves {
  readonly before: Context;
  readonly after: Context;
  readonly events: readonly Event[];
  readonly journal: EvmJournal;
  /** True when a module pays for each account that the EVM reads. */
  readonly isPaid: boolean;
}

export const callRules = new RuleSet<CallRules>({
  named: (_crypto, _name, _address, known) => known,
  refusal: ({ takesValue }, { value }) => (value > 0n && takesValue !== true ? refusalOfValue(value) : undefined),
  isStatic: ({ isStatic }) => isStatic,
  meteredStore: (store, gas) => new MeteredStore(store, gas),
  follow: ({ after, events, journal }) => syncBalances(after, events, journal),
});
