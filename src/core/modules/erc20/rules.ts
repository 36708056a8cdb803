import type { TokenPair } from '../../proto/cosmos/evm/erc20/v1/erc20_pb.js';
import { attempt } from '../../sdk/module/branch.js';
import { withStore, type Context } from '../../sdk/module/context.js';
import { GasMeter } from '../../sdk/module/gas.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import type { SdkError } from '../../sdk/module/sdk-error.js';

export interface Erc20Rules {
  /** Throws SdkError for a pair whose coin has no conversion. */
  readonly requireConvertible: (context: Context, pair: TokenPair) => void;
  /** Converts coins that a packet brought, or brought back; returns the error of a conversion that failed. */
  readonly convertPacket: (context: Context, convert: (context: Context) => void) => SdkError | undefined;
}

/** A conversion that fails leaves nothing, and its contract takes no gas, so that the packet can be answered. */
function attemptWithGas(context: Context, convert: (context: Context) => void): SdkError | undefined {
  const gas = new GasMeter(undefined);
  const error = attempt(withStore(context, context.store, context.events, gas), convert);
  context.gas.consume(gas.consumed, 'conversion of a packet');
  return error;
}

export const erc20Rules = new RuleSet<Erc20Rules>({ requireConvertible: () => {}, convertPacket: attemptWithGas });
