import {
  clientCallLine,
  otherCallsLine,
  repeatedCallsLine,
  type CallEnd,
  type ClientCall,
  type RepeatedCalls,
} from '../../core/activity/client-call.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Clock, Timers } from '../../core/ports/time.js';
import type { ActivitySink } from './activity-log.js';

export interface ClientCallsOptions {
  /** Real time, also where block time is virtual. */
  readonly clock: Clock;
  readonly timers: Pick<Timers, 'after'>;
  readonly sink: Pick<ActivitySink, 'line'>;
}

interface Kind {
  readonly call: ClientCall;
  repeated: RepeatedCalls | undefined;
}

const NS_PER_MS = 1e6;

/**
 * Logs client calls. The first call of a kind (face, method, client, outcome) is logged at once; further ones of the
 * next seconds are logged as one line with their count, until no more come. The number of kinds is limited, and
 * further kinds are only counted, so that clients cannot flood the log.
 */
export class ClientCalls {
  readonly #options: ClientCallsOptions;
  readonly #kinds = new Map<string, Kind>();
  #others = 0;
  #cancel: (() => void) | undefined;

  constructor(options: ClientCallsOptions) {
    this.#options = options;
  }

  /** Call it when a call begins; it returns the function to call at its end. */
  begun(face: string, method: string, client: string): CallEnd {
    const { clock } = this.#options;
    const from = clock.now();
    return (errorCode) =>
      // Copy a bounded substring: V8 would keep the whole request in memory for it.
      this.#ended({ face, method, client, errorCode }, Number(clock.now() - from) / NS_PER_MS);
  }

  /** Logs all counts at once, before the node stops. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#tell();
    this.#kinds.clear();
  }

  #ended(long: ClientCall, milliseconds: number): void {
    const call = { ...long, method: Buffer.from(long.method.slice(0, FIXED_LIMITS.shownCharacters)).toString() };
    const key = JSON.stringify(call);
    const known = this.#kinds.get(key);
    if (known !== undefined) {
      const { count, least, longest } = known.repeated ?? { count: 0, least: milliseconds, longest: milliseconds };
      known.repeated = {
        count: count + 1,
        least: Math.min(least, milliseconds),
        longest: Math.max(longest, milliseconds),
      };
    } else if (this.#kinds.size >= FIXED_LIMITS.callKinds) this.#others += 1;
    else {
      this.#kinds.set(key, { call, repeated: undefined });
      this.#options.sink.line(clientCallLine(call, milliseconds));
    }
    this.#cancel ??= this.#options.timers.after(FIXED_LIMITS.callFoldMs, () => this.#elapsed());
  }

  #elapsed(): void {
    this.#cancel = undefined;
    for (const [key, { repeated }] of this.#kinds) if (repeated === undefined) this.#kinds.delete(key);
    this.#tell();
    if (this.#kinds.size > 0) this.#cancel = this.#options.timers.after(FIXED_LIMITS.callFoldMs, () => this.#elapsed());
  }

  #tell(): void {
    const { sink } = this.#options;
    for (const kind of this.#kinds.values()) {
      if (kind.repeated === undefined) continue;
      sink.line(repeatedCallsLine(kind.call, kind.repeated));
      kind.repeated = undefined;
    }
    if (this.#others > 0) sink.line(otherCallsLine(this.#others));
    this.#others = 0;
  }
}
