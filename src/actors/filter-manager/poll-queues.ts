/** Queues of polls, one per filter id. */
export interface PollQueues {
  /** Resolves when all earlier polls of the key are done; undefined when too many are waiting. */
  take(key: string): Promise<{ done(): void } | undefined>;
  isBusy(key: string): boolean;
  /** Marks the current poll of the key as in progress, when the actor handles its first command. */
  begin(key: string): void;
  readonly hasBegun: boolean;
  /** Resolves when no poll is in progress. */
  ended(): Promise<void>;
}

/**
 * Creates the queues. Polls of one filter run sequentially, because two concurrent ones would return the same changes.
 */
export function createPollQueues(maximumWaiting: number): PollQueues {
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
