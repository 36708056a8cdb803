import type { ReadRecords, ReadRecordsRequest, ShownEvent } from '../../core/inspection/api.js';
import { matchesLogFilter } from '../../core/inspection/log-filter.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Timers } from '../../core/ports/time.js';
import { exportedRecords, ImportRefused } from '../../runtime/rebuild/imported-log.js';
import { plainNames } from './answer-names.js';
import { decoderOf, showEvent } from './log-events.js';

/** Implements `InspectionApi.readRecords`: decodes lines of `log export` without reading the node's own log. */
export async function readRecords(
  { crypto, timers }: { readonly crypto: Crypto; readonly timers: Pick<Timers, 'yield'> },
  lines: readonly string[],
  request: ReadRecordsRequest,
): Promise<ReadRecords> {
  const decode = request.data === 'decoded' ? await decoderOf({ crypto, names: () => plainNames(crypto) }) : undefined;
  const records: (readonly ShownEvent[])[] = [];
  let characters = 0;
  try {
    for await (const { events } of exportedRecords(lines, crypto)) {
      const shown: ShownEvent[] = [];
      for (const recorded of events) {
        if (!matchesLogFilter(recorded, request, crypto)) continue;
        shown.push(showEvent(crypto, recorded, undefined, request.data, await decode?.(recorded.event)));
      }
      records.push(shown);
      characters += shown.reduce((sum, one) => sum + one.line.length + (one.data?.length ?? 0), 0);
      if (characters >= FIXED_LIMITS.logCharacters) break;
      await timers.yield();
    }
    return { records, problem: undefined };
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error;
    return { records, problem: { line: error.line, reason: error.reason } };
  }
}
