import { bytesOfDigits, hex } from '../../../bytes/hex.js';
import type { EvmOverride } from '../../../evm/engine.js';
import type { Params } from '../../../proto/cosmos/evm/vm/v1/evm_pb.js';
import type { Context } from '../../../sdk/context.js';
import { unmetered } from '../../../sdk/gas.js';
import type { StatefulPrecompile } from '../../../sdk/stateful-precompile.js';
import { getParams } from '../store.js';
import { PrecompileCalls } from './calls.js';
import { missingContract } from './missing.js';
import { overridden } from './overridden.js';

type Contracts = ReadonlyMap<string, StatefulPrecompile>;

const known = new WeakMap<Params, Contracts>();

const NONE: Contracts = new Map();

/**
 * The chain's contracts in the state of `context`, by their addresses in lower-case hex. An application version without
 * contracts has none, whatever its parameters name.
 */
function activeContracts(context: Context): Contracts {
  const { static: ours, tokens } = context.version.precompiles;
  if (ours.length === 0 && tokens === undefined) return NONE;
  const contracts = staticContracts(context);
  const more = tokens?.({ ...context, store: unmetered(context.store) }) ?? [];
  if (more.length === 0) return contracts;
  return new Map([...contracts, ...more.map((one) => [hex(one.address), one] as const)]);
}

/** The contracts that the parameters of the EVM name. */
function staticContracts(context: Context): Contracts {
  const params = getParams(context);
  const before = known.get(params);
  if (before !== undefined) return before;
  const { static: all, unknown } = context.version.precompiles;
  const ours = new Map(all.map((one) => [hex(one.address), one]));
  const active: Contracts = new Map(
    params.activeStaticPrecompiles.flatMap((text) => {
      const address = bytesOfDigits(text.replace(/^0[xX]/, ''));
      if (address?.length !== 20) return [];
      const contract = ours.get(hex(address)) ?? (unknown === 'panics' ? missingContract(address) : undefined);
      return contract === undefined ? [] : [[hex(address), contract] as const];
    }),
  );
  known.set(params, active);
  return active;
}

/**
 * The calls of one execution over the store of `context` with the temporary edits of a call; undefined on a chain
 * without contracts of its own.
 */
export function precompileCalls(context: Context, overrides: readonly EvmOverride[] = []): PrecompileCalls | undefined {
  const contracts = activeContracts(context);
  return contracts.size === 0 ? undefined : new PrecompileCalls(overridden(context, overrides), contracts);
}
