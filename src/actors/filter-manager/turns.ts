export interface Turns {
  /** Resolves when all earlier requests for the key are done; undefined at once when too many wait. */
  take(key: string): Promise<{ done(): void } | undefined>;
  isBusy(key: string): boolean;
}

/** Polls of one filter run one after another, because two at a time would answer the same changes twice. */
export function createTurns(maximumWaiting: number): Turns {
  const queues = new Map<string, (() => void)[]>();
  return {
    async take(key) {
      const waiting = queues.get(key);
      if (waiting !== undefined && waiting.length >= maximumWaiting) return undefined;
      if (waiting === undefined) queues.set(key, []);
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return {
        done() {
          const next = queues.get(key)?.shift();
          if (next === undefined) queues.delete(key);
          else next();
        },
      };
    },
    isBusy: (key) => queues.has(key),
  };
}
