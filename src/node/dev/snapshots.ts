import { invariant } from '../../core/errors.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { Height } from '../../core/primitives.js';
import { devRows, readSnapshots, type StoredSnapshots } from '../../store/dev/dev-rows.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import { betweenBlocks, type BlockProducer } from './mine.js';
import type { Target } from './revert.js';

export interface DevSnapshotsOptions {
  readonly log: Pick<EventLog, 'append'>;
  readonly ledger: Pick<Ledger, 'state'>;
  readonly consensus: Pick<BlockProducer, 'pause'>;
  readonly limits: Pick<Limits, 'devSnapshots'>;
}

/**
 * The snapshots of dev mode: heights to revert to. Ids increase with heights, because a revert invalidates all later
 * ids.
 */
export class DevSnapshots {
  readonly #options: DevSnapshotsOptions;
  readonly #heights: Map<bigint, Height>;
  #lastId: bigint;

  constructor(options: DevSnapshotsOptions, { lastId, heights }: StoredSnapshots) {
    this.#options = options;
    this.#heights = new Map(heights);
    this.#lastId = lastId;
  }

  /** Heights of the valid snapshots by their ids. */
  get heights(): ReadonlyMap<bigint, Height> {
    return this.#heights;
  }

  /** Takes a snapshot of the head between two blocks; resolves with its id. */
  async take(): Promise<Outcome<bigint>> {
    const { log, ledger, consensus, limits } = this.#options;
    const maximum = limits.devSnapshots;
    if (this.#heights.size >= maximum)
      return { ok: false, error: { code: 'limit-exceeded', limit: 'devSnapshots', maximum } };
    const id = this.#lastId + 1n;
    // Wait for the block in flight: the client has not seen its state.
    const taken = await betweenBlocks(consensus, async () => {
      const { height } = ledger.state;
      const event = { type: 'SnapshotTaken', v: 1, data: { id, height } } as const;
      await log.append([{ event }], (first) => devRows(event, first));
      return { ok: true, value: height };
    });
    if (!taken.ok) return taken;
    this.#lastId = id;
    this.#heights.set(id, taken.value);
    return { ok: true, value: id };
  }

  /** The target of a revert to a snapshot; undefined for an unknown or used id. */
  targetOf(id: bigint): Target | undefined {
    const height = this.#heights.get(id);
    if (height === undefined) return undefined;
    invariant(height <= this.#options.ledger.state.height, 'a snapshot lies on the present branch');
    return { height, snapshot: id, usedUp: [...this.#heights.keys()].filter((other) => other >= id) };
  }

  /** The target of a revert to a height; the snapshots above it become invalid. */
  targetAt(height: Height): Target {
    const first = [...this.#heights].find(([, at]) => at > height)?.[0] ?? this.#lastId + 1n;
    return { height, snapshot: first, usedUp: [...this.#heights.keys()].filter((id) => id >= first) };
  }

  /** Called after a revert: removes its invalid snapshots. */
  use({ usedUp }: Target): void {
    for (const id of usedUp) this.#heights.delete(id);
  }
}

/** Opens the snapshots that are in the log. */
export async function openSnapshots(
  options: DevSnapshotsOptions,
  store: Pick<KeyValueStore, 'get' | 'range'>,
): Promise<DevSnapshots> {
  return new DevSnapshots(options, await readSnapshots(store));
}
