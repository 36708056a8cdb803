/** Reads the node's log with `chronicle_logEvents`. */
import { ask } from './ethereum.js';

export interface LogEvent {
  readonly position: string;
  readonly stream: string;
  readonly streamPosition: string;
  /** Nanoseconds since 1970. */
  readonly time: string;
  readonly cause: string;
  readonly type: string;
  readonly v: number;
  readonly height: string | null;
  /** True for events of a reverted branch; absent for an event of a file. */
  readonly abandoned?: boolean;
  readonly line: string;
  readonly data?: unknown;
}

export interface LogPage {
  readonly events: readonly LogEvent[];
  readonly next: string | null;
  readonly head: string;
}

/** Conditions as typed by the user; an empty text is no condition. */
export interface LogFilter {
  readonly stream: string;
  readonly type: string;
  readonly height: string;
  readonly tx: string;
  readonly cause: string;
}

export const NO_FILTER: LogFilter = { stream: '', type: '', height: '', tx: '', cause: '' };

/** True if there is no condition. */
export function isEmptyFilter(filter: LogFilter): boolean {
  return Object.values(filter).every((value) => value === '');
}

/** Converts a filter to request options. Throws for an invalid height or hash. */
export function optionsOf({ stream, type, height, tx, cause }: LogFilter): Readonly<Record<string, unknown>> {
  const digits = height.trim().replaceAll(',', '');
  if (digits !== '' && !/^[0-9]{1,19}$/.test(digits)) throw new Error(`${height} is no height`);
  const hash = tx.trim().replace(/^0x/i, '');
  if (hash !== '' && !/^[0-9a-f]{64}$/i.test(hash)) throw new Error(`${tx} is not the hash of a transaction`);
  return {
    ...(stream !== '' && { streams: [stream] }),
    ...(type !== '' && { types: [type] }),
    ...(digits !== '' && { height: Number(digits) }),
    ...(hash !== '' && { tx: `0x${hash.toLowerCase()}` }),
    ...(cause.trim() !== '' && { cause: cause.trim() }),
  };
}

/** A page of the log, newest event first, from the end or a position; without event data. */
export async function readLog(filter: LogFilter, limit: number, to: string | undefined): Promise<LogPage> {
  return await ask<LogPage>('chronicle_logEvents', {
    ...optionsOf(filter),
    limit,
    descending: true,
    data: 'none',
    ...(to !== undefined && { to }),
  });
}

/** Events in a range of positions, both ends included; without event data. */
export async function readPositions(from: number, to: number): Promise<readonly LogEvent[]> {
  const events: LogEvent[] = [];
  for (let next: string | null = `${from}`; next !== null;) {
    const page: LogPage = await ask<LogPage>('chronicle_logEvents', {
      from: next,
      to: `${to}`,
      limit: to - from + 1,
      data: 'none',
    });
    events.push(...page.events);
    ({ next } = page);
  }
  return events;
}

/** One event with its data, decoded or raw. */
export async function readEvent(position: string, data: 'decoded' | 'raw'): Promise<LogEvent | undefined> {
  const page = await ask<LogPage>('chronicle_logEvents', { from: position, to: position, limit: 1, data });
  return page.events[0];
}

/** Position of the block event of a height; undefined if it was pruned. */
export async function positionOf(height: bigint): Promise<string | undefined> {
  const { events } = await ask<LogPage>('chronicle_logEvents', {
    height: Number(height),
    types: ['BlockExecuted'],
    descending: true,
    data: 'none',
    limit: 1,
  });
  return events.find(({ abandoned }) => !abandoned)?.position;
}
