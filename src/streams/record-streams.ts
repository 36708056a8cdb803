import { Subject } from 'rxjs';
import type { ExecutionOutput } from '../core/chain/execution-output.js';
import type { LogRecord } from '../core/log-record.js';
import type { Position } from '../core/primitives.js';
import { joinExecutions } from './join-executions.js';
import { createConsumerStream, type ConsumerStream, type PastRecords } from './consumer-stream.js';
import type { MessageOf, Message, Projection } from './projection.js';
import { createRecordDispatcher, type Slot } from './record-dispatcher.js';

export interface RecordStreamsOptions<Name extends string> {
  /** The consumers of the log, in dispatch order. */
  readonly slots: readonly Slot<Name>[];
  readonly read: PastRecords['read'];
  /** Position up to which everything was published before the start. */
  readonly shown: Position;
}

/** Root of all streams: every log record, in log order, dispatched in two phases. */
export interface RecordStreams<Name extends string> {
  /** Called by the log for every written record, in log order. */
  written(record: LogRecord): void;
  /** Called when the executor has finished a block with its app hash; its record is published when both are there. */
  executed(execution: ExecutionOutput): void;
  /** Creates the message stream of one consumer. */
  of<Of extends Projection<Message>>(consumer: Name, projections: readonly Of[]): ConsumerStream<MessageOf<Of>>;
  /** Position of the newest event being dispatched: the head for readers. */
  head(): Position;
  /** Position of the last event dispatched in both phases. */
  shown(): Position;
  /** Resolves when everything up to `position` is dispatched in both phases. */
  reached(position: Position): Promise<void>;
}

/** Creates the root of all streams. */
export function createRecordStreams<Name extends string>(options: RecordStreamsOptions<Name>): RecordStreams<Name> {
  const records = new Subject<LogRecord>();
  const executions = new Subject<ExecutionOutput>();
  const stage = createRecordDispatcher(options.slots);
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
    of: (consumer, projections) => createConsumerStream(stage.at(consumer), projections, past),
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
