import { Subject } from 'rxjs';
import type { ExecutedNow } from '../core/chain/executed-now.js';
import type { LogRecord } from '../core/log-record.js';
import type { Position } from '../core/primitives.js';
import { joinExecutions } from './applied.js';
import { createHearing, type Hearing, type PastRecords } from './hearing.js';
import type { MadeBy, Message, Projection } from './projection.js';
import { createStage, type Slot } from './stage.js';

export interface RecordStreamsOptions<Name extends string> {
  /** The hearers of the log, in the order in which a record is shown to them. */
  readonly slots: readonly Slot<Name>[];
  readonly read: PastRecords['read'];
  /** Position up to which everything was shown before the start. */
  readonly shown: Position;
}

/** The one root: every record of the log, in log order, shown in two phases. */
export interface RecordStreams<Name extends string> {
  /** A record was written; the log calls it in log order, for every record. */
  written(record: LogRecord): void;
  /** A block left the executor with its app hash; its record is shown when both are there. */
  executed(execution: ExecutedNow): void;
  /** The messages that one hearer receives. */
  hearing<Of extends Projection<Message>>(hearer: Name, projections: readonly Of[]): Hearing<MadeBy<Of>>;
  /** Position of the newest event that is being shown or was shown: the head of what may be read. */
  head(): Position;
  /** Position of the last event that was shown in both phases. */
  shown(): Position;
  /** Resolves when everything up to `position` was shown in both phases. */
  reached(position: Position): Promise<void>;
}

/** Makes the root: it shows each record of the log to its hearers in the order of their slots, phase by phase. */
export function createRecordStreams<Name extends string>(options: RecordStreamsOptions<Name>): RecordStreams<Name> {
  const records = new Subject<LogRecord>();
  const executions = new Subject<ExecutedNow>();
  const stage = createStage(options.slots);
  let { shown } = options;
  let head = shown;
  let waiting: { readonly position: Position; readonly resolve: () => void }[] = [];

  const past: PastRecords = { read: options.read, shown: () => shown };
  joinExecutions(records, executions).subscribe((record) => stage.show(record));
  stage.before.subscribe(({ position }) => {
    head = position;
  });
  stage.afterwards.subscribe((record) => {
    shown = record.position;
    const reached = waiting.filter(({ position }) => position <= shown);
    if (reached.length === 0) return;
    waiting = waiting.filter(({ position }) => position > shown);
    for (const { resolve } of reached) resolve();
  });
  return {
    written: (record) => records.next(record),
    executed: (execution) => executions.next(execution),
    hearing: (hearer, projections) => createHearing(stage.at(hearer), projections, past),
    head: () => head,
    shown: () => shown,
    reached: (position) =>
      position <= shown
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push({ position, resolve });
          }),
  };
}
