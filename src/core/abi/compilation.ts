/** The contracts in an output of the Solidity compiler (https://docs.soliditylang.org, "Using the Compiler"). */
import { asObject } from '../text/json-object.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import type { Crypto } from '../ports/crypto.js';
import { contractOf, type Contract } from './contract.js';
import { isIdentifier } from './identifier.js';

/**
 * Contracts by their qualified names: the source, a colon and the name. A source whose name is longer than
 * `sourceNameCharacters` is left out, and so is a contract whose name is no identifier (`isIdentifier`).
 * Undefined for any other JSON.
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
