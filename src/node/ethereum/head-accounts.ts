import { toOrderedString } from '../../core/bytes/key-order.js';
import type { EthereumAccount } from '../../core/ethereum/api.js';
import { ETHEREUM_LIMITS } from '../../core/limits/limits.js';

/**
 * Cache of accounts at the head. Wallets and tests read the same few between two blocks, and reading one (with its
 * vesting coins) is the slowest part of `eth_getBalance`.
 */
export class HeadAccounts {
  readonly #known = new Map<string, EthereumAccount>();
  #head: object | undefined;

  /**
   * The account at the head; calls `read` if it is not cached. `head` is a new object after each block and each
   * revert.
   */
  get(head: object, address: Uint8Array, read: () => EthereumAccount): EthereumAccount {
    if (this.#head !== head) {
      this.#known.clear();
      this.#head = head;
    }
    const key = toOrderedString(address);
    const before = this.#known.get(key);
    if (before !== undefined) return before;
    const account = read();
    if (this.#known.size < ETHEREUM_LIMITS.headAccounts) this.#known.set(key, account);
    return account;
  }
}
