import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** The file descriptor limit of the process, and the number of open ones. */
export interface OpenFiles {
  readonly limit: number;
  readonly used: number;
}

/**
 * Maximum number of connections of all faces, which leaves enough file descriptors for the store: LevelDB uses a
 * fifth of all for tables (`util/env_posix.cc` of google/leveldb, MaxOpenFiles).
 */
export function connectionsWithin({ limit, used }: OpenFiles): number {
  const { reservedFiles, fewestConnections } = FIXED_LIMITS;
  return Math.max(fewestConnections, limit - used - reservedFiles - Math.ceil(limit / 5));
}

/** The connection limit of all servers of a process. */
export class ConnectionLimit {
  #open = 0;

  constructor(private maximum = Number.POSITIVE_INFINITY) {}

  /** Sets the maximum for the files that the process has open now, these connections included. */
  restrict({ limit, used }: OpenFiles): void {
    this.maximum = connectionsWithin({ limit, used: used - this.#open });
  }

  /** Counts an accepted connection; false if it exceeds the limit and must be closed. */
  enter(): boolean {
    this.#open += 1;
    return this.#open <= this.maximum;
  }

  /** Call it when a connection ends, also a rejected one. */
  leave(): void {
    this.#open -= 1;
  }
}

const OF_PROCESS = new ConnectionLimit();

/** The connection limit of this process: the nodes in it share their files, so they share the connections, too. */
export function connectionsOfProcess(files: OpenFiles | undefined): ConnectionLimit {
  if (files !== undefined) OF_PROCESS.restrict(files);
  return OF_PROCESS;
}

/** Counts the connections of one server and of the process. */
export class Connections {
  readonly #own: ConnectionLimit;

  constructor(
    maximum: number,
    private readonly all: ConnectionLimit,
  ) {
    this.#own = new ConnectionLimit(maximum);
  }

  /** Counts an accepted connection; returns the reason if it must be closed, else undefined. */
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
