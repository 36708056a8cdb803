import type { BlockContext, EthereumCalls } from '../application.js';
import { equal } from '../bytes/bytes.js';
import type { AccountProof } from '../ethereum/state-proof.js';
import { TriesOfState } from '../ethereum/tries-of-state.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import type { Outcome } from '../node-api.js';
import type { Crypto } from '../ports/crypto.js';
import type { RowName, StateReader } from '../state/state.js';

class Late extends Error {}

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
  #kept: Kept | undefined;

  constructor(crypto: Pick<Crypto, 'keccak256'>, isLate: () => boolean) {
    this.#crypto = crypto;
    this.#isLate = isLate;
  }

  /** undefined when the time was over. */
  async prove(
    ethereum: Ethereum,
    states: ProvedStates,
    at: BlockContext,
    { address, slots }: { readonly address: Uint8Array; readonly slots: readonly Uint8Array[] },
  ): Promise<Outcome<AccountProof | undefined>> {
    const pause = (): void => {
      if (this.#isLate()) throw new Late();
    };
    try {
      const kept = await this.#moved(ethereum, states, at, pause);
      this.#kept = kept;
      const whole = await readWhole(ethereum, states, kept, pause);
      if (!whole.ok) return whole;
      const made = kept.tries.tries(pause);
      return await states.read(at, (state) => ethereum.proof(state, at, made, address, slots, pause));
    } catch (error) {
      if (error instanceof Late) return { ok: true, value: undefined };
      throw error;
    }
  }

  /** The kept tries as they are after the block; new ones where that takes less. */
  async #moved(ethereum: Ethereum, states: ProvedStates, at: BlockContext, pause: () => void): Promise<Kept> {
    const kept = this.#kept;
    const anew = { at, tries: new TriesOfState(this.#crypto) };
    if (kept === undefined) return anew;
    const { tries } = kept;
    // a block that is not in the database is read as this request has it
    if (equal(kept.at.hash, at.hash)) return { at, tries };
    const written = await states.written(kept.at, at);
    if (written === undefined || !(await readWhole(ethereum, states, kept, pause)).ok) return anew;
    const changed = await states.read(at, (state) => ethereum.changedAccounts(state, at, written, tries.vesting));
    if (!changed.ok || changed.value === undefined) return anew;
    tries.change(changed.value);
    return { at, tries };
  }
}

/** Reads what the tries lack of their state. */
async function readWhole(
  ethereum: Ethereum,
  states: ProvedStates,
  { at, tries }: Kept,
  pause: () => void,
): Promise<Outcome<undefined>> {
  tries.digest(pause);
  while (!tries.isWhole) {
    pause();
    const part = await states.read(at, (state) => ethereum.statePart(state, at, tries.next, FIXED_LIMITS.proofRows));
    if (!part.ok) return part;
    tries.give(part.value);
    tries.digest(pause);
  }
  return { ok: true, value: undefined };
}
