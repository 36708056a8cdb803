import { hex, bytesOfDigits } from '../../bytes/hex.js';
import type { Context } from '../../sdk/module/context.js';
import { invariant } from '../../errors.js';
import type { AccessListResult } from '../../ethereum/api.js';
import type { EthereumCall } from '../../ethereum/call.js';
import type { EvmAccessListItem } from '../../evm/transaction.js';
import type { EvmOverride } from '../../evm/state.js';
import { callEvm, traceCall } from './call.js';
import { ACCESS_LIST } from './tracers.js';
import { FIXED_LIMITS } from '../../limits/limits.js';

/**
 * Access list that a call would use (without sender, target and precompiles), and the gas used with it (geth
 * `internal/ethapi` `AccessList`). A failed call has a list too, and an error text.
 */
export function createAccessList(
  context: Context,
  call: EthereumCall,
  overrides: readonly EvmOverride[],
): AccessListResult {
  let accessList: readonly EvmAccessListItem[] = call.accessList ?? [];
  for (let attempt = 0; attempt < FIXED_LIMITS.accessListAttempts; attempt += 1) {
    const tracer = JSON.stringify({ tracer: ACCESS_LIST });
    const traced = traceCall(context, { ...call, accessList }, overrides, {}, tracer, FIXED_LIMITS.callGas);
    if (!traced.ok) return { kind: 'refused', message: traced.message };
    const grown = union(accessList, readItems(traced.json));
    if (sizeOf(grown) === sizeOf(accessList)) break;
    accessList = grown;
  }
  const result = callEvm(context, { ...call, accessList }, overrides, {}, FIXED_LIMITS.callGas);
  if (result.kind === 'refused' || result.kind === 'timeout') return result;
  const error = result.kind === 'halt' ? result.message : result.kind === 'revert' ? 'execution reverted' : undefined;
  return { kind: 'list', accessList, gasUsed: result.gasUsed, ...(error !== undefined && { error }) };
}

/** Parses the JSON of the engine's `accessListTracer`. */
function readItems(json: string): readonly EvmAccessListItem[] {
  const items: readonly { readonly address: string; readonly storageKeys: readonly string[] }[] = JSON.parse(json);
  return items.map(({ address, storageKeys }) => ({
    address: bytesOf(address),
    storageKeys: storageKeys.map(bytesOf),
  }));
}

function bytesOf(data: string): Uint8Array {
  const bytes = bytesOfDigits(data.slice(2));
  invariant(bytes !== undefined, 'the engine writes hex');
  return bytes;
}

function union(left: readonly EvmAccessListItem[], right: readonly EvmAccessListItem[]): readonly EvmAccessListItem[] {
  const merged = new Map<string, { readonly address: Uint8Array; readonly keys: Map<string, Uint8Array> }>();
  for (const { address, storageKeys } of [...left, ...right]) {
    const item = merged.get(hex(address)) ?? { address, keys: new Map<string, Uint8Array>() };
    merged.set(hex(address), item);
    for (const key of storageKeys) item.keys.set(hex(key), key);
  }
  return [...merged.values()].map(({ address, keys }) => ({ address, storageKeys: [...keys.values()] }));
}

function sizeOf(list: readonly EvmAccessListItem[]): number {
  return list.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0);
}
