import type { Clock } from '../../core/ports/time.js';
import type { AbciMethod } from './answer.js';
import { ABCI_ROLES, type AbciRole } from './connection-role.js';

/** Requests of one method since the start. */
export interface MethodCount {
  readonly answered: number;
  /** Total time of all calls in seconds. */
  readonly seconds: number;
}

/** Counts of the server, for metrics. */
export interface AbciCounts {
  /** Open connections by role; connections without a role yet are not counted. */
  readonly connections: ReadonlyMap<AbciRole, number>;
  readonly methods: ReadonlyMap<AbciMethod, MethodCount>;
  /** Connections that this side closed because of bad input or an application error. */
  readonly ended: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

const NANOSECONDS = 1e9;

export class AbciCounters implements AbciCounts {
  readonly #clock: Clock;
  readonly connections = new Map<AbciRole, number>(ABCI_ROLES.map((role) => [role, 0]));
  readonly methods = new Map<AbciMethod, MethodCount>();
  ended = 0;
  bytesRead = 0;
  bytesWritten = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  changeConnections(role: AbciRole, by: 1 | -1): void {
    this.connections.set(role, (this.connections.get(role) ?? 0) + by);
  }

  /** Measures a call; a failed call is not counted. */
  async timed<Result>(method: AbciMethod, call: () => Promise<Result>): Promise<Result> {
    const began = this.#clock.now();
    const result = await call();
    const { answered, seconds } = this.methods.get(method) ?? { answered: 0, seconds: 0 };
    const took = Number(this.#clock.now() - began) / NANOSECONDS;
    this.methods.set(method, { answered: answered + 1, seconds: seconds + Math.max(0, took) });
    return result;
  }
}
