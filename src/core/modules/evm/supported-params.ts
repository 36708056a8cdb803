import type { EvmFork } from '../../evm/engine.js';
import { AccessType, type Params } from '../../proto/cosmos/evm/vm/v1/evm_pb.js';

/**
 * EIPs that change nothing when they are activated over a fork, by the first fork that has them, in the order of forks
 * (go-ethereum v1.16 `core/vm/eips.go`). The others would change gas or instructions: 1884, 2200 and 2929 take back
 * later prices.
 */
const EIPS_SINCE: Readonly<Record<EvmFork, readonly bigint[]>> = {
  london: [1344n, 3198n, 3529n],
  paris: [],
  shanghai: [3855n, 3860n],
  cancun: [1153n, 5656n, 6780n],
  prague: [7702n],
  osaka: [7939n],
};

/** A valid parameter that this build does not enforce, so that a chain with it would be another chain. */
export interface UnsupportedParam {
  /** Path below the parameters. */
  readonly field: string;
  readonly text: string;
}

/**
 * The first parameter that this build does not enforce: of access it enforces the kinds of permission and no list of
 * addresses, and of the activated EIPs those that the fork has.
 */
export function unsupportedParam({ accessControl, extraEips }: Params, fork: EvmFork): UnsupportedParam | undefined {
  for (const of of ['create', 'call'] as const) {
    const rule = accessControl?.[of];
    const field = `access_control.${of}`;
    if (rule?.accessType === AccessType.PERMISSIONED)
      return { field, text: 'ACCESS_TYPE_PERMISSIONED is not supported' };
    if ((rule?.accessControlList.length ?? 0) > 0) return { field, text: 'lists of addresses are not supported' };
  }
  const ofFork = eipsOf(fork);
  const eip = extraEips.find((one) => !ofFork.has(one));
  return eip === undefined ? undefined : { field: 'extra_eips', text: `EIP ${eip} is not supported` };
}

function eipsOf(fork: EvmFork): ReadonlySet<bigint> {
  const since = Object.entries(EIPS_SINCE);
  const through = since.findIndex(([name]) => name === fork);
  return new Set(since.slice(0, through + 1).flatMap(([, eips]) => eips));
}
