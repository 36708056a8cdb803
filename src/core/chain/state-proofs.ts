import type { BlockContext, EthereumCalls } from '../application.js';
import { equal } from '../bytes/bytes.js';
import type { AccountProof, StateTries } from '../ethereum/state-proof.js';
import type { StateReader } from '../state/state.js';

class Late extends Error {}

/** Proofs of the Ethereum face; keeps the tries of the newest requested block. */
export class Proofs {
  readonly #isLate: () => boolean;
  #kept: { readonly of: Uint8Array; readonly tries: StateTries } | undefined;

  constructor(isLate: () => boolean) {
    this.#isLate = isLate;
  }

  /** undefined when the time was over. */
  prove(
    ethereum: EthereumCalls,
    state: StateReader,
    at: BlockContext,
    { address, slots }: { readonly address: Uint8Array; readonly slots: readonly Uint8Array[] },
  ): AccountProof | undefined {
    const pause = (): void => {
      if (this.#isLate()) throw new Late();
    };
    try {
      if (this.#kept === undefined || !equal(this.#kept.of, at.hash))
        this.#kept = { of: at.hash, tries: ethereum.stateTries(state, at, pause) };
      return ethereum.proof(state, at, this.#kept.tries, address, slots, pause);
    } catch (error) {
      if (error instanceof Late) return undefined;
      throw error;
    }
  }
}
