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
 * Builds the state tries from parts of a state (yellow paper 4.1, EIP-1186). Work that `pause` interrupts continues
 * with the next call. Keeps the storage tries of some contracts, and the storage roots of all.
 */
export class TriesOfState {
  readonly #crypto: Pick<Crypto, 'keccak256'>;
  readonly #emptyRoot: Uint8Array;
  readonly #storageRoots = new Map<string, Uint8Array>();
  readonly #accounts: MerkleTrie;
  readonly #storages: KeptTries;
  /** Vesting accounts by hex address. */
  readonly #vesting = new Map<string, Uint8Array>();
  /** Contract whose slots are being added. */
  #contract: { readonly name: string; readonly storage: MerkleTrie } | undefined;
  #part: StatePart = { slots: [], accounts: [], next: undefined };
  /** Number of rows of the current part that are done. */
  #taken = 0;
  #isBegun = false;

  /** `storageBytes`: bytes of memory for the storage tries that are kept. */
  constructor(crypto: Pick<Crypto, 'keccak256'>, storageBytes: number) {
    this.#crypto = crypto;
    this.#storages = new KeptTries(storageBytes);
    this.#accounts = new MerkleTrie(crypto);
    this.#emptyRoot = this.#accounts.root;
  }

  /** True when all parts were given. */
  get isWhole(): boolean {
    return this.#isBegun && this.#part.next === undefined;
  }

  /** Start of the next part; undefined for the first one. */
  get next(): PartStart | undefined {
    return this.#part.next;
  }

  /** Sets the next part; call it after `digest` has finished the previous one. */
  give(part: StatePart): void {
    this.#part = part;
    this.#taken = 0;
    this.#isBegun = true;
  }

  /**
   * Adds the rows of the current part. Calls `pause` often: an exception of it interrupts the work, and the next call
   * continues it.
   */
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

  /** Addresses of vesting accounts, whose balance changes from block to block without a write. */
  get vesting(): readonly Uint8Array[] {
    return [...this.#vesting.values()];
  }

  /** Storage trie of a contract, after all parts are done; undefined when it must be read again. */
  storage(address: Uint8Array): MerkleTrie | undefined {
    this.#closeContract(() => undefined);
    const name = hex(address);
    return this.#storageRoots.has(name) ? this.#storages.get(name) : new MerkleTrie(this.#crypto);
  }

  /** Keeps a contract's storage trie that was read from the same state. */
  keep(address: Uint8Array, storage: MerkleTrie): void {
    this.#storages.put(hex(address), storage);
  }

  /**
   * Applies the changes of later blocks, after all parts are done. `read`: storage tries by hex address that were
   * read after those blocks; the other kept tries are updated.
   */
  change(changes: readonly ChangedAccount[], read: ReadonlyMap<string, MerkleTrie>): void {
    const written = changes.filter(({ slots }) => slots.length > 0);
    // Fetched first, because the cache may evict kept tries while others are added.
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

  /** State tries with a contract's storage trie, after all parts are done. */
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

/** Adds a slot to its contract's trie, which must not have it yet; skips zero values. */
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
