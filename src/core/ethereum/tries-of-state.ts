import { hex } from '../bytes/hex.js';
import { bigintOfBytes } from '../bytes/big-endian.js';
import { equal } from '../bytes/bytes.js';
import type { Crypto } from '../ports/crypto.js';
import { invariant } from '../errors.js';
import { KeptTries } from './kept-tries.js';
import { MerkleTrie } from './merkle-trie.js';
import { encodeRlp, rlpNumber } from './rlp.js';
import type { AccountFacts, ChangedAccount, PartStart, StatePart, StateTries, StorageSlot } from './state-proof.js';

/**
 * Makes the tries of a state from its parts (yellow paper 4.1, EIP-1186). Work that `pause` ends goes on where it was.
 * Of the tries of contracts it keeps some, and of the others the roots.
 */
export class TriesOfState {
  readonly #crypto: Pick<Crypto, 'keccak256'>;
  readonly #emptyRoot: Uint8Array;
  readonly #storageRoots = new Map<string, Uint8Array>();
  readonly #accounts: MerkleTrie;
  readonly #storages: KeptTries;
  /** By address in hex. */
  readonly #vesting = new Map<string, Uint8Array>();
  /** The contract whose slots are being taken. */
  #contract: { readonly name: string; readonly storage: MerkleTrie } | undefined;
  #part: StatePart = { slots: [], accounts: [], next: undefined };
  /** Rows of the part that were taken. */
  #taken = 0;
  #isBegun = false;

  /** `storageBytes`: memory of the tries of contracts that are kept, bytes. */
  constructor(crypto: Pick<Crypto, 'keccak256'>, storageBytes: number) {
    this.#crypto = crypto;
    this.#storages = new KeptTries(storageBytes);
    this.#accounts = new MerkleTrie(crypto);
    this.#emptyRoot = this.#accounts.root;
  }

  /** True when every part was given. */
  get isWhole(): boolean {
    return this.#isBegun && this.#part.next === undefined;
  }

  /** Where the next part begins; undefined for the first one. */
  get next(): PartStart | undefined {
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
      pause();
      const name = hex(row.address);
      if (this.#contract?.name !== name) {
        this.#closeContract(pause);
        this.#contract = { name, storage: new MerkleTrie(this.#crypto) };
      }
      addSlot(this.#crypto, this.#contract.storage, row);
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

  /** The trie of a contract's slots, when every part was digested; undefined when it has to be read. */
  storage(address: Uint8Array): MerkleTrie | undefined {
    this.#closeContract(() => undefined);
    const name = hex(address);
    return this.#storageRoots.has(name) ? this.#storages.get(name) : new MerkleTrie(this.#crypto);
  }

  /** Keeps the trie of a contract's slots, which was read from the same state. */
  keep(address: Uint8Array, storage: MerkleTrie): void {
    this.#storages.put(hex(address), storage);
  }

  /**
   * Takes the changes of later blocks, when every part was digested. `read`: tries of contracts by address in hex, as
   * they are after these blocks; the others are changed.
   */
  change(changes: readonly ChangedAccount[], read: ReadonlyMap<string, MerkleTrie>): void {
    const written = changes.filter(({ slots }) => slots.length > 0);
    // a trie that is kept may go while others come
    const kept = new Map(written.map(({ address }) => [hex(address), this.storage(address)]));
    for (const { address, slots } of written) {
      const name = hex(address);
      const storage = read.get(name) ?? kept.get(name);
      invariant(storage !== undefined, 'the trie of slots that were written is kept, or was read');
      if (!read.has(name)) for (const slot of slots) setSlot(this.#crypto, storage, slot);
      this.#setStorage(name, storage);
    }
    for (const { address, facts } of changes) {
      const name = hex(address);
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

  /** The tries, when every part was digested, with that of the slots of a contract. */
  tries(storage: MerkleTrie, pause: () => void): StateTries {
    this.#closeContract(pause);
    this.#accounts.digest(pause);
    return { accounts: this.#accounts, storageRoots: this.#storageRoots, storage, emptyRoot: this.#emptyRoot };
  }

  #closeContract(pause: () => void): void {
    if (this.#contract === undefined) return;
    const { name, storage } = this.#contract;
    storage.digest(pause);
    this.#setStorage(name, storage);
    this.#contract = undefined;
  }

  #setStorage(name: string, storage: MerkleTrie): void {
    const { root } = storage;
    if (equal(root, this.#emptyRoot)) {
      this.#storageRoots.delete(name);
      this.#storages.delete(name);
      return;
    }
    this.#storageRoots.set(name, root);
    this.#storages.put(name, storage);
  }
}

/** Adds a slot to the trie of its contract, which does not have it; one with zero is in no trie. */
export function addSlot(
  crypto: Pick<Crypto, 'keccak256'>,
  storage: MerkleTrie,
  { slot, value }: Pick<StorageSlot, 'slot' | 'value'>,
): void {
  const word = bigintOfBytes(value);
  if (word !== 0n) storage.add({ path: crypto.keccak256(slot), value: encodeRlp(rlpNumber(word)) });
}

function setSlot(crypto: Pick<Crypto, 'keccak256'>, storage: MerkleTrie, slot: StorageSlot): void {
  storage.remove(crypto.keccak256(slot.slot));
  addSlot(crypto, storage, slot);
}
