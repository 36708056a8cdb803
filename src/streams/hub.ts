import { Observable } from 'rxjs';

export interface Hub<Commit> {
  /** Shows a commit to every listener before it returns. A commit that a listener publishes follows in order. */
  publish(commit: Commit): void;
  /** Commits from the moment of subscription, for composition with RxJS, which never errors. */
  commits(): Observable<Commit>;
  /** Calls `listener` once per commit in order. Returns the unsubscribe function. */
  onCommit(listener: (commit: Commit) => void): () => void;
}

/**
 * Publishes commits in log order, through a queue: a subject delivers depth first when an observer publishes, which
 * shows later observers the second commit before the first. A listener that throws does not disturb the others; its
 * error is thrown on its own, as RxJS does.
 */
export function createHub<Commit>(): Hub<Commit> {
  const listeners = new Set<{ readonly call: (commit: Commit) => void }>();
  const waiting: Commit[] = [];
  let draining = false;
  const show = (commit: Commit): void => {
    // Listeners at the time of the commit, without those that left since.
    for (const listener of [...listeners]) {
      if (!listeners.has(listener)) continue;
      try {
        listener.call(commit);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  };
  const onCommit = (call: (commit: Commit) => void): (() => void) => {
    const listener = { call };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    publish(commit) {
      waiting.push(commit);
      if (draining) return;
      draining = true;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) show(next);
      draining = false;
    },
    commits: () => new Observable((subscriber) => onCommit((commit) => subscriber.next(commit))),
    onCommit,
  };
}
