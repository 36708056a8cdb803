import type { LogEventsRequest, LogPage, ShownEvent } from '../../core/inspection/api.js';
import { eventLine, heightOfEvent } from '../../core/inspection/event-line.js';
import { matchesLogFilter } from '../../core/inspection/log-filter.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { LogEvent, Recorded } from '../../core/log-events.js';
import type { Outcome } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Timers } from '../../core/ports/time.js';
import { toPosition, type Position } from '../../core/primitives.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import type { EventLog } from '../../store/log/event-log.js';
import { ANCHOR_POSITION } from '../../store/log/anchor.js';
import { prunedHeight, prunedPosition } from '../../store/log/pruned-position.js';
import { shownValue } from '../../store/log/show-log.js';
import type { AnswerNames } from './answer-names.js';
import type { NextRecord } from './next-record.js';
import { max, min } from '../../core/bigint.js';

export interface LogEventsSource {
  readonly log: Pick<EventLog, 'read' | 'recordOf' | 'isOnBranch' | 'keptFrom' | 'restored'>;
  readonly ledger: Pick<Ledger, 'place'>;
  readonly crypto: Crypto;
  readonly timers: Pick<Timers, 'yield'>;
  /** Position of the newest published record. */
  readonly shown: () => Position;
  readonly next: NextRecord;
  /** Names for one answer. */
  readonly names: () => AnswerNames;
}

/** A range of log positions, both ends included. */
interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

/** Implements `InspectionApi.logEvents`. */
export async function logEvents(source: LogEventsSource, request: LogEventsRequest): Promise<Outcome<LogPage>> {
  const head = source.shown();
  const range = rangeOf(source, request, head);
  if (typeof range === 'string') return { ok: false, error: { code: 'invalid-params', message: range } };
  const page = await pageOf(source, request, range, head);
  const isAtEnd = page.events.length === 0 && page.next === undefined && request.to === undefined;
  if (!isAtEnd || request.waitMs === 0 || request.isDescending) return { ok: true, value: page };
  const came = await source.next.after(head, request.waitMs);
  if (!came.ok) return came;
  const now = source.shown();
  return { ok: true, value: await pageOf(source, request, { from: max(range.from, head + 1n), to: now }, now) };
}

/** The range of the log to search for a request, or an error text. */
function rangeOf(source: LogEventsSource, request: LogEventsRequest, head: Position): Range | string {
  const { from = firstOf(source, request), to = head, height } = request;
  const { log } = source;
  const pruned = prunedPosition(log, request.from) ?? prunedPosition(log, request.to) ?? prunedHeight(log, height);
  if (pruned !== undefined) return pruned;
  if (from > head + 1n) return `position ${from} is behind the end of the log, ${head}`;
  if (to > head) return `position ${to} is behind the end of the log, ${head}`;
  const record = height === undefined ? undefined : source.log.recordOf(height);
  // Earlier records may be about the same height on an abandoned branch.
  const start = record === undefined || request.from !== undefined ? from : max(from, record.decided.position);
  return { from: max(start, 1n), to };
}

/** Position at which the search for a transaction begins, a little before its block. */
function firstOf({ ledger, log }: LogEventsSource, { tx }: LogEventsRequest): bigint {
  const place = tx && ledger.place(tx);
  const decided = place && log.recordOf(place.height)?.decided.position;
  return decided === undefined ? 1n : max(1n, decided - BigInt(FIXED_LIMITS.admissionsBefore));
}

async function pageOf(
  source: LogEventsSource,
  request: LogEventsRequest,
  { from, to }: Range,
  head: Position,
): Promise<LogPage> {
  const events: ShownEvent[] = [];
  const decode = request.data === 'decoded' ? await decoderOf(source) : undefined;
  let characters = 0;
  let read = 0;
  /** Adds an event that matches the request; true when the page is full. */
  const take = async (recorded: Recorded): Promise<boolean> => {
    read += 1;
    if (matchesLogFilter(recorded, request, source.crypto)) {
      const members = await decode?.(recorded.event);
      const shown = showEvent(source.crypto, recorded, !source.log.isOnBranch(recorded), request.data, members);
      events.push(shown);
      characters += shown.line.length + (shown.data?.length ?? 0);
    }
    return (
      events.length >= request.limit || characters >= FIXED_LIMITS.logCharacters || read >= FIXED_LIMITS.logEventsRead
    );
  };
  const chunks = request.isDescending ? downwards(source, from, to) : upwards(source, from, to);
  for await (const chunk of chunks) {
    for (const recorded of chunk) {
      if (!(await take(recorded))) continue;
      const next = request.isDescending ? recorded.position - 1n : recorded.position + 1n;
      return { events, next: next < from || next > to ? undefined : next, head };
    }
    await source.timers.yield();
  }
  return { events, next: undefined, head };
}

async function* upwards({ log }: LogEventsSource, from: bigint, to: bigint): AsyncGenerator<readonly Recorded[]> {
  if (from > to) return;
  yield* log.read({ from: toPosition(from), limit: Number(to - from + 1n), isBrief: true });
}

/** Newest events first, in chunks, because the log can only be read upwards. */
async function* downwards({ log }: LogEventsSource, from: bigint, to: bigint): AsyncGenerator<readonly Recorded[]> {
  const step = BigInt(FIXED_LIMITS.logEventsStep);
  const kept = log.keptFrom();
  for (let end = to; end >= from; end -= step) {
    // The log is empty between the events of an anchor and the first kept record.
    if (end < kept) end = min(end, ANCHOR_POSITION + 1n);
    const start = max(from, end - step + 1n);
    const piece: Recorded[] = [];
    const range = { from: toPosition(start), limit: Number(end - start + 1n), isBrief: true };
    for await (const events of log.read(range)) for (const event of events) piece.push(event);
    yield piece.reverse();
  }
}

/** Creates the decoder for one answer; loads the types of every message. */
export async function decoderOf({
  crypto,
  names,
}: Pick<LogEventsSource, 'crypto' | 'names'>): Promise<(event: LogEvent) => Promise<object>> {
  const [{ decodedMembers }, { contractsOf }] = await Promise.all([
    import('./decoded-event.js'),
    import('./decoded-calls.js'),
  ]);
  const known = names();
  return async (event) => {
    try {
      await known.learn(contractsOf(event, crypto));
      return decodedMembers(event, crypto, known);
    } catch {
      // Parts of the event were pruned.
      return {};
    }
  };
}

/**
 * JSON form of one event. `isAbandoned` is undefined if the rest of the log is unknown; `members` are decoded members
 * of its data.
 */
export function showEvent(
  crypto: Crypto,
  recorded: Recorded,
  isAbandoned: boolean | undefined,
  form: LogEventsRequest['data'],
  members: object = {},
): ShownEvent {
  const { event } = recorded;
  const text = form === 'none' ? undefined : JSON.stringify(shownValue({ ...event.data, ...members }, Infinity));
  return {
    recorded,
    isAbandoned,
    height: heightOfEvent(event),
    line: eventLine(event, crypto),
    data: text === undefined || text.length > FIXED_LIMITS.logEventCharacters ? undefined : text,
  };
}
