import type { PoolEntry } from './pool-entry.js';

/** A transaction, and the nonce it uses of one account. */
export interface LineEntry {
  readonly nonce: bigint;
  readonly entry: PoolEntry;
}

/** Transactions of one account, by ascending nonce. */
export type AccountLine = readonly LineEntry[];

const NO_LINE: AccountLine = [];

/** Transactions by account and nonce. A transaction with several signers is listed for each of them. */
export class AccountLines {
  readonly #lines = new Map<string, LineEntry[]>();

  /** The transactions of an account; empty when it has none. */
  of(address: string): AccountLine {
    return this.#lines.get(address) ?? NO_LINE;
  }

  find(address: string, nonce: bigint): PoolEntry | undefined {
    const line = this.of(address);
    const found = line[placeOf(line, nonce)];
    return found?.nonce === nonce ? found.entry : undefined;
  }

  /** Inserts an entry for each of its accounts, replacing one with the same nonce. */
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

  /** Removes an entry from all its accounts. */
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

/** Index of the first entry with a nonce of at least `nonce`. */
function placeOf(line: AccountLine, nonce: bigint): number {
  let low = 0;
  let high = line.length;
  // Fast path: most transactions have the highest nonce.
  if ((line[high - 1]?.nonce ?? -1n) < nonce) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((line[middle]?.nonce ?? nonce) < nonce) low = middle + 1;
    else high = middle;
  }
  return low;
}
