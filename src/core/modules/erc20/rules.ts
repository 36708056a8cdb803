import type { TokenPair } from '../../proto/cosmos/evm/erc20/v1/erc20_pb.js';
import { attempt } from '../../sdk/module/branch.js';
import type { Context } from '../../sdk/module/context.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import type { SdkError } from '../../sdk/module/sdk-error.js';

/** Rules of erc20. */
export interface Erc20Rules {
  /** Throws SdkError for a pair whose coin has no conversion. */
  readonly requireConvertible: (context: Context, pair: TokenPair) => void;
  /** Converts coins that came back to their sender; answers the error where they stay coins. */
  readonly convertRefund: (context: Context, convert: (context: Context) => void) => SdkError | undefined;
}

export const erc20Rules = new RuleSet<Erc20Rules>({ requireConvertible: () => {}, convertRefund: attempt });
