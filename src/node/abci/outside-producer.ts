import type { Consensus, Lease } from '../../actors/consensus/index.js';
import type { DomainError, Outcome } from '../../core/errors.js';

/** Block production as the rest of the node sees it, whoever produces. */
export type Producer = Pick<Consensus, 'view' | 'mine' | 'setMining' | 'pause'>;

/** The refusal of commands that need blocks, on a node that a consensus engine in another process drives. */
const ENGINE_PRODUCES: DomainError = {
  code: 'halted',
  reason: 'the consensus engine that drives this node makes the blocks',
};

/**
 * The producer of a node that an engine outside drives: it makes no block itself, and can hold the engine's blocks up.
 */
export class OutsideProducer implements Producer {
  readonly #isHalted: () => boolean;
  readonly #leases = new Set<object>();
  /** Resolve the calls of `allowed` that wait. */
  readonly #waiting = new Set<() => void>();

  constructor(isHalted: () => boolean) {
    this.#isHalted = isHalted;
  }

  readonly view: Consensus['view'] = {
    mode: () => (this.#isHalted() ? 'halted' : 'newHeight'),
    roundState: () => undefined,
    mining: () => ({ kind: 'manual' }),
    isInstant: () => false,
  };

  mine(): Promise<Outcome<undefined>> {
    return Promise.resolve({ ok: false, error: ENGINE_PRODUCES });
  }

  setMining(): Promise<Outcome<undefined>> {
    return this.mine();
  }

  /** While the lease is held, the engine waits for the execution of its next block. */
  pause(): Promise<Outcome<Lease>> {
    const lease = {};
    this.#leases.add(lease);
    const release = (): void => {
      this.#leases.delete(lease);
      if (this.#leases.size > 0) return;
      for (const resume of this.#waiting) resume();
      this.#waiting.clear();
    };
    return Promise.resolve({ ok: true, value: { mine: () => this.mine(), release } });
  }

  /** Resolves when no lease is held. */
  allowed(): Promise<void> {
    if (this.#leases.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add(resolve));
  }
}
