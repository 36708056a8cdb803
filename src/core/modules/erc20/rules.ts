import type { TokenPair } from '../../proto/cosmos/evm/erc20/v1/erc20_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { RuleSet } from '../../sdk/module/rule-set.js';

/** Rules of erc20. */
export interface Erc20Rules {
  /** Throws SdkError for a pair whose coin has no conversion. */
  readonly requireConvertible: (context: Context, pair: TokenPair) => void;
}

export const erc20Rules = new RuleSet<Erc20Rules>({ requireConvertible: () => {} });
