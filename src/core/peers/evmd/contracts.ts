/** Precompiles of cosmos/evm v0.6. */
import { contractRules } from '../../precompiles/contract-rules.js';
import { STATIC_CONTRACTS } from '../../precompiles/contracts.js';
import { p256Contract } from '../../precompiles/p256/contract.js';
import { dynamicTokens, tokenContracts } from '../../precompiles/token/contract.js';
import { NIL_POINTER, RecoveredPanic } from '../../sdk/module/sdk-error.js';
import type { PrecompileSet } from '../../sdk/module/stateful-precompile.js';

/** Static precompiles including P-256 (`precompiles/types/static_precompiles.go`). */
export const EVMD_PRECOMPILES: PrecompileSet = {
  static: [p256Contract, ...STATIC_CONTRACTS],
  tokens: tokenContracts,
  dynamic: dynamicTokens,
};

export const contracts = contractRules.with({
  /**
   * Value of a call; a DELEGATECALL has none and panics: static precompiles read it for empty input, ERC-20
   * precompiles always (`precompiles/common/precompile.go`, `precompiles/erc20`).
   */
  valueOf: ({ isDelegateCall, value }) => {
    if (isDelegateCall) throw new RecoveredPanic(NIL_POINTER);
    return value;
  },
  /** Reads the first coin of `precompiles/distribution/events.go`, which panics without one. */
  firstAmount: ([first]) => {
    if (first === undefined) throw new RecoveredPanic('runtime error: index out of range [0] with length 0');
    return BigInt(first.amount);
  },
});
