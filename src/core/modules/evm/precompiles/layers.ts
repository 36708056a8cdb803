import type { Event } from '../../../proto/tendermint/abci/types_pb.js';
import { CacheStore } from '../../../state/overlay.js';
import type { StateStore } from '../../../state/state.js';

/** A point to revert to. */
export interface Moment {
  readonly layers: number;
  readonly events: number;
}

/** Writes and events of the precompile calls in one transaction: one layer per call over its store. */
export class Layers {
  readonly events: Event[] = [];
  readonly #base: StateStore;
  readonly #layers: CacheStore[] = [];

  constructor(base: StateStore) {
    this.#base = base;
  }

  get moment(): Moment {
    return { layers: this.#layers.length, events: this.events.length };
  }

  /** State with the writes of all layers. */
  get top(): StateStore {
    return this.#layers.at(-1) ?? this.#base;
  }

  /** Pushes a new layer. */
  push(): StateStore {
    const layer = new CacheStore(this.top);
    this.#layers.push(layer);
    return layer;
  }

  /** Drops layers and events since `moment`. */
  backTo(moment: Moment): void {
    this.#layers.length = moment.layers;
    this.events.length = moment.events;
  }

  /** Removes and returns all layers, lowest first. */
  take(): readonly CacheStore[] {
    return this.#layers.splice(0);
  }
}
