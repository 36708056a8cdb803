/** Runs a callback with its own gas limit (ibc-go v10 `modules/apps/callbacks/internal/process.go`). */
import { branch } from '../../sdk/module/branch.js';
import { withStore, type Context } from '../../sdk/module/context.js';
import { GasMeter, OutOfGas } from '../../sdk/module/gas.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { RecoveredPanic, SdkError } from '../../sdk/module/sdk-error.js';
import type { CallbackData } from './callback-data.js';
import { callbackErrors } from './errors.js';

/** Event that triggers a callback. */
export type CallbackType = 'receive_packet' | 'acknowledgement_packet' | 'timeout_packet';

/**
 * Runs a callback; a failed one leaves no changes, and its error is returned. The relayer pays the gas. If the
 * callback runs out of gas because the relayer provided too little, the transaction fails, so that another relayer
 * can retry.
 */
export function runCallback(
  context: Context,
  type: CallbackType,
  { executionGas, commitGas }: CallbackData,
  run: (context: Context) => void,
): SdkError | undefined {
  const meter = new GasMeter(executionGas);
  const { context: inner, commit } = branch(withStore(context, context.store, context.events, meter));
  const failure = failureOf(type, () => run(inner));
  if (failure !== undefined) context.evm?.clear();
  context.gas.consume(meter.consumedToLimit, `ibc ${type} callback`);
  if (meter.consumed > executionGas) {
    if (executionGas < commitGas) throw new OutOfGas(`ibc ${type} callback out of gas; commitGasLimit: ${commitGas}`);
    return new SdkError(callbackErrors.noGasLeft, `ibc ${type} callback out of gas`);
  }
  if (failure === undefined) commit();
  return failure;
}

function failureOf(type: CallbackType, run: () => void): SdkError | undefined {
  try {
    run();
  } catch (error) {
    if (isReturned(error)) return error;
    if (!(error instanceof RecoveredPanic || error instanceof OutOfGas)) throw error;
    const reason = error instanceof RecoveredPanic ? error.reason : error.message;
    return new SdkError(callbackErrors.panic, `ibc ${type} callback panicked with: ${reason}`);
  }
  return undefined;
}
