import type { Event } from '../../../proto/tendermint/abci/types_pb.js';
import { CacheStore } from '../../../state/overlay.js';
import type { StateStore } from '../../../state/state.js';

/** A moment to go back to. */
export interface Moment {
  readonly layers: number;
  readonly events: number;
}

/** The writes and events of the precompile calls of one transaction, one layer for each call, over its store. */
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

  /** The state with the writes of all layers. */
  get top(): StateStore {
    return this.#layers.at(-1) ?? this.#base;
  }

  /** A new layer over the others. */
  push(): StateStore {
    const layer = new CacheStore(this.top);
    this.#layers.push(layer);
    return layer;
  }

  /** Drops the layers and events since `moment`. */
  backTo(moment: Moment): void {
    this.#layers.length = moment.layers;
    this.events.length = moment.events;
  }

  /** Hands over the layers, the lowest first; there are none left. */
  take(): readonly CacheStore[] {
    return this.#layers.splice(0);
  }
}
