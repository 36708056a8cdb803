import { compare } from '../../bytes/bytes.js';
import { hex } from '../../bytes/hex.js';
import type { EvmFork } from '../../evm/transaction.js';
import type { EvmOverride } from '../../evm/state.js';
import { isPrecompile } from '../../evm/precompiles.js';
import { checksumAddress } from '../../keys/address.js';
import type { Crypto } from '../../ports/crypto.js';

/**
 * geth's error for moved precompiles (v1.17 `internal/ethapi/override`); undefined when all moves are valid. Checks
 * addresses in ascending order.
 */
export function refuseMoves(
  crypto: Pick<Crypto, 'keccak256'>,
  fork: EvmFork,
  overrides: readonly EvmOverride[],
): string | undefined {
  if (overrides.every(({ movePrecompileTo }) => movePrecompileTo === undefined)) return undefined;
  const edited = new Set(overrides.map(({ address }) => hex(address)));
  const taken = new Set<string>();
  const name = (address: Uint8Array): string => checksumAddress(crypto, address);
  for (const { address, movePrecompileTo: target } of overrides.toSorted((a, b) => compare(a.address, b.address))) {
    if (taken.has(hex(address))) return `account ${name(address)} has already been overridden by a precompile`;
    if (target === undefined) continue;
    if (!isPrecompile(fork, address)) return `account ${name(address)} is not a precompile`;
    if (edited.has(hex(target))) return `account ${name(target)} is already overridden`;
    taken.add(hex(target));
  }
  return undefined;
}

/**
 * Part of the overrides that removes or moves precompiles (Ethereum's, and the chain's by lower-case hex); account
 * contents stay.
 */
export function movesOf(
  fork: EvmFork,
  ofChain: readonly string[],
  overrides: readonly EvmOverride[],
): readonly EvmOverride[] {
  return overrides
    .filter(({ address }) => isPrecompile(fork, address) || ofChain.includes(hex(address)))
    .map(({ address, movePrecompileTo }) => ({ address, ...(movePrecompileTo && { movePrecompileTo }) }));
}
