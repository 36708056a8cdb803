/** The inside of a node, as `chronicle_actors`, `chronicle_subscriptions` and `chronicle_matchQuery` answer it. */
import type { Hearer } from './wiring.js';

export interface Actors {
  readonly mode: string;
  readonly actors: readonly {
    readonly id: string;
    readonly mode: string;
    readonly inbox: number;
    readonly restarts: number;
  }[];
  readonly streams: readonly { readonly name: string; readonly events: string }[];
  readonly hearers: readonly Hearer[];
  readonly signals: readonly { readonly signal: string; readonly says: string; readonly hears: string }[];
}

export interface Subscription {
  readonly id: string;
  readonly face: string;
  readonly client: string;
  readonly kind: string;
  readonly criteria: string;
  readonly state: string;
  readonly cursor: string | null;
  readonly delivered: number;
  readonly lag: number;
  readonly bytesWaiting: number;
}

export interface Subscriptions {
  readonly subscriptions: readonly Subscription[];
  readonly filters: readonly {
    readonly id: string;
    readonly client: string | null;
    readonly kind: string;
    readonly criteria: string;
    readonly height: string;
    readonly lag: string;
    readonly expires: string;
  }[];
  readonly counts: { readonly subscriptions: number; readonly filters: number };
  readonly ended: readonly (Subscription & { readonly reason: string })[];
}

export interface Matches {
  readonly from: string;
  readonly to: string;
  readonly examined: number;
  readonly total: number;
  readonly matches: readonly {
    readonly height: string;
    readonly type: string;
    readonly txHash: string | null;
    readonly values: Readonly<Record<string, readonly string[]>>;
  }[];
}
