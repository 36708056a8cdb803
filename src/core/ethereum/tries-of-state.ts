import { hex } from '../bytes/hex.js';
import { bigintOfBytes } from '../bytes/big-endian.js';
import type { Crypto } from '../ports/crypto.js';
import { MerkleTrie } from './merkle-trie.js';
import { encodeRlp, rlpNumber } from './rlp.js';
import type { AccountFacts, ChangedAccount, PartPlace, StatePart, StateTries, StorageSlot } from './state-proof.js';

/**
 * Makes the tries of a state from its parts (yellow paper 4.1, EIP-1186). Work that `pause` ends goes on where it was.
 */
export class TriesOfState {
  readonly #crypto: Pick<Crypto, 'keccak256'>;
  readonly #emptyRoot: Uint8Array;
  readonly #storageRoots = new Map<string, Uint8Array>();
  readonly #accounts: MerkleTrie;
  /** By address in hex. */
  readonly #vesting = new Map<string, Uint8Array>();
  /** The contract whose slots are being taken. */
  #contract: { readonly address: string; readonly slots: StorageSlot[] } | undefined;
  #part: StatePart = { slots: [], accounts: [], next: undefined };
  /** Rows of the part that were taken. */
  #taken = 0;
  #isBegun = false;

  constructor(crypto: Pick<Crypto, 'keccak256'>) {
    this.#crypto = crypto;
    this.#accounts = new MerkleTrie(crypto);
    this.#emptyRoot = this.#accounts.root;
  }

  /** True when every part was given. */
  get isWhole(): boolean {
    return this.#isBegun && this.#part.next === undefined;
  }

  /** Where the next part begins; undefined for the first one. */
  get next(): PartPlace | undefined {
    return this.#part.next;
  }

  /** Gives the next part, after `digest` has ended. */
  give(part: StatePart): void {
    this.#part = part;
    this.#taken = 0;
    this.#isBegun = true;
  }

  /** Takes what the part has. `pause` is called often; what it throws ends the work, and a second call goes on. */
  digest(pause: () => void): void {
    const { slots, accounts } = this.#part;
    for (; this.#taken < slots.length; this.#taken += 1) {
      const row = slots[this.#taken];
      if (row === undefined) continue;
      const address = hex(row.address);
      if (this.#contract?.address !== address) {
        this.#closeContract(pause);
        this.#contract = { address, slots: [] };
      }
      this.#contract.slots.push(row);
    }
    if (accounts.length > 0) this.#closeContract(pause);
    for (; this.#taken < slots.length + accounts.length; this.#taken += 1) {
      pause();
      const account = accounts[this.#taken - slots.length];
      if (account !== undefined) this.#add(account);
    }
  }

  /** Addresses of accounts that are not the same in the next block although nothing is written. */
  get vesting(): readonly Uint8Array[] {
    return [...this.#vesting.values()];
  }

  /** Takes the changes of later blocks, when every part was digested. */
  change(changes: readonly ChangedAccount[]): void {
    this.#closeContract(() => undefined);
    for (const { address, facts, slots } of changes) {
      const name = hex(address);
      if (slots?.length === 0) this.#storageRoots.delete(name);
      else if (slots !== undefined)
        this.#storageRoots.set(name, storageTrie(this.#crypto, slots, () => undefined).root);
      this.#vesting.delete(name);
      this.#accounts.remove(this.#crypto.keccak256(address));
      if (facts !== undefined) this.#add(facts);
    }
  }

  #add({ address, nonce, balance, codeHash, vests }: AccountFacts): void {
    if (vests) this.#vesting.set(hex(address), address);
    const root = this.#storageRoots.get(hex(address)) ?? this.#emptyRoot;
    const value = encodeRlp([rlpNumber(nonce), rlpNumber(balance), root, codeHash]);
    this.#accounts.add({ path: this.#crypto.keccak256(address), value });
  }

  /** The tries, when every part was digested. */
  tries(pause: () => void): StateTries {
    this.#closeContract(pause);
    this.#accounts.digest(pause);
    return { accounts: this.#accounts, storageRoots: this.#storageRoots, emptyRoot: this.#emptyRoot };
  }

  #closeContract(pause: () => void): void {
    if (this.#contract === undefined) return;
    const { address, slots } = this.#contract;
    this.#storageRoots.set(address, storageTrie(this.#crypto, slots, pause).root);
    this.#contract = undefined;
  }
}

/** The trie of the slots of a contract; those with zero are not in it. */
export function storageTrie(
  crypto: Pick<Crypto, 'keccak256'>,
  slots: readonly StorageSlot[],
  pause: () => void,
): MerkleTrie {
  const entries = slots
    .map(({ slot, value }) => ({ slot, word: bigintOfBytes(value) }))
    .filter(({ word }) => word !== 0n)
    .map(({ slot, word }) => ({ path: crypto.keccak256(slot), value: encodeRlp(rlpNumber(word)) }));
  const trie = new MerkleTrie(crypto, entries);
  trie.digest(pause);
  return trie;
}
