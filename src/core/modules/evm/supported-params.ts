import type { EvmFork } from '../../evm/engine.js';
import { AccessType, type Params } from '../../proto/cosmos/evm/vm/v1/evm_pb.js';
import { unsupportedEip } from './extra-eips.js';

/** A valid parameter that this build does not enforce, so that a chain with it would be another chain. */
export interface UnsupportedParam {
  /** Path below the parameters. */
  readonly field: string;
  readonly text: string;
}

/**
 * The first parameter that this build does not enforce: of access it enforces the kinds of permission and no list of
 * addresses, and of the activated EIPs those that the fork has and those that raise prices.
 */
export function unsupportedParam({ accessControl, extraEips }: Params, fork: EvmFork): UnsupportedParam | undefined {
  for (const of of ['create', 'call'] as const) {
    const rule = accessControl?.[of];
    const field = `access_control.${of}`;
    if (rule?.accessType === AccessType.PERMISSIONED)
      return { field, text: 'ACCESS_TYPE_PERMISSIONED is not supported' };
    if ((rule?.accessControlList.length ?? 0) > 0) return { field, text: 'lists of addresses are not supported' };
  }
  const eip = unsupportedEip(extraEips, fork);
  return eip === undefined ? undefined : { field: 'extra_eips', text: `EIP ${eip} is not supported` };
}
