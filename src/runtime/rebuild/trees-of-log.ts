import { equal } from '../../core/bytes/bytes.js';
import { CommittedTrees } from '../../core/chain/committed-trees.js';
import { invariant } from '../../core/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { BlockDecided, ChainStarted, LogEvent, Recorded, SnapshotRestored } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight, type Height } from '../../core/primitives.js';
import type { AppVersion } from '../../core/sdk/module/app-version.js';
import type { TreeCheckpoint } from '../../store/checkpoints/checkpoints.js';
import { loadVersionOf } from '../load-preset.js';
import { restoreTrees } from '../snapshots/chunks.js';
import { appHashInHeader, ReplayMismatch } from './rebuild-trees.js';

export interface TreesOfLogOptions {
  readonly crypto: Crypto;
  /** Height of the home's tree checkpoint; undefined when unknown. */
  readonly checkpoint: Height | undefined;
  /** Its format; default: the newest. */
  readonly checkpointFormat?: number | undefined;
}

/**
 * Builds the trees while a log is read once, event by event. Each app hash is compared with the next header. Trees
 * cannot be reverted: at a Reverted event this gives up, and `rebuildTrees` must read the log again.
 */
export class TreesOfLog {
  readonly #options: TreesOfLogOptions;
  #version: AppVersion | undefined;
  #trees: CommittedTrees | undefined;
  #appHash: Uint8Array;
  #hasReverted = false;
  #image: TreeCheckpoint | undefined;

  constructor(options: TreesOfLogOptions) {
    this.#options = options;
    this.#appHash = options.crypto.sha256(new Uint8Array());
  }

  /** True when every block was compared, and the image at `checkpoint` (if given) was taken. */
  covers(checkpoint: Height | undefined): boolean {
    return !this.#hasReverted && (checkpoint === undefined || this.#image?.height === checkpoint);
  }

  /** The last tree image taken. */
  get image(): TreeCheckpoint | undefined {
    return this.#image;
  }

  /** Processes the next event. Throws ReplayMismatch, and SnapshotRefused for damaged snapshot chunks. */
  async apply({ event }: Pick<Recorded, 'event'>): Promise<void> {
    if (this.#hasReverted) return;
    switch (event.type) {
      case 'ChainStarted':
        return this.#begin(event.data);
      case 'SnapshotRestored':
        return this.#restore(event.data);
      case 'BlockDecided':
        return this.#compare(event.data);
      case 'BlockExecuted':
        return this.#commit(event);
      case 'Reverted':
        this.#hasReverted = true;
        this.#trees = undefined;
        return;
      case 'FilterCreated':
      case 'FilterRemoved':
      case 'NodeStarted':
      case 'SnapshotTaken':
      case 'TimeShifted':
      case 'TxAdmitted':
      case 'TxDropped':
      case 'UpgradeHalted':
        return;
    }
  }

  async #begin(started: ChainStarted['data']): Promise<void> {
    this.#version = await loadVersionOf(started);
    this.#trees = this.#empty();
    this.#trees.genesis(started.writes);
  }

  async #restore(restored: SnapshotRestored['data']): Promise<void> {
    this.#trees = this.#empty();
    const { appHash } = await restoreTrees(this.#trees.multistore, restored);
    this.#appHash = appHash;
  }

  #compare({ height, block }: BlockDecided['data']): void {
    const promised = appHashInHeader(block);
    if (!equal(promised, this.#appHash)) throw new ReplayMismatch(height, promised, this.#appHash);
  }

  #commit({ v, data }: Extract<LogEvent, { readonly type: 'BlockExecuted' }>): void {
    const trees = this.#trees;
    invariant(trees !== undefined, 'a log begins with ChainStarted');
    this.#appHash = trees.commit(data.height, data.writes);
    if ((v === 2 || v === 4) && !equal(data.appHash, this.#appHash))
      throw new ReplayMismatch(toHeight(data.height + 1n), data.appHash, this.#appHash);
    if (this.#isImaged(data.height)) this.#image = { height: data.height, bytes: this.#bytesOf(trees) };
  }

  #bytesOf({ multistore }: CommittedTrees): Uint8Array {
    return multistore.snapshotBytes(this.#options.checkpointFormat);
  }

  #isImaged(height: Height): boolean {
    const { checkpoint } = this.#options;
    return checkpoint === undefined ? height % FIXED_LIMITS.checkpointBlocks === 0n : checkpoint === height;
  }

  #empty(): CommittedTrees {
    invariant(this.#version !== undefined, 'a log begins with ChainStarted');
    return new CommittedTrees({ version: this.#version, crypto: this.#options.crypto, provableHeights: 1 });
  }
}
