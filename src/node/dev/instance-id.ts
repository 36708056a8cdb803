import type { Randomness } from '../../core/ports/time.js';
import { instanceIdOf, type InstanceIdOptions } from '../../runtime/chain/instance-id.js';

const BYTES = 32;

/**
 * The instance id of `anvil_metadata`, under which tools record their deployments (OpenZeppelin's upgrades-core 1.46,
 * `manifest.ts`). Anvil and hardhat draw one per process, because their chains end with it. A chain here outlives the
 * process, so the id is that of the chain in the log: it survives a restart and changes with a reset.
 */
export class InstanceId {
  readonly #options: InstanceIdOptions;
  readonly #randomness: Randomness;
  #beforeBlocks: Uint8Array;

  constructor(options: InstanceIdOptions, randomness: Randomness) {
    this.#options = options;
    this.#randomness = randomness;
    this.#beforeBlocks = randomness.bytes(BYTES);
  }

  value(): Uint8Array {
    return instanceIdOf(this.#options) ?? this.#beforeBlocks;
  }

  /** Computes a new id; call it after a revert to the genesis. */
  renew(): void {
    this.#beforeBlocks = this.#randomness.bytes(BYTES);
  }
}
