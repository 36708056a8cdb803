import type { Contract } from '../../core/abi/contract.js';
import type { GivenContracts as GivenContractsOfApi } from '../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../core/limits.js';
import type { Outcome } from '../../core/node-api.js';
import { DONE } from './mine.js';

/** The compiled contracts that clients of this process gave. */
export class GivenContracts implements GivenContractsOfApi {
  #byName: ReadonlyMap<string, Contract> = new Map();
  #all: readonly Contract[] = [];

  get all(): readonly Contract[] {
    return this.#all;
  }

  add(contracts: ReadonlyMap<string, Contract>): Outcome<undefined> {
    const byName = new Map([...this.#byName, ...contracts]);
    const { artifacts: maximum } = FIXED_LIMITS;
    if (byName.size > maximum) return { ok: false, error: { code: 'limit-exceeded', limit: 'artifacts', maximum } };
    this.#byName = byName;
    this.#all = [...byName.values()];
    return DONE;
  }
}
