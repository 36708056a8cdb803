import type { EvmFork } from '../../evm/transaction.js';
import type { Params } from '../../proto/cosmos/evm/vm/v1/evm_pb.js';
import { unsupportedEip } from './extra-eips.js';

/** A valid parameter that this build does not enforce, so that a chain with it would be another chain. */
export interface UnsupportedParam {
  /** Path below the parameters. */
  readonly field: string;
  readonly text: string;
}

/** The first parameter that this build does not enforce: an activated EIP that takes back later rules. */
export function unsupportedParam({ extraEips }: Params, fork: EvmFork): UnsupportedParam | undefined {
  const eip = unsupportedEip(extraEips, fork);
  return eip === undefined ? undefined : { field: 'extra_eips', text: `EIP ${eip} is not supported` };
}
