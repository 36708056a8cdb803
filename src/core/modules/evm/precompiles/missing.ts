import { RecoveredPanic } from '../../../sdk/module/sdk-error.js';
import type { StatefulPrecompile } from '../../../sdk/module/stateful-precompile.js';

/** A contract that the parameters name and this application version does not have: the peer panics at each call. */
export function missingContract(address: Uint8Array, name: string): StatefulPrecompile {
  const panic = (): never => {
    throw new RecoveredPanic(`precompiled contract not stored in memory: ${name}`);
  };
  return { address, functions: [], requiredGas: panic, kind: 'pure', storeGas: false, run: panic };
}
