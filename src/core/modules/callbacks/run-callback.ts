/** Runs a callback with gas of its own (ibc-go v10 `modules/apps/callbacks/internal/process.go`). */
import { branch } from '../../sdk/module/branch.js';
import { withStore, type Context } from '../../sdk/module/context.js';
import { GasMeter, OutOfGas } from '../../sdk/module/gas.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { RecoveredPanic, SdkError } from '../../sdk/module/sdk-error.js';
import type { CallbackData } from './callback-data.js';
import { callbackErrors } from './errors.js';

/** The moment of a callback. */
export type CallbackType = 'receive_packet' | 'acknowledgement_packet' | 'timeout_packet';

/**
 * Runs a callback, of which nothing remains where it fails, and returns its error. The relayer pays for it. Where the
 * relayer brought less gas than it may take, and that was too little, the transaction ends: another may do better.
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
