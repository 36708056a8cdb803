/** Turns of the polls of each filter, by its id. */
export interface PollTurns {
  /** Resolves when all earlier requests for the key are done; undefined at once when too many wait. */
  take(key: string): Promise<{ done(): void } | undefined>;
  isBusy(key: string): boolean;
  /** The actor took the first command of the poll whose turn it is: the poll runs until it is done. */
  begin(key: string): void;
  readonly hasBegun: boolean;
  /** Resolves when no poll runs. */
  ended(): Promise<void>;
}

/** Polls of one filter run one after another, because two at a time would answer the same changes twice. */
export function createPollTurns(maximumWaiting: number): PollTurns {
  const queues = new Map<string, (() => void)[]>();
  const begun = new Set<string>();
  const waitingForEnd: (() => void)[] = [];
  return {
    async take(key) {
      const waiting = queues.get(key);
      if (waiting !== undefined && waiting.length >= maximumWaiting) return undefined;
      if (waiting === undefined) queues.set(key, []);
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return {
        done() {
          begun.delete(key);
          if (begun.size === 0) for (const resolve of waitingForEnd.splice(0)) resolve();
          const next = queues.get(key)?.shift();
          if (next === undefined) queues.delete(key);
          else next();
        },
      };
    },
    isBusy: (key) => queues.has(key),
    begin: (key) => void begun.add(key),
    get hasBegun() {
      return begun.size > 0;
    },
    ended: () => (begun.size === 0 ? Promise.resolve() : new Promise((resolve) => waitingForEnd.push(resolve))),
  };
}
