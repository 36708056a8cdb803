import type { TokenPair } from '../../proto/cosmos/evm/erc20/v1/erc20_pb.js';
import { attempt } from '../../sdk/module/branch.js';
import { withStore, type Context } from '../../sdk/module/context.js';
import { GasMeter } from '../../sdk/module/gas.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import type { SdkError } from '../../sdk/module/sdk-error.js';

export interface Erc20Rules {
  /** Throws SdkError for a pair whose coin cannot be converted. */
  readonly requireConvertible: (context: Context, pair: TokenPair) => void;
  /** Converts coins of an incoming or refunded packet; returns the error of a failed conversion. */
  readonly convertPacket: (context: Context, convert: (context: Context) => void) => SdkError | undefined;
}

/**
 * A failed conversion leaves no changes, and its contract cannot consume all gas, so that the packet can be
 * acknowledged.
 */
function attemptWithGas(context: Context, convert: (context: Context) => void): SdkError | undefined {
  const gas = new GasMeter(undefined);
  const error = attempt(withStore(context, context.store, context.events, gas), convert);
  context.gas.consume(gas.consumed, 'conversion of a packet');
  return error;
}

export const erc20Rules = new RuleSet<Erc20Rules>({ requireConvertible: () => {}, convertPacket: attemptWithGas });
