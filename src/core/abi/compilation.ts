/** Reads the contracts from Solidity compiler output (https://docs.soliditylang.org, "Using the Compiler"). */
import { asObject } from '../text/json-object.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import type { Crypto } from '../ports/crypto.js';
import { contractOf, type Contract } from './contract.js';
import { isIdentifier } from './identifier.js';

/**
 * Contracts by qualified name: source, colon, name. Skips sources whose name exceeds `sourceNameCharacters`, and
 * contracts whose name is not an identifier (`isIdentifier`). Undefined for other JSON.
 */
export function compiledContracts(
  crypto: Pick<Crypto, 'keccak256'>,
  output: unknown,
): ReadonlyMap<string, Contract> | undefined {
  const sources = asObject(asObject(output)?.['contracts']);
  if (sources === undefined) return undefined;
  const found = new Map<string, Contract>();
  for (const [source, contracts] of Object.entries(sources)) {
    if (source.length > FIXED_LIMITS.sourceNameCharacters) continue;
    for (const [contractName, compiled] of Object.entries(asObject(contracts) ?? {})) {
      if (!isIdentifier(contractName)) continue;
      const { abi, evm } = asObject(compiled) ?? {};
      const { bytecode, deployedBytecode } = asObject(evm) ?? {};
      const contract = contractOf(crypto, { contractName, abi, bytecode, deployedBytecode }, contractName);
      if (contract !== undefined) found.set(`${source}:${contractName}`, contract);
    }
  }
  return found;
}
