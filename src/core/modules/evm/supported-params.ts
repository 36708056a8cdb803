import type { EvmFork } from '../../evm/transaction.js';
import type { Params } from '../../proto/cosmos/evm/vm/v1/evm_pb.js';
import { unsupportedEip } from './extra-eips.js';

/** A valid parameter that this build does not support, so a chain with it would diverge. */
export interface UnsupportedParam {
  /** Field path within the parameters. */
  readonly field: string;
  readonly text: string;
}

/** First unsupported parameter: an activated EIP that would revert later rules. */
export function unsupportedParam({ extraEips }: Params, fork: EvmFork): UnsupportedParam | undefined {
  const eip = unsupportedEip(extraEips, fork);
  return eip === undefined ? undefined : { field: 'extra_eips', text: `EIP ${eip} is not supported` };
}
