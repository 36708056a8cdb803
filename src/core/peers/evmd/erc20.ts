import { erc20Rules } from '../../modules/erc20/rules.js';
import { evmDenom } from '../../sdk/coins/evm-coin.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { NIL_POINTER, RecoveredPanic } from '../../sdk/module/sdk-error.js';

export const erc20 = erc20Rules.with({
  /**
   * erc20 asks precisebank about a coin without an amount, which that divides when the coin is its own (cosmos/evm
   * v0.6).
   */
  requireConvertible: (context, { denom }) => {
    if (denom === evmDenom(context)) throw new RecoveredPanic(NIL_POINTER);
  },
  /**
   * A conversion that fails leaves what it has moved, and takes all gas where the contract refuses
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
