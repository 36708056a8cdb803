import type { BlockContext } from '../application-requests.js';
import type { EthereumCalls } from '../application-ethereum.js';
import { equal } from '../bytes/bytes.js';
import { hex } from '../bytes/hex.js';
import { MerkleTrie } from '../ethereum/merkle-trie.js';
import type { AccountProof, PartStart, StatePart } from '../ethereum/state-proof.js';
import { addSlot, TriesOfState } from '../ethereum/tries-of-state.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import type { Outcome } from '../node-api.js';
import type { Crypto } from '../ports/crypto.js';
import type { RowName, StateReader } from '../state/state.js';

/** Thrown to interrupt proof work; the tries built so far stay for the next request. */
class Stopped extends Error {
  constructor(readonly outcome: Outcome<undefined>) {
    super();
  }
}

const LATE: Outcome<undefined> = { ok: true, value: undefined };

/** Access to the chain's states for building proofs. */
export interface ProvedStates {
  /** Runs a reader on the state after a block; each run is bounded. */
  readonly read: <Value>(at: BlockContext, run: (state: StateReader) => Value) => Promise<Outcome<Value>>;
  /**
   * Rows written by blocks above `from` up to `to`. Undefined when `to` does not follow `from`, or when there are too
   * many rows.
   */
  readonly written: (from: BlockContext, to: BlockContext) => Promise<readonly RowName[] | undefined>;
}

type Ethereum = Pick<EthereumCalls, 'statePart' | 'changedAccounts' | 'proof'>;

/** Tools of one request. */
interface Work {
  readonly crypto: Pick<Crypto, 'keccak256'>;
  readonly ethereum: Ethereum;
  /** Reads like `ProvedStates.read`. Throws Stopped when the time is over or the store is busy. */
  readonly read: ProvedStates['read'];
  /** Throws Stopped when the time is over. */
  readonly pause: () => void;
}

interface Kept {
  readonly at: BlockContext;
  readonly tries: TriesOfState;
}

/**
 * Proofs for `eth_getProof`. Keeps the tries of the newest requested block. When a request runs out of time, the next
 * one continues its work; a request for a later block first updates the tries with the writes in between.
 */
export class Proofs {
  readonly #crypto: Pick<Crypto, 'keccak256'>;
  readonly #isLate: () => boolean;
  readonly #storageBytes: number;
  #kept: Kept | undefined;

  /** `storageBytes`: bytes of memory for the storage tries that are kept. */
  constructor(
    crypto: Pick<Crypto, 'keccak256'>,
    isLate: () => boolean,
    storageBytes: number = FIXED_LIMITS.storageTrieBytes,
  ) {
    this.#crypto = crypto;
    this.#isLate = isLate;
    this.#storageBytes = storageBytes;
  }

  /** Returns undefined when the time was over. */
  async prove(
    ethereum: Ethereum,
    states: ProvedStates,
    at: BlockContext,
    { address, slots }: { readonly address: Uint8Array; readonly slots: readonly Uint8Array[] },
  ): Promise<Outcome<AccountProof | undefined>> {
    const pause = (): void => {
      if (this.#isLate()) throw new Stopped(LATE);
    };
    const reading: ProvedStates['read'] = async (of, run) => {
      const read = await states.read(of, run);
      if (!read.ok && read.error.code === 'timeout') throw new Stopped(LATE);
      if (!read.ok && read.error.code === 'busy') throw new Stopped(read);
      return read;
    };
    const work = { ethereum, read: reading, pause, crypto: this.#crypto };
    try {
      const kept = await this.#moved(work, states, at);
      this.#kept = kept;
      const whole = await readWhole(work, kept);
      if (!whole.ok) return whole;
      const storage = await storageOf(work, kept, slots.length === 0 ? undefined : address);
      if (!storage.ok) return storage;
      const tries = kept.tries.tries(storage.value, pause);
      return await reading(at, (state) => ethereum.proof(state, at, tries, address, slots));
    } catch (error) {
      if (error instanceof Stopped) return error.outcome;
      throw error;
    }
  }

  /** Moves the kept tries to the block `at`, or makes new ones when that is cheaper. */
  async #moved(work: Work, states: ProvedStates, at: BlockContext): Promise<Kept> {
    const kept = this.#kept;
    const anew = { at, tries: new TriesOfState(this.#crypto, this.#storageBytes) };
    if (kept === undefined) return anew;
    const { tries } = kept;
    // A block that is not in the database is read as this request provides it.
    if (equal(kept.at.hash, at.hash)) return { at, tries };
    const written = await states.written(kept.at, at);
    if (written === undefined || !(await readWhole(work, kept)).ok) return anew;
    const changed = await work.read(at, (state) => work.ethereum.changedAccounts(state, at, written, tries.vesting));
    if (!changed.ok || changed.value === undefined) return anew;
    // All reads come before the first change, because the work may be interrupted.
    const storages = new Map<string, MerkleTrie>();
    let bytes = 0;
    for (const { address, slots } of changed.value) {
      if (slots.length === 0 || tries.storage(address) !== undefined) continue;
      const storage = await readStorage(work, at, address);
      if (!storage.ok) return anew;
      bytes += storage.value.bytes;
      if (bytes > this.#storageBytes) return anew;
      storages.set(hex(address), storage.value);
    }
    tries.change(changed.value, storages);
    return { at, tries };
  }
}

/** Reads everything that the tries lack of their state. */
async function readWhole({ ethereum, read, pause }: Work, { at, tries }: Kept): Promise<Outcome<undefined>> {
  tries.digest(pause);
  while (!tries.isWhole) {
    pause();
    const part = await read(at, (state) => ethereum.statePart(state, at, tries.next, FIXED_LIMITS.proofRows));
    if (!part.ok) return part;
    tries.give(part.value);
    tries.digest(pause);
  }
  return { ok: true, value: undefined };
}

/** Storage trie of a contract, kept for later proofs; empty when there is no contract. */
async function storageOf(
  work: Work,
  { at, tries }: Kept,
  address: Uint8Array | undefined,
): Promise<Outcome<MerkleTrie>> {
  if (address === undefined) return { ok: true, value: new MerkleTrie(work.crypto) };
  const known = tries.storage(address);
  if (known !== undefined) return { ok: true, value: known };
  const storage = await readStorage(work, at, address);
  if (storage.ok) tries.keep(address, storage.value);
  return storage;
}

async function readStorage(
  { crypto, ethereum, read, pause }: Work,
  at: BlockContext,
  address: Uint8Array,
): Promise<Outcome<MerkleTrie>> {
  const storage = new MerkleTrie(crypto);
  for (let place: PartStart | undefined = { table: 'contract', address }; place !== undefined;) {
    const from: PartStart = place;
    const part: Outcome<StatePart> = await read(at, (state) =>
      ethereum.statePart(state, at, from, FIXED_LIMITS.proofRows),
    );
    if (!part.ok) return part;
    for (const slot of part.value.slots) addSlot(crypto, storage, slot);
    pause();
    place = part.value.next;
  }
  storage.digest(pause);
  return { ok: true, value: storage };
}
