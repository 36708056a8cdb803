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
import { promisedAppHash, ReplayMismatch } from './rebuild-trees.js';

export interface TreesOfLogOptions {
  readonly crypto: Crypto;
  /** Height of the checkpoint that the home has; undefined when it is not known. */
  readonly checkpoint: Height | undefined;
  /** Number of its format; without one, the newest. */
  readonly checkpointFormat?: number | undefined;
}

/**
 * The trees of a log that is read once, event by event from the first one on. Each app hash is compared with the header
 * that promises it. Trees do not go back: a log with a Reverted event is given up, and `rebuildTrees` reads it again.
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

  /**
   * True when every block of the log was compared, and the image of the trees at `checkpoint`, where it is named, was
   * taken on the way.
   */
  covers(checkpoint: Height | undefined): boolean {
    return !this.#hasReverted && (checkpoint === undefined || this.#image?.height === checkpoint);
  }

  /** The last image of the trees that was taken. */
  get image(): TreeCheckpoint | undefined {
    return this.#image;
  }

  /** Takes the next event. Throws ReplayMismatch, and SnapshotRefused for the chunks of a damaged snapshot. */
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
    const promised = promisedAppHash(block);
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
