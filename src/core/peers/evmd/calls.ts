import { checksumAddress } from '../../keys/address.js';
import { isEthereumPrecompile } from '../../modules/evm/precompiles/active.js';
import { callRules } from '../../modules/evm/precompiles/call-rules.js';
import { MeteredStore } from '../../sdk/module/gas.js';
import { RecoveredPanic } from '../../sdk/module/sdk-error.js';
import type { StatefulPrecompile } from '../../sdk/module/stateful-precompile.js';
import { followBalances } from './follow-balances.js';

/** Precompile calls in cosmos/evm v0.6 (`precompiles/common/precompile.go`). */
export const calls = callRules.with({
  /**
   * Only checksummed addresses match; Ethereum's precompiles are active without being listed
   * (`x/vm/keeper/static_precompiles.go`). Calls of unknown ones panic.
   */
  named: (crypto, name, address, known) =>
    name !== checksumAddress(crypto, address) || isEthereumPrecompile(address)
      ? undefined
      : (known ?? missingContract(address, name)),
  /** A precompile executes with the call's value; the transaction fails at its end. */
  refusal: () => undefined,
  /** A precompile does not see the frame outside of its CALL (cosmos/go-ethereum v1.16 `core/vm/evm.go` Call). */
  isStatic: ({ isStaticCall }) => isStaticCall,
  /**
   * Panics for a reverse page from the last key of a list (cosmos-sdk v0.53 `types/query/pagination.go` getIterator).
   */
  meteredStore: (store, gas) =>
    new MeteredStore(store, gas, () => {
      throw new RecoveredPanic('prefixIterator invalid, cannot call Key()');
    }),
  follow: followBalances,
});

function missingContract(address: Uint8Array, name: string): StatefulPrecompile {
  const panic = (): never => {
    throw new RecoveredPanic(`precompiled contract not stored in memory: ${name}`);
  };
  return { address, functions: [], requiredGas: panic, kind: 'pure', storeGas: false, run: panic };
}
