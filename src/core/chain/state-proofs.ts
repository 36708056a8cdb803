import type { BlockContext, EthereumCalls } from '../application.js';
import { equal } from '../bytes/bytes.js';
import type { AccountProof } from '../ethereum/state-proof.js';
import { TriesOfState } from '../ethereum/tries-of-state.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import type { Outcome } from '../node-api.js';
import type { Crypto } from '../ports/crypto.js';
import type { StateReader } from '../state/state.js';

class Late extends Error {}

/** Runs code that reads one state; each run is bounded. */
export type ReadState = <Value>(run: (state: StateReader) => Value) => Promise<Outcome<Value>>;

/**
 * Proofs of the Ethereum face; keeps the tries of the newest requested block, also those that are not finished: a
 * request whose time was over is gone on with by the next one.
 */
export class Proofs {
  readonly #crypto: Pick<Crypto, 'keccak256'>;
  readonly #isLate: () => boolean;
  #kept: { readonly of: Uint8Array; readonly tries: TriesOfState } | undefined;

  constructor(crypto: Pick<Crypto, 'keccak256'>, isLate: () => boolean) {
    this.#crypto = crypto;
    this.#isLate = isLate;
  }

  /** undefined when the time was over. */
  async prove(
    ethereum: Pick<EthereumCalls, 'statePart' | 'proof'>,
    read: ReadState,
    at: BlockContext,
    { address, slots }: { readonly address: Uint8Array; readonly slots: readonly Uint8Array[] },
  ): Promise<Outcome<AccountProof | undefined>> {
    const pause = (): void => {
      if (this.#isLate()) throw new Late();
    };
    try {
      if (this.#kept === undefined || !equal(this.#kept.of, at.hash))
        this.#kept = { of: at.hash, tries: new TriesOfState(this.#crypto) };
      const { tries } = this.#kept;
      tries.digest(pause);
      while (!tries.isWhole) {
        pause();
        const part = await read((state) => ethereum.statePart(state, at, tries.next, FIXED_LIMITS.proofRows));
        if (!part.ok) return part;
        tries.give(part.value);
        tries.digest(pause);
      }
      const made = tries.tries(pause);
      return await read((state) => ethereum.proof(state, at, made, address, slots, pause));
    } catch (error) {
      if (error instanceof Late) return { ok: true, value: undefined };
      throw error;
    }
  }
}
