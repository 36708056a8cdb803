import { compare, equal } from '../core/bytes/bytes.js';
import { hex } from '../core/bytes/hex.js';
import { FIXED_LIMITS } from '../core/limits/limits.js';
import type { KeyValue, KeyValueStore } from '../core/ports/key-value-store.js';
import { PREFIX } from './keys.js';
import { sameVersions } from './state/same-versions.js';
import { tableOf } from './tables.js';
import { tolerantRows } from './tolerant-rows.js';
import type { LogProblem } from './log-problem.js';

/** Tables that do not follow from the log: this host's own marks, and rows that only older builds wrote. */
const NOT_DERIVED: ReadonlySet<number> = new Set([PREFIX.verified, PREFIX.durable, PREFIX.once, PREFIX.pending]);

/**
 * Compares every row of a database with the rows that its log gives, and reports each row that is missing, differs or
 * does not follow from the log. Of a table with many such rows the first are named and the rest is counted. Tables in
 * `skipped`, named by the first byte of their keys, are passed over, and so are rows with a wrong checksum: they are
 * reported by those who read every row (`verifyLog`).
 */
export async function compareRows(
  stored: KeyValueStore,
  derived: KeyValueStore,
  report: (problem: LogProblem) => void,
  skipped: ReadonlySet<number> = new Set(),
): Promise<void> {
  const damaged = new Set<string>();
  const left = rowByRow(tolerantRows(stored, ({ key }) => void (key !== undefined && damaged.add(key))));
  const right = rowByRow(tolerantRows(derived, report));
  const found = new Map<string, number>();
  const tell = ({ key }: KeyValue, problem: string): void => {
    const prefix = key[0] ?? 0;
    if (NOT_DERIVED.has(prefix) || skipped.has(prefix) || damaged.has(hex(key))) return;
    const table = tableOf(key);
    const count = (found.get(table) ?? 0) + 1;
    found.set(table, count);
    if (count <= FIXED_LIMITS.verifyRowsNamed) report({ table, key: hex(key), problem });
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
    if (order <= 0) have = await left.next();
    if (order >= 0) want = await right.next();
  }
  for (const [table, count] of found) {
    const more = count - FIXED_LIMITS.verifyRowsNamed;
    if (more > 0) report({ table, problem: `${more} more rows` });
  }
}

async function* rowByRow(pages: AsyncIterable<readonly KeyValue[]>): AsyncGenerator<KeyValue> {
  for await (const rows of pages) yield* rows;
}
