import { compare, equal } from '../../core/bytes/bytes.js';
import { bytesOfDigits, hex } from '../../core/bytes/hex.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValue, KeyValueStore } from '../../core/ports/key-value-store.js';
import type { KeyBounds } from '../rows/all-rows.js';
import { PREFIX, recordBound, recordsEnd } from '../keys.js';
import { RowSumsInsufficient, RowSums } from '../rows/row-sums.js';
import { sameVersions } from '../state/same-versions.js';
import { tableOf } from '../rows/tables.js';
import { tolerantRows } from './tolerant-rows.js';
import type { LogProblem } from './log-problem.js';

/**
 * Tables that cannot be derived from the log: marks of this host, rows that only older builds wrote, and parts of the
 * log itself.
 */
const NOT_DERIVED: ReadonlySet<number> = new Set([
  PREFIX.verified,
  PREFIX.durable,
  PREFIX.once,
  PREFIX.pending,
  PREFIX.anchor,
]);

/** Key ranges before and after the records. */
const COMPARED: readonly KeyBounds[] = [
  { start: Uint8Array.of(0), end: recordBound(1n) },
  { start: recordsEnd(), end: Uint8Array.of(0xff, 0xff) },
];

export interface CompareOptions {
  /** Key prefixes of tables whose rows are read (checksums) but not compared. */
  readonly skipped?: ReadonlySet<number> | undefined;
  /** Sums that replace the derived rows of some tables. */
  readonly sums?: RowSums | undefined;
}

/**
 * Compares every row of a database, except its records, with the rows derived from its log. Reports each row that is
 * damaged, missing, different, or not derivable; per table the first such rows are named and the rest counted. Resolves
 * with the number of intact rows. Throws RowSumsInsufficient when sums differ: whole rows must be compared then.
 */
export async function compareRows(
  stored: KeyValueStore,
  derived: KeyValueStore,
  report: (problem: LogProblem) => void,
  { skipped = new Set(), sums }: CompareOptions = {},
): Promise<number> {
  const damaged = new Set<string>();
  const tellDamaged = (problem: LogProblem): void => {
    if (problem.key === undefined) return report(problem);
    damaged.add(problem.key);
    report({ table: tableOf(bytesOfDigits(problem.key) ?? new Uint8Array()), ...problem });
  };
  let count = 0;
  const found = sums && new RowSums(sums.tables);
  const isSummed = ({ key, value }: KeyValue): boolean => {
    const isTaken = found?.add(key, value) === true;
    if (isTaken) count += 1;
    return isTaken;
  };
  const left = rowByRow(stored, tellDamaged, isSummed);
  const right = rowByRow(derived, report);
  const differing = new Map<string, number>();
  const tell = ({ key }: KeyValue, problem: string): void => {
    const prefix = key[0] ?? 0;
    if (NOT_DERIVED.has(prefix) || skipped.has(prefix) || damaged.has(hex(key))) return;
    const table = tableOf(key);
    const rows = (differing.get(table) ?? 0) + 1;
    differing.set(table, rows);
    if (rows <= FIXED_LIMITS.verifyRowsNamed) report({ table, key: hex(key), problem });
  };
  const isSame = ({ key, value: had }: KeyValue, { value: wanted }: KeyValue): boolean =>
    equal(had, wanted) || sameVersions(key, { store: stored, value: had }, { store: derived, value: wanted });
  let have = await left.next();
  let want = await right.next();
  while (have.done !== true || want.done !== true) {
    const order = have.done === true ? 1 : want.done === true ? -1 : compare(have.value.key, want.value.key);
    if (order < 0 && have.done !== true) tell(have.value, 'row does not follow from the log');
    if (order > 0 && want.done !== true) tell(want.value, 'row is missing');
    if (order === 0 && have.done !== true && want.done !== true && !isSame(have.value, want.value))
      tell(have.value, 'row differs from what the log gives');
    if (order <= 0) count += 1;
    if (order <= 0) have = await left.next();
    if (order >= 0) want = await right.next();
  }
  if (sums !== undefined && found !== undefined)
    for (const table of sums.tables)
      if (!skipped.has(table) && !sums.agrees(found, table)) throw new RowSumsInsufficient('the sums of rows differ');
  for (const [table, rows] of differing) {
    const more = rows - FIXED_LIMITS.verifyRowsNamed;
    if (more > 0) report({ table, problem: `${more} more rows` });
  }
  return count;
}

async function* rowByRow(
  store: KeyValueStore,
  report: (problem: LogProblem) => void,
  isTaken: (row: KeyValue) => boolean = () => false,
): AsyncGenerator<KeyValue> {
  for (const bounds of COMPARED)
    for await (const rows of tolerantRows(store, report, bounds)) for (const row of rows) if (!isTaken(row)) yield row;
}
