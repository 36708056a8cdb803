import type { PoolEntry } from './pool-entry.js';

/** A transaction of an account, with the nonce that it has there. */
export interface LineEntry {
  readonly nonce: bigint;
  readonly entry: PoolEntry;
}

/** The transactions of one account by rising nonce. */
export type Line = readonly LineEntry[];

const NO_LINE: Line = [];

/** The transactions of each account by nonce. A transaction of several signers is in the line of each. */
export class AccountLines {
  readonly #lines = new Map<string, LineEntry[]>();

  /** Empty for an account without transactions. */
  of(address: string): Line {
    return this.#lines.get(address) ?? NO_LINE;
  }

  all(): Iterable<Line> {
    return this.#lines.values();
  }

  find(address: string, nonce: bigint): PoolEntry | undefined {
    const line = this.of(address);
    const found = line[placeOf(line, nonce)];
    return found?.nonce === nonce ? found.entry : undefined;
  }

  /** Inserts an entry in the line of each of its accounts, in place of another one with the same nonce. */
  insert(entry: PoolEntry): void {
    for (const { address, nonce } of entry.transaction.accounts) {
      const line = this.#lines.get(address);
      if (line === undefined) {
        this.#lines.set(address, [{ nonce, entry }]);
        continue;
      }
      const at = placeOf(line, nonce);
      line.splice(at, line[at]?.nonce === nonce ? 1 : 0, { nonce, entry });
    }
  }

  /** Removes an entry from the lines that have it. */
  remove(entry: PoolEntry): void {
    for (const { address, nonce } of entry.transaction.accounts) {
      const line = this.#lines.get(address);
      if (line === undefined) continue;
      const at = placeOf(line, nonce);
      if (line[at]?.entry !== entry) continue;
      line.splice(at, 1);
      if (line.length === 0) this.#lines.delete(address);
    }
  }

  clear(): void {
    this.#lines.clear();
  }
}

/** Index of the first entry whose nonce is not below `nonce`. */
function placeOf(line: Line, nonce: bigint): number {
  let low = 0;
  let high = line.length;
  // Most come after all others.
  if ((line[high - 1]?.nonce ?? -1n) < nonce) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((line[middle]?.nonce ?? nonce) < nonce) low = middle + 1;
    else high = middle;
  }
  return low;
}
