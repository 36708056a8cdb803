import { erc20Rules } from '../../modules/erc20/rules.js';
import { evmDenom } from '../../sdk/coins/evm-coin.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { NIL_POINTER, RecoveredPanic } from '../../sdk/module/sdk-error.js';

export const erc20 = erc20Rules.with({
  /**
   * erc20 asks precisebank about a coin without an amount; precisebank divides by it when the coin is the native one
   * (cosmos/evm v0.6), which panics.
   */
  requireConvertible: (context, { denom }) => {
    if (denom === evmDenom(context)) throw new RecoveredPanic(NIL_POINTER);
  },
  /**
   * A failed conversion keeps its earlier moves, and consumes all gas when the contract reverts
   * (`x/erc20/keeper/ibc_callbacks.go`).
   */
  convertPacket: (context, convert) => {
    try {
      convert(context);
    } catch (error) {
      if (!isReturned(error)) throw error;
      return error;
    }
    return undefined;
  },
});
