import { fromHex, hex } from '../../core/bytes/hex.js';
import { DONE } from '../../core/errors.js';
import type { Impersonation } from '../../core/ethereum/api.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';

/** The accounts that this process impersonates. */
export class Impersonations implements Impersonation {
  readonly #maximum: number;
  readonly #named = new Set<string>();
  #isAutomatic = false;

  constructor({ devImpersonated }: Pick<Limits, 'devImpersonated'>) {
    this.#maximum = devImpersonated;
  }

  start(address: Uint8Array): Outcome<undefined> {
    if (this.#named.size >= this.#maximum && !this.#named.has(hex(address)))
      return { ok: false, error: { code: 'limit-exceeded', limit: 'devImpersonated', maximum: this.#maximum } };
    this.#named.add(hex(address));
    return DONE;
  }

  stop(address: Uint8Array): boolean {
    return this.#named.delete(hex(address));
  }

  setAutomatic(isOn: boolean): void {
    this.#isAutomatic = isOn;
  }

  has(address: Uint8Array): boolean {
    return this.#isAutomatic || this.#named.has(hex(address));
  }

  addresses(): readonly Uint8Array[] {
    return [...this.#named].map(fromHex);
  }

  /** Stops all impersonations. */
  clear(): void {
    this.#named.clear();
    this.#isAutomatic = false;
  }
}
