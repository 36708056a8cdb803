import { bytesOfDigits, hex, hexData } from '../../../bytes/hex.js';
import type { EvmOverride } from '../../../evm/state.js';
import type { Params } from '../../../proto/cosmos/evm/vm/v1/evm_pb.js';
import { withStore, type Context } from '../../../sdk/module/context.js';
import { unmetered } from '../../../sdk/module/gas.js';
import type { StatefulPrecompile } from '../../../sdk/module/stateful-precompile.js';
import { versionOf } from '../../../sdk/module/message-router.js';
import { getParams } from '../store.js';
import { callRules } from './call-rules.js';
import { type Contracts, type Payer, PrecompileCalls } from './calls.js';
import type { ContractKind } from './contract-kind.js';
import { overridden } from './overridden.js';

/** Known precompiles in the state, per application (identified by its router). */
interface Known {
  readonly tokens: readonly StatefulPrecompile[];
  readonly byParams: WeakMap<Params, Contracts>;
}

const known = new WeakMap<Context['router'], Known>();

/**
 * Active precompiles in the state of `context`; undefined for an application version without precompiles, whatever
 * the parameters list.
 */
function activeContracts(context: Context): Contracts | undefined {
  const { static: ours, tokens, dynamic } = versionOf(context).precompiles;
  if (ours.length === 0 && tokens === undefined) return undefined;
  const { byParams, tokens: more } = knownOf(context);
  const params = getParams(context);
  const before = byParams.get(params);
  if (before !== undefined) return before;
  // Static precompiles take precedence over a token at the same address.
  const named = staticContracts(context, params);
  const all = [...named, ...more];
  const byAddress = new Map<string, StatefulPrecompile>();
  for (const one of all) if (!byAddress.has(hex(one.address))) byAddress.set(hex(one.address), one);
  const contracts = {
    addresses: [...byAddress.keys()],
    byAddress,
    named: new Set(named.map(({ address }) => hex(address))),
    dynamic,
  };
  byParams.set(params, contracts);
  return contracts;
}

/** Reads the genesis tokens once, because they never change. Later ones are found by their code. */
function knownOf(context: Context): Known {
  const before = known.get(context.router);
  if (before !== undefined) return before;
  const tokens = versionOf(context).precompiles.tokens?.(withStore(context, unmetered(context.store))) ?? [];
  const found = { tokens, byParams: new WeakMap<Params, Contracts>() };
  if (context.mode !== 'genesis') known.set(context.router, found);
  return found;
}

/** Static precompiles that the EVM parameters activate. */
function staticContracts(context: Context, params: Params): readonly StatefulPrecompile[] {
  const ours = new Map(versionOf(context).precompiles.static.map((one) => [hex(one.address), one]));
  const { named } = callRules.of(context);
  return params.activeStaticPrecompiles.flatMap((text) => {
    const address = bytesOfDigits(text.replace(/^0[xX]/, ''));
    if (address?.length !== 20) return [];
    return named(context.crypto, text, address, ours.get(hex(address))) ?? [];
  });
}

/** Last precompile of go-ethereum v1.16 `PrecompiledContractsPrague`; the first is 1. */
const LAST_OF_ETHEREUM = 0x11n;

/** True for the address (20 bytes) of a built-in Ethereum precompile. */
export function isEthereumPrecompile(address: Uint8Array): boolean {
  const number = BigInt(hexData(address));
  return number >= 1n && number <= LAST_OF_ETHEREUM;
}

/**
 * Precompile calls for one execution on the store of `context` with a call's overrides; undefined on a chain without
 * precompiles. `payer` as in `PrecompileCalls`.
 */
export function precompileCalls(
  context: Context,
  overrides: readonly EvmOverride[] = [],
  payer?: Payer,
): PrecompileCalls | undefined {
  const contracts = activeContracts(context);
  if (contracts === undefined || contracts.addresses.length === 0) return undefined;
  return new PrecompileCalls(overridden(context, overrides), contracts, payer);
}

/** Kind of a precompile address: `static`, `token` (a token pair's), or undefined for other addresses. */
export function contractKind(context: Context, address: Uint8Array): ContractKind {
  if (isEthereumPrecompile(address)) return 'static';
  const contracts = activeContracts(context);
  const name = hex(address);
  if (contracts === undefined) return undefined;
  if (contracts.byAddress.has(name)) return contracts.named.has(name) ? 'static' : 'token';
  const free = withStore(context, unmetered(context.store));
  return contracts.dynamic?.at(free, address) === undefined ? undefined : 'token';
}
