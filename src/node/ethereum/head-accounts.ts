import { toOrderedString } from '../../core/bytes/key-order.js';
import type { EthereumAccount } from '../../core/ethereum/api.js';
import { ETHEREUM_LIMITS } from '../../core/limits/limits.js';

/**
 * Accounts of the head that clients have requested: wallets and tests read the same few between two blocks, and reading
 * one, with its coins that still vest, takes longer than the rest of `eth_getBalance`.
 */
export class HeadAccounts {
  readonly #known = new Map<string, EthereumAccount>();
  #head: object | undefined;

  /** The account at the head, which is another object after each block and each revert. */
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
