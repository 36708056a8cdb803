/** The view shows what changed between two moments, by module and names of fields. Asks: `chronicle_stateDiff`. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { AbiValue } from '../../../../core/abi/decode.js';
import { useAnswer } from '../data/answer.js';
import { type Change, changesBetween } from '../data/changes.js';
import { given, layoutOf } from '../data/contracts.js';
import { groupedText } from '../data/format.js';
import { wordsOfTexts } from '../data/key-words.js';
import { type NamedChange, namedChanges } from '../data/slot-names.js';
import type { Change as SlotChange } from '../data/state-diff.js';
import { facts, headHeight, open } from '../data/store.js';
import { Badge, BlockLink, Callout, Card, fieldText, Shown, Table, Title } from '../parts/basic.js';
import { abiText, slotKeyText } from '../parts/events.js';
import { Scalar } from '../parts/json.js';

const PAGE = 200;

/** The view of two heights; without them it asks for them. */
export function Changes({ from, to }: { from: string; to: string }) {
  const isAsked = /^[0-9]{1,19}$/.test(from) && /^[0-9]{1,19}$/.test(to);
  return (
    <>
      <Title kicker="State">What changed</Title>
      <Moments from={from} to={to} />
      {isAsked && <Diff from={BigInt(from)} to={BigInt(to)} />}
      {!isAsked && from !== '' && <Callout kind="bad">Two heights are needed, in digits.</Callout>}
    </>
  );
}

function Moments({ from, to }: { from: string; to: string }) {
  const form = useRef<HTMLFormElement>(null);
  const top = headHeight.value;
  const submit = (event: Event): void => {
    event.preventDefault();
    open({ view: 'changes', from: fieldText(form.current, 'from'), to: fieldText(form.current, 'to') });
  };
  return (
    <Card title="Two moments">
      <form class="row" ref={form} onSubmit={submit}>
        <label class="field">
          <span>from block</span>
          <input
            name="from"
            inputMode="numeric"
            required
            pattern="[0-9]+"
            defaultValue={from || (top > 10n ? top - 10n : 1n).toString()}
          />
        </label>
        <label class="field">
          <span>to block</span>
          <input name="to" inputMode="numeric" required pattern="[0-9]+" defaultValue={to || top.toString()} />
        </label>
        <button class="primary">Compare</button>
      </form>
    </Card>
  );
}

function Diff({ from, to }: { from: bigint; to: bigint }) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [hasIndexes, setIndexes] = useState(false);
  const cursor = cursors.at(-1);
  const answer = useAnswer(['diff', from, to, cursor], () => changesBetween(from, to, PAGE, cursor), { isFixed: true });
  return (
    <Shown answer={answer} lines={8}>
      {({ from: first, to: last, changes, written, next }) => {
        const shown = changes.filter(({ index }) => hasIndexes || !index);
        const modules = [...new Set(shown.map(({ module }) => module))];
        return (
          <>
            <p class="row summary">
              <span>
                Block <BlockLink height={first.height} /> to block <BlockLink height={last.height} />:{' '}
                {next === null && cursors.length === 0 ? '' : 'on this page '}
                {groupedText(shown.length)} changes
                {written !== null &&
                  `, ${groupedText(Object.values(written).reduce((sum, one) => sum + one, 0))} writes`}
                .
              </span>
              <label class="check">
                <input type="checkbox" checked={hasIndexes} onChange={() => setIndexes(!hasIndexes)} /> indexes, too
              </label>
              <span class="pages">
                <button type="button" disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
                  Back
                </button>
                <button
                  type="button"
                  disabled={next === null}
                  onClick={() => next !== null && setCursors([...cursors, next])}
                >
                  More
                </button>
              </span>
            </p>
            {modules.map((module) => (
              <Card key={module} title={module} id={`module-${module}`}>
                <ChangedRows module={module} changes={shown.filter((change) => change.module === module)} />
              </Card>
            ))}
            {shown.length === 0 && <Callout>Nothing changed between these moments.</Callout>}
          </>
        );
      }}
    </Shown>
  );
}

function ChangedRows({ module, changes }: { module: string; changes: readonly Change[] }) {
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
      columns={['Row', 'What', 'Before', 'After']}
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
  if (change.fields.length === 0) return [{ key, cells: [name, change.line, '', ''] }];
  const text = (value: AbiValue | undefined): string | null => (value === undefined ? null : abiText(value));
  const fields = named.map(({ name: of, before, after }) => ({ name: of, before: text(before), after: text(after) }));
  return (fields.length > 0 ? fields : change.fields).map((field, index) => ({
    key: `${key} ${field.name}`,
    cells: [
      index === 0 ? name : '',
      field.name,
      field.before === null ? '' : <span class="text minus">{field.before}</span>,
      field.after === null ? '' : <span class="text plus">{field.after}</span>,
    ],
  }));
}
