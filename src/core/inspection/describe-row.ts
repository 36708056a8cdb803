/** Describes one row of a store before and after a change. */
import { compare } from '../bytes/bytes.js';
import { hexData } from '../bytes/hex.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import type { ChangedRow } from '../state/state.js';
import { KeyReader, type RowField, type RowForm, type Spelling } from './row-form.js';
import { STATE_TABLE } from './state-table.js';

/** A changed field; undefined when the row did not have it. */
export interface ChangedField {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface DescribedChange {
  readonly store: string;
  /** Name of the kind of row; undefined when no entry of the table matches the key, which is then shown as bytes. */
  readonly row: string | undefined;
  readonly key: readonly { readonly name: string; readonly text: string; readonly short?: string }[];
  readonly isIndex: boolean;
  readonly kind: 'created' | 'changed' | 'deleted';
  readonly fields: readonly ChangedField[];
  /** The change in one line: `bank: dev1 achr 10 -> 9`. */
  readonly line: string;
}

interface ReadKey {
  readonly form: RowForm;
  readonly parts: DescribedChange['key'];
}

/** Describes a change with the table of stores. */
export function describeChange(changed: ChangedRow, spelling: Spelling): DescribedChange {
  const { store, key, before, after } = changed;
  const read = readKey(store, key, spelling);
  const fields = changedFields(
    before && fieldsOf(read?.form, before, spelling),
    after && fieldsOf(read?.form, after, spelling),
  );
  const described = {
    store,
    row: read?.form.name,
    key: read?.parts ?? [{ name: 'key', text: hexData(key) }],
    isIndex: read?.form.isIndex === true,
    kind: before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed',
    fields,
  } as const;
  return { ...described, line: lineOf(described) };
}

/** Parts of a key, by the first form that matches all its bytes. */
function readKey(store: string, key: Uint8Array, spelling: Spelling): ReadKey | undefined {
  for (const form of STATE_TABLE[store] ?? []) {
    const { prefix } = form;
    if (compare(key.subarray(0, prefix.length), prefix) !== 0) continue;
    const from = new KeyReader(key.subarray(prefix.length));
    const parts: DescribedChange['key'][number][] = [];
    for (const part of form.key) {
      const text = part.read(from, spelling);
      if (text === undefined) break;
      parts.push({ name: part.name, ...text });
    }
    if (parts.length === form.key.length && from.isAtEnd) return { form, parts };
  }
  return undefined;
}

/** Fields of a value. A value that does not match its form is shown as bytes: another build may have written it. */
function fieldsOf(form: RowForm | undefined, value: Uint8Array, spelling: Spelling): readonly RowField[] {
  try {
    if (form !== undefined) return form.value(value, spelling).map((field) => ({ ...field, value: cut(field.value) }));
  } catch {
    // Shown as bytes below.
  }
  return [{ name: '', value: cut(hexData(value)) }];
}

function changedFields(
  before: readonly RowField[] | undefined,
  after: readonly RowField[] | undefined,
): readonly ChangedField[] {
  const old = new Map(before?.map(({ name, value }) => [name, value]));
  const now = new Map(after?.map(({ name, value }) => [name, value]));
  const fields: ChangedField[] = [];
  for (const name of new Set([...old.keys(), ...now.keys()]))
    if (old.get(name) !== now.get(name)) fields.push({ name, before: old.get(name), after: now.get(name) });
  return fields;
}

/** Kinds of rows whose name adds nothing to their key. */
const PLAIN_ROWS: ReadonlySet<string> = new Set(['balance']);

function lineOf({ store, row, key, kind, fields }: Omit<DescribedChange, 'line'>): string {
  const name = row === undefined || PLAIN_ROWS.has(row) ? [] : [row];
  const subject = [...name, ...key.map(({ text, short }) => short ?? text)].join(' ');
  const shown = fields.slice(0, FIXED_LIMITS.fieldsInLine).map((field) => fieldLine(field));
  if (fields.length > shown.length) shown.push(`${fields.length - shown.length} more`);
  if (shown.length === 0) shown.push(kind === 'changed' ? 'same fields, other bytes' : kind);
  return `${store}: ${subject === '' ? '' : `${subject} `}${shown.join(', ')}`;
}

function fieldLine({ name, before, after }: ChangedField): string {
  const change = `${shown(before)} -> ${shown(after)}`;
  return name === '' ? change : `${name} ${change}`;
}

function shown(value: string | undefined): string {
  return value === undefined ? 'none' : value === '' ? "''" : value;
}

function cut(text: string): string {
  const { fieldCharacters: maximum } = FIXED_LIMITS;
  return text.length <= maximum ? text : `${text.slice(0, maximum)}... (${text.length} characters)`;
}
