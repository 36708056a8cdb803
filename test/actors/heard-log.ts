/** A log in memory whose records are published to one actor. */
import { Subject } from 'rxjs';
import { STREAM_OF, type LogEvent, type Recorded } from '../../src/core/log-events.js';
import type { LogRecord } from '../../src/core/log-record.js';
import { toPosition, toTimeNs, type Position } from '../../src/core/primitives.js';
import type { AppliedRecord } from '../../src/streams/join-executions.js';
import { createConsumerStream } from '../../src/streams/consumer-stream.js';
import type { ConsumerStream, Message, Projection } from '../../src/streams/index.js';

export class HeardLog {
  readonly records: LogRecord[] = [];
  readonly #slot = new Subject<AppliedRecord>();
  #shown = toPosition(0n);

  /** Position of the last published event. */
  shown(): Position {
    return this.#shown;
  }

  /** Writes events as one record and publishes it before it returns. */
  append(...events: readonly LogEvent[]): LogRecord {
    const first = this.#shown + 1n;
    const recorded = events.map((event, index): Recorded => {
      const position = toPosition(first + BigInt(index));
      return {
        position,
        stream: STREAM_OF[event.type],
        streamPosition: position,
        time: toTimeNs(0n),
        cause: '',
        event,
      };
    });
    const record = { position: toPosition(this.#shown + BigInt(events.length)), events: recorded };
    this.records.push(record);
    this.#slot.next({ ...record, execution: undefined });
    this.#shown = record.position;
    return record;
  }

  of<Made extends Message>(projections: readonly Projection<Made>[]): ConsumerStream<Made> {
    const { records } = this;
    return createConsumerStream(this.#slot, projections, {
      shown: () => this.#shown,
      async *read({ from, through }) {
        for (const { events } of records) {
          await Promise.resolve();
          const wanted = events.filter(({ position }) => position >= from && position <= through);
          const last = wanted.at(-1);
          if (last !== undefined) yield { position: last.position, events: wanted };
        }
      },
    });
  }

  /** True when there is a listener. */
  get isHeard(): boolean {
    return this.#slot.observed;
  }
}
