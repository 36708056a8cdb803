import { contractBytes, type Contract } from '../../core/abi/contract.js';
import { DONE } from '../../core/errors.js';
import type { GivenContracts as GivenContractsOfApi } from '../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';

interface StoredContract {
  readonly contract: Contract;
  /** Size of the contract and of its qualified name. */
  readonly bytes: number;
}

/** Compiled contracts that clients sent to this process (`hardhat_addCompilationResult`). */
export class GivenContracts implements GivenContractsOfApi {
  #byName: ReadonlyMap<string, StoredContract> = new Map();
  #all: readonly Contract[] = [];

  get all(): readonly Contract[] {
    return this.#all;
  }

  add(contracts: ReadonlyMap<string, Contract>): Outcome<undefined> {
    const byName = new Map(this.#byName);
    for (const [name, contract] of contracts)
      byName.set(name, { contract, bytes: name.length + contractBytes(contract) });
    if (byName.size > FIXED_LIMITS.artifacts) return refused('artifacts');
    const given = [...byName.values()];
    const bytes = given.reduce((sum, one) => sum + one.bytes, 0);
    if (bytes > FIXED_LIMITS.suppliedContractBytes) return refused('suppliedContractBytes');
    this.#byName = byName;
    this.#all = given.map(({ contract }) => contract);
    return DONE;
  }
}

function refused(limit: 'artifacts' | 'suppliedContractBytes'): Outcome<never> {
  return { ok: false, error: { code: 'limit-exceeded', limit, maximum: FIXED_LIMITS[limit] } };
}
