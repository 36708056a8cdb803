/** Rows of the state that changed, by names of fields. */
import { useMemo } from 'preact/hooks';
import type { AbiValue } from '../../../../core/abi/decode.js';
import type { Change } from '../data/changes.js';
import { given, layoutOf } from '../data/contracts.js';
import { countText, shortText } from '../data/format.js';
import { wordsOfTexts } from '../data/key-words.js';
import { type NamedChange, namedChanges } from '../data/slot-names.js';
import type { Change as SlotChange } from '../data/state-diff.js';
import { facts } from '../data/store.js';
import { Table } from './layout.js';
import { Badge } from './values.js';
import { abiText, slotKeyText } from './events.js';
import { Scalar } from './json.js';

/** Changed rows of one module in a table, with the names of variables of contracts whose layout is known. */
export function ChangedRows({ module, changes }: { module: string; changes: readonly Change[] }) {
  const slots = changes.map(slotOf);
  const layouts = slots.map((slot) => slot !== undefined && layoutOf(slot.address) !== undefined).join();
  // names are found by thousands of hashes
  const names = useMemo(() => {
    const accounts = facts.value?.accounts.map(({ hex }) => hex) ?? [];
    const known = slots.filter((slot) => slot !== undefined);
    const named = namedChanges(known, wordsOfTexts(accounts), slotKeyText);
    return slots.map((slot) => (slot && named.get(slot)) ?? []);
  }, [changes.map(({ line }) => line).join('\n'), layouts, given.value]);
  return (
    <Table
      label={`Changes of ${module}`}
      columns={['Row', 'What', 'Before', 'After', '>Difference']}
      rows={changes.flatMap((change, index) => rowsOf(change, names[index] ?? []))}
    />
  );
}

/** The slot of a contract that a row of the EVM's store is; undefined for any other row. */
function slotOf({ module, row, key: [contract, slot], fields: [field] }: Change): SlotChange | undefined {
  if (module !== 'evm' || row !== 'storage' || contract === undefined || slot === undefined) return undefined;
  const [before, after] = [field?.before ?? undefined, field?.after ?? undefined];
  return { address: contract.text, part: 'slot', slot: slot.text, before, after };
}

function rowsOf(change: Change, named: readonly NamedChange[]) {
  const name = (
    <span class="changed">
      <Badge kind={change.kind === 'created' ? 'good' : change.kind === 'deleted' ? 'bad' : 'plain'}>
        {change.kind}
      </Badge>{' '}
      {change.row ?? 'row'}{' '}
      {change.key.map(({ name: part, text, alias }) => (
        <span key={part} title={part}>
          {alias === undefined ? <Scalar text={text} /> : <span title={text}>{alias}</span>}{' '}
        </span>
      ))}
    </span>
  );
  const key = `${change.row} ${change.key.map(({ text }) => text).join(' ')}`;
  if (change.fields.length === 0) return [{ key, cells: [name, change.line, '', '', ''] }];
  const text = (value: AbiValue | undefined): string | null => (value === undefined ? null : abiText(value));
  const fields = named.map(({ name: of, before, after }) => ({ name: of, before: text(before), after: text(after) }));
  return (fields.length > 0 ? fields : change.fields).map((field, index) => ({
    key: `${key} ${field.name}`,
    cells: [
      index === 0 ? name : '',
      field.name,
      field.before === null ? '' : <Value text={field.before} look="minus" />,
      field.after === null ? '' : <Value text={field.after} look="plus" />,
      <Difference {...field} />,
    ],
  }));
}

/** Longest value that is shown whole at once: 32 bytes in hexadecimal, and decimals of that size, are shorter. */
const LONGEST_VALUE = 200;

/** A value; a long one, such as the code of a contract, is folded. */
function Value({ text, look }: { text: string; look: 'minus' | 'plus' }) {
  if (text.length <= LONGEST_VALUE) return <span class={`text ${look}`}>{text}</span>;
  const size = /^0x([0-9a-f]{2})+$/.test(text)
    ? countText(text.length / 2 - 1, 'byte')
    : countText(text.length, 'character');
  return (
    <details>
      <summary>
        <span class={`text ${look}`}>{shortText(text)}</span> {size}
      </summary>
      <span class={`text ${look}`}>{text}</span>
    </details>
  );
}

/** By how much a whole number changed; nothing for other values. A row that is one value begins with zero. */
function Difference({ name, before, after }: { name: string; before: string | null; after: string | null }) {
  const absent = name === '' ? '0' : '';
  const [old, now] = [before ?? absent, after ?? absent];
  if (![old, now].every((text) => /^[0-9]+$/.test(text))) return null;
  const by = BigInt(now) - BigInt(old);
  return <span class={by < 0n ? 'minus' : 'plus'}>{`${by < 0n ? '' : '+'}${by}`}</span>;
}
