import { Subject, type Observable } from 'rxjs';

export interface Hub<Commit> {
  /** Shows a commit to every listener before it returns, unless a listener publishes: then it follows in order. */
  publish(commit: Commit): void;
  /** Commits from the moment of subscription; never errors. */
  readonly commits: Observable<Commit>;
  /** Calls `listener` once per commit in order. Returns the unsubscribe function. */
  onCommit(listener: (commit: Commit) => void): () => void;
}

/**
 * Publishes commits in log order. RxJS delivers depth first when an observer publishes, which would show later
 * observers the second commit before the first; hence the drain queue (model-codebases.md 2). A listener that throws
 * does not disturb the others: RxJS reports it on a later turn.
 */
export function createHub<Commit>(): Hub<Commit> {
  const subject = new Subject<Commit>();
  const waiting: Commit[] = [];
  let draining = false;
  return {
    publish(commit) {
      waiting.push(commit);
      if (draining) return;
      draining = true;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) subject.next(next);
      draining = false;
    },
    commits: subject.asObservable(),
    onCommit(listener) {
      const subscription = subject.subscribe(listener);
      return () => subscription.unsubscribe();
    },
  };
}
