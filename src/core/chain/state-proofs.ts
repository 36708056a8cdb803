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

/** The work cannot go on now; what was made stays for the next request. */
class Stopped extends Error {
  constructor(readonly outcome: Outcome<undefined>) {
    super();
  }
}

const LATE: Outcome<undefined> = { ok: true, value: undefined };

/** The states of the chain that proofs are made of. */
export interface ProvedStates {
  /** Runs code that reads the state after a block; each run is bounded. */
  readonly read: <Value>(at: BlockContext, run: (state: StateReader) => Value) => Promise<Outcome<Value>>;
  /**
   * The rows that blocks above the first wrote up to the second; undefined when the second does not follow the first,
   * and when there are too many.
   */
  readonly written: (from: BlockContext, to: BlockContext) => Promise<readonly RowName[] | undefined>;
}

type Ethereum = Pick<EthereumCalls, 'statePart' | 'changedAccounts' | 'proof'>;

/** The tools of one request. */
interface Work {
  readonly crypto: Pick<Crypto, 'keccak256'>;
  readonly ethereum: Ethereum;
  /** Reads as `ProvedStates.read` does; throws Stopped when the time is over and when the store is busy. */
  readonly read: ProvedStates['read'];
  /** Throws Stopped when the time is over. */
  readonly pause: () => void;
}

interface Kept {
  readonly at: BlockContext;
  readonly tries: TriesOfState;
}

/**
 * Proofs of the Ethereum face; keeps the tries of the newest requested block. A request whose time was over is gone on
 * with by the next one, also by one of a later block, which then changes in the tries what the blocks between wrote.
 */
export class Proofs {
  readonly #crypto: Pick<Crypto, 'keccak256'>;
  readonly #isLate: () => boolean;
  readonly #storageBytes: number;
  #kept: Kept | undefined;

  /** `storageBytes`: memory of the tries of contracts that are kept, bytes. */
  constructor(
    crypto: Pick<Crypto, 'keccak256'>,
    isLate: () => boolean,
    storageBytes: number = FIXED_LIMITS.storageTrieBytes,
  ) {
    this.#crypto = crypto;
    this.#isLate = isLate;
    this.#storageBytes = storageBytes;
  }

  /** undefined when the time was over. */
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

  /** The kept tries as they are after the block; new ones where that takes less. */
  async #moved(work: Work, states: ProvedStates, at: BlockContext): Promise<Kept> {
    const kept = this.#kept;
    const anew = { at, tries: new TriesOfState(this.#crypto, this.#storageBytes) };
    if (kept === undefined) return anew;
    const { tries } = kept;
    // a block that is not in the database is read as this request has it
    if (equal(kept.at.hash, at.hash)) return { at, tries };
    const written = await states.written(kept.at, at);
    if (written === undefined || !(await readWhole(work, kept)).ok) return anew;
    const changed = await work.read(at, (state) => work.ethereum.changedAccounts(state, at, written, tries.vesting));
    if (!changed.ok || changed.value === undefined) return anew;
    // nothing is changed before all is read, as the work may stop
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

/** Reads what the tries lack of their state. */
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

/** The trie of a contract's slots, kept for later proofs; an empty one without a contract. */
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
