import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** Files of a process: those that it may have open, and those that it has. */
export interface OpenFiles {
  readonly limit: number;
  readonly used: number;
}

/**
 * Connections that all faces of a process may hold together, so that the store can open its files at any time: a fifth
 * of all files is LevelDB's for tables (`util/env_posix.cc` of google/leveldb, MaxOpenFiles).
 */
export function connectionsWithin({ limit, used }: OpenFiles): number {
  const { reservedFiles, fewestConnections } = FIXED_LIMITS;
  return Math.max(fewestConnections, limit - used - reservedFiles - Math.ceil(limit / 5));
}

/** Room for the connections of all servers of a process. */
export class ConnectionRoom {
  #open = 0;

  constructor(private readonly maximum = Number.POSITIVE_INFINITY) {}

  /** Counts an accepted connection; false when there is no room for it, and it has to end. */
  enter(): boolean {
    this.#open += 1;
    return this.#open <= this.maximum;
  }

  /** A connection has ended, also one without room. */
  leave(): void {
    this.#open -= 1;
  }
}

/** The open connections of one server, within those of the process. */
export class Connections {
  readonly #own: ConnectionRoom;

  constructor(
    maximum: number,
    private readonly all: ConnectionRoom,
  ) {
    this.#own = new ConnectionRoom(maximum);
  }

  /** Counts an accepted connection; the reason why it has to end, undefined where it may stay. */
  enter(): string | undefined {
    const hasRoom = this.#own.enter();
    if (!this.all.enter()) return 'the process may open no more files (limit reservedFiles)';
    return hasRoom ? undefined : 'too many open connections (limit connections)';
  }

  leave(): void {
    this.#own.leave();
    this.all.leave();
  }
}
