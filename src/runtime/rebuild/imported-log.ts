import { compare } from '../../core/bytes/bytes.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { CorruptionError } from '../../store/errors.js';
import { decodeRows, recordHash, type StoredRecord } from '../../store/log/read-records.js';
import { parseRecordLine, recordLine } from '../../store/log/record-lines.js';
import { NO_HASH } from '../../store/log/record.js';
import type { WholeLog } from './derive-database.js';

/** Reason to refuse an input without a record. */
const EMPTY_INPUT =
  'the input is empty: a log export that is refused leaves an empty output, and says why on standard error';

/** A line is not from `log export`, or does not continue the line before it. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';

  constructor(
    readonly line: number,
    readonly reason: string,
  ) {
    // Without any line there is no number to name.
    super(line === 0 ? reason : `line ${line}: ${reason}`);
  }
}

interface LogEnd {
  readonly position: bigint;
  readonly hash: Uint8Array;
}

/** The log that this home already has, and its database. */
export interface ExistingLog {
  readonly log: WholeLog;
  readonly store: Pick<KeyValueStore, 'get'>;
}

/**
 * Yields the records of the existing log, then those of the lines. Lines whose record already exists are skipped if
 * they are identical, and so are empty lines. Throws ImportRefused.
 */
export async function* importedRecords(
  existing: ExistingLog | undefined,
  lines: AsyncIterable<string>,
  crypto: Crypto,
): AsyncGenerator<StoredRecord> {
  let end: LogEnd = { position: 0n, hash: NO_HASH };
  for await (const record of existing?.log.records ?? []) {
    end = endOf(record);
    yield record;
  }
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text === '') continue;
    const record = recordOf(text, number, crypto);
    if (record.header.first <= end.position) {
      const hash = existing && recordHash(existing.store, crypto, record.header.first);
      if (hash === undefined || compare(hash, record.header.hash) !== 0)
        throw new ImportRefused(number, `the home holds another record at position ${record.header.first}`);
      continue;
    }
    requireFollowing(record, end, number);
    end = endOf(record);
    yield record;
  }
  if (end.position === 0n) throw new ImportRefused(0, EMPTY_INPUT);
}

/**
 * Reads records from lines that may begin anywhere in a log but must be consecutive. Skips empty lines. Throws
 * ImportRefused.
 */
export async function* exportedRecords(
  lines: AsyncIterable<string> | Iterable<string>,
  crypto: Crypto,
): AsyncGenerator<StoredRecord> {
  let end: LogEnd | undefined;
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text === '') continue;
    const record = recordOf(text, number, crypto);
    if (end !== undefined) requireFollowing(record, end, number);
    end = endOf(record);
    yield record;
  }
  if (end === undefined) throw new ImportRefused(0, EMPTY_INPUT);
}

function requireFollowing({ header }: StoredRecord, end: LogEnd, line: number): void {
  if (header.first !== end.position + 1n)
    throw new ImportRefused(line, `position ${header.first} does not follow position ${end.position}`);
  if (compare(header.previousHash, end.hash) !== 0)
    throw new ImportRefused(line, 'its previous hash does not match the record before it');
}

function endOf({ header }: StoredRecord): LogEnd {
  return { position: header.first + BigInt(header.count) - 1n, hash: header.hash };
}

/** Decodes a line and checks that re-encoding its record gives the identical line. */
function recordOf(text: string, line: number, crypto: Crypto): StoredRecord {
  const parsed = parseRecordLine(text);
  if (parsed === undefined) throw new ImportRefused(line, 'not a record line');
  try {
    const record = { ...decodeRows(parsed.rows, parsed.first, crypto), rows: parsed.rows };
    if (recordLine(record) !== text) throw new ImportRefused(line, 'differs from the record in its rows');
    return record;
  } catch (error) {
    if (error instanceof CorruptionError) throw new ImportRefused(line, error.message);
    throw error;
  }
}
