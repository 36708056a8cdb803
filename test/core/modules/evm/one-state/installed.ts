/** Installs contracts in a state, and calls them. */
import { decodeFunctionResult, encodeDeployData, encodeFunctionData, type Abi, type Hex } from 'viem';
import { ensureAccount } from '../../../../../src/core/modules/auth/accounts.js';
import { callContract } from '../../../../../src/core/modules/evm/internal-call.js';
import { codeHashKey, codeKey } from '../../../../../src/core/modules/evm/store.js';
import { CacheStore } from '../../../../../src/core/state/overlay.js';
import type { StateStore } from '../../../../../src/core/state/state.js';
import type { PropertyChain } from '../../../app/properties/chain.js';
import { crypto, toHex } from '../../../app/support.js';
import { bytesOfHex } from './world.js';

/** Installs the code that a constructor returns; the constructor must store nothing. */
export function install(
  chain: PropertyChain,
  state: StateStore,
  at: Hex,
  { abi, bytecode }: { readonly abi: Abi; readonly bytecode: Hex },
  args: readonly unknown[] = [],
): void {
  const data = bytesOfHex(encodeDeployData({ abi, bytecode, args }));
  const head = { ...chain.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) };
  const made = chain.app.ethereum?.call(new CacheStore(state), head, { data }, [], {});
  if (made?.kind !== 'success') throw new Error(`not deployed: ${made?.kind}`);
  const hash = crypto.keccak256(made.output);
  ensureAccount(chain.delivering(state), bytesOfHex(at));
  state.set('evm', codeKey(hash), made.output);
  state.set('evm', codeHashKey(bytesOfHex(at)), hash);
}

/** Calls a function and keeps its writes; throws SdkError when it fails. */
export function perform(
  chain: PropertyChain,
  state: StateStore,
  from: Uint8Array,
  to: Hex,
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
): void {
  const data = bytesOfHex(encodeFunctionData({ abi, functionName, args }));
  const store = new CacheStore(state);
  callContract(chain.delivering(store), { from, to: bytesOfHex(to), data, writes: true });
  store.commitTo(state);
}

/** Calls a view function. The application caches what it reads of a state, so each call gets a state of its own. */
export function ask(
  chain: PropertyChain,
  state: StateStore,
  to: Hex,
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
): unknown {
  const data = bytesOfHex(encodeFunctionData({ abi, functionName, args }));
  const head = { ...chain.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) };
  const result = chain.app.ethereum?.call(new CacheStore(state), head, { to: bytesOfHex(to), data }, [], {});
  if (result?.kind !== 'success') throw new Error(`${functionName}: ${result?.kind}`);
  return decodeFunctionResult({ abi, functionName, data: `0x${toHex(result.output)}` });
}
