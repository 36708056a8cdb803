import { Observable } from 'rxjs';
import type { ExecutionOutput } from '../core/chain/execution-output.js';
import { invariant } from '../core/errors.js';
import { isExecuted } from '../core/event-guards.js';
import type { LogRecord } from '../core/log-record.js';
import type { Height } from '../core/primitives.js';

/** A record ready to be published: if it executed a block, the block's app hash is known. */
export interface AppliedRecord extends LogRecord {
  readonly execution: ExecutionOutput | undefined;
}

/**
 * Joins each record of an executed block with the execution result that carries the app hash (the log has it only in
 * the next block). Later records wait, so log order is kept.
 */
export function joinExecutions(
  records: Observable<LogRecord>,
  executions: Observable<ExecutionOutput>,
): Observable<AppliedRecord> {
  return new Observable((subscriber) => {
    const waiting: LogRecord[] = [];
    const known = new Map<Height, ExecutionOutput>();
    const release = (): void => {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        const height = executedHeight(next);
        const execution = height === undefined ? undefined : known.get(height);
        if (height !== undefined && execution === undefined) return;
        if (height !== undefined) known.delete(height);
        waiting.shift();
        subscriber.next({ position: next.position, events: next.events, execution });
      }
    };
    const subscription = records.subscribe((record) => {
      waiting.push(record);
      release();
    });
    subscription.add(
      executions.subscribe((execution) => {
        known.set(execution.state.height, execution);
        release();
      }),
    );
    return subscription;
  });
}

function executedHeight({ events }: LogRecord): Height | undefined {
  const executed = events.filter(isExecuted);
  invariant(executed.length <= 1, 'a record executes at most one block');
  return executed[0]?.event.data.height;
}
