import type { KeyValue, KeyValueStore, RangeOptions, StoreOperation } from '../../src/core/ports/key-value-store.js';
import { MemoryStore } from './memory-store.js';

/** Faults of a store, each as a probability from 0 to 1 per call. */
export interface FaultPlan {
  readonly seed: number;
  /** A commit fails with EIO or ENOSPC; whether it took effect is random too. */
  readonly commitFails?: number;
  /** A read returns bytes with one flipped bit. */
  readonly readFlips?: number;
  /** A commit or range resolves some turns of the event loop later. */
  readonly delays?: number;
  /** The disk acknowledges syncs without doing them: a negative control, with which tests of durability must fail. */
  readonly ignoresSync?: boolean;
}

interface Batch {
  readonly operations: readonly StoreOperation[];
}

/**
 * A store whose faults come from a seed. Synced batches are durable together with everything before them; later ones
 * are pending and may be lost in a crash. `crashImage` is the store after a crash and restart.
 */
export class FaultyStore implements KeyValueStore {
  readonly #plan: FaultPlan;
  readonly #visible = new MemoryStore();
  readonly #durable: Batch[] = [];
  readonly #pending: Batch[] = [];
  readonly #random: () => number;
  /** Commits that were tried, acknowledged or not. */
  attempts = 0;
  failed = false;

  constructor(plan: FaultPlan) {
    this.#plan = plan;
    this.#random = seededRandom(plan.seed);
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const value = this.#visible.get(key);
    return value === undefined ? undefined : this.#read(value);
  }

  async range(options: RangeOptions): Promise<readonly KeyValue[]> {
    const rows = await this.#visible.range(options);
    await this.#delay();
    return rows.map(({ key, value }) => ({ key, value: this.#read(value) }));
  }

  async commit(
    operations: readonly StoreOperation[],
    { sync, before = [] }: Parameters<KeyValueStore['commit']>[1],
  ): Promise<void> {
    this.attempts += 1;
    const batch = { operations: [...before, ...operations].map(copied) };
    const fails = this.#random() < (this.#plan.commitFails ?? 0);
    if (fails) {
      this.failed = true;
      if (this.#random() < 0.5) this.#pending.push(batch);
      await this.#delay();
      throw new Error(this.#random() < 0.5 ? 'EIO' : 'ENOSPC');
    }
    await this.#visible.commit(batch.operations);
    this.#pending.push(batch);
    await this.#delay();
    if (sync && this.#plan.ignoresSync !== true) this.#durable.push(...this.#pending.splice(0));
  }

  close(): Promise<void> {
    return this.#visible.close();
  }

  /**
   * The rows after a crash: everything durable and a prefix of the pending batches; a batch is there completely or not
   * at all.
   */
  async crashImage(): Promise<MemoryStore> {
    return this.#image(this.#pending.slice(0, Math.floor(this.#random() * (this.#pending.length + 1))));
  }

  /** The rows on a disk that broke its promises: one batch is missing, two are swapped, or one is torn. */
  async brokenImage(kind: 'dropped' | 'reordered' | 'torn'): Promise<MemoryStore> {
    const batches = [...this.#durable, ...this.#pending];
    const at = Math.floor(this.#random() * batches.length);
    const [batch] = batches.splice(at, 1);
    const operations = batch?.operations ?? [];
    if (kind === 'reordered') batches.splice(Math.floor(this.#random() * (batches.length + 1)), 0, { operations });
    if (kind === 'torn') batches.splice(at, 0, { operations: operations.filter(() => this.#random() < 0.5) });
    return this.#image([], batches);
  }

  async #image(more: readonly Batch[], batches: readonly Batch[] = this.#durable): Promise<MemoryStore> {
    const image = new MemoryStore();
    for (const { operations } of [...batches, ...more]) await image.commit(operations);
    return image;
  }

  #read(value: Uint8Array): Uint8Array {
    if (value.length === 0 || this.#random() >= (this.#plan.readFlips ?? 0)) return value;
    const at = Math.floor(this.#random() * value.length);
    value[at] = (value[at] ?? 0) ^ (1 << Math.floor(this.#random() * 8));
    return value;
  }

  async #delay(): Promise<void> {
    if (this.#random() >= (this.#plan.delays ?? 0)) return;
    for (let turns = Math.floor(this.#random() * 10); turns > 0; turns -= 1) await Promise.resolve();
  }
}

function copied(operation: StoreOperation): StoreOperation {
  const key = operation.key.slice();
  return operation.type === 'delete' ? { type: 'delete', key } : { type: 'put', key, value: operation.value.slice() };
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32's recurrence). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
