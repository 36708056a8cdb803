/** The view shows what changed between two moments, by module and names of fields. Asks: `chronicle_stateDiff`. */
import { useRef, useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { changesBetween, modulesOf } from '../data/changes.js';
import { groupedText } from '../data/format.js';
import { headHeight, open } from '../data/store.js';
import { fieldText } from '../parts/actions.js';
import { Callout, Shown } from '../parts/answers.js';
import { BlockLink } from '../parts/ids.js';
import { Card, Title } from '../parts/layout.js';
import { ChangedRows } from '../parts/changed-rows.js';

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
            {modulesOf(shown).map(([module, rows]) => (
              <Card key={module} title={module} id={`module-${module}`}>
                <ChangedRows module={module} changes={rows} />
              </Card>
            ))}
            {shown.length === 0 && <Callout>Nothing changed between these moments.</Callout>}
          </>
        );
      }}
    </Shown>
  );
}
