import { be64 } from '../../core/bytes/big-endian.js';
import { concat } from '../../core/bytes/bytes.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Randomness } from '../../core/ports/time.js';
import type { Height } from '../../core/primitives.js';
import type { EventLog } from '../../store/log/event-log.js';

const BYTES = 32;

export interface InstanceIdOptions {
  readonly log: Pick<EventLog, 'blockAt'>;
  readonly initialHeight: Height;
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly randomness: Randomness;
}

/**
 * The instance id of `anvil_metadata`, under which tools record their deployments (OpenZeppelin's upgrades-core 1.46,
 * `manifest.ts`). Anvil and hardhat draw one per process, because their chains end with it. A chain here outlives the
 * process, so the id is derived from its first block and the log position and time of that block: it survives a
 * restart and changes with a reset.
 */
export class InstanceId {
  readonly #options: InstanceIdOptions;
  #beforeBlocks: Uint8Array;

  constructor(options: InstanceIdOptions) {
    this.#options = options;
    this.#beforeBlocks = options.randomness.bytes(BYTES);
  }

  value(): Uint8Array {
    const { log, initialHeight, crypto } = this.#options;
    const first = log.blockAt(initialHeight)?.decided;
    if (first === undefined) return this.#beforeBlocks;
    return crypto.sha256(concat(first.event.data.block, be64(first.position), be64(first.time)));
  }

  /** Computes a new id; call it after a revert to the genesis. */
  renew(): void {
    this.#beforeBlocks = this.#options.randomness.bytes(BYTES);
  }
}
