import { abiItems } from '../../core/abi/item.js';
import type { Contract } from '../../core/abi/contract.js';
import { Interfaces } from '../../core/abi/interfaces.js';
import type { Names } from '../../core/activity/names.js';
import { hex } from '../../core/bytes/hex.js';
import type { InspectionApi } from '../../core/inspection/api.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';

const ADDRESS_BYTES = 20;

/** Names of accounts and contracts for one answer of `chronicle_*`. Contracts are looked up once, up to a limit. */
export class AnswerNames implements Names {
  readonly crypto: Names['crypto'];
  readonly interfaces: Interfaces;
  readonly accounts: Names['accounts'];
  readonly #find: InspectionApi['contract'];
  readonly #known = new Map<string, Contract | undefined>();

  /** `find` returns the contract at an address; `accounts` maps 40 lower-case hex digits to names. */
  constructor(crypto: Pick<Crypto, 'keccak256'>, accounts: Names['accounts'], find: InspectionApi['contract']) {
    this.crypto = crypto;
    this.interfaces = new Interfaces(crypto);
    this.accounts = accounts;
    this.#find = find;
  }

  /** Looks up the contracts at these addresses, up to `namedContracts` in all; others stay without a name. */
  async learn(addresses: Iterable<Uint8Array>): Promise<void> {
    for (const address of addresses) {
      const key = hex(address);
      if (address.length !== ADDRESS_BYTES || this.accounts.has(key) || this.#known.has(key)) continue;
      if (this.#known.size >= FIXED_LIMITS.namedContracts) return;
      const found = await this.#find(address);
      const items = found && abiItems(this.crypto, found.abi);
      this.#known.set(key, items && { name: found.name, items, creation: undefined, deployed: undefined });
    }
  }

  /** True if any contract was found. */
  get hasContracts(): boolean {
    return [...this.#known.values()].some((contract) => contract !== undefined);
  }

  readonly contractAt: Names['contractAt'] = (address) => this.#known.get(hex(address));
}

/** Names without a chain, for example for a foreign log file: only well-known interfaces. */
export function plainNames(crypto: Pick<Crypto, 'keccak256'>): AnswerNames {
  return new AnswerNames(crypto, new Map(), () => Promise.resolve(undefined));
}
