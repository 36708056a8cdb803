import type { Consensus, Lease } from '../../actors/consensus/index.js';
import type { DomainError, Outcome } from '../../core/errors.js';

/** Block production, by this process or by an external engine. */
export type Producer = Pick<Consensus, 'view' | 'mine' | 'setMining' | 'pause'>;

/** Error of commands that need to make blocks, on a node with an external consensus engine. */
const ENGINE_PRODUCES: DomainError = {
  code: 'halted',
  reason: 'the consensus engine that drives this node makes the blocks',
};

/**
 * The producer of a node with an external consensus engine. It makes no blocks, but can delay those of the engine.
 */
export class OutsideProducer implements Producer {
  readonly #isHalted: () => boolean;
  readonly #leases = new Set<object>();
  /** Resolvers of pending `allowed` calls. */
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

  /** Pauses blocks: while the lease is held, the next block of the engine is not executed. */
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
