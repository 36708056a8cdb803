/** An upgrade on a copy of the state, at a button. Asks: in dev mode `chronicle_rehearseUpgrade`. */
import { useState } from 'preact/hooks';
import type { UpgradeRehearsal } from '../../../../core/inspection/api.js';
import { ask } from '../data/ethereum.js';
import { groupedText } from '../data/format.js';
import { Action } from './actions.js';
import { Callout } from './answers.js';
import { Card, Table } from './layout.js';

/** A form for the name of an upgrade, and what the rehearsal says; `planned` is the plan of the chain. */
export function RehearsalCard({ planned }: { planned: string }) {
  const [name, setName] = useState(planned);
  const [done, setDone] = useState<{ readonly name: string; readonly rehearsal: UpgradeRehearsal } | undefined>(
    undefined,
  );
  const run = async (): Promise<string> => {
    setDone(undefined);
    setDone({ name, rehearsal: await ask<UpgradeRehearsal>('chronicle_rehearseUpgrade', name.trim()) });
    return '';
  };
  return (
    <Card title="Rehearsal">
      <p class="muted">
        The upgrade runs on a copy of the state, with three blocks behind it. The chain stays as it is.
      </p>
      <div class="row query">
        <input
          aria-label="Name of the upgrade"
          placeholder="v2"
          value={name}
          spellcheck={false}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <Action label="Rehearse" run={run} />
      </div>
      {done !== undefined && <Outcome name={done.name} rehearsal={done.rehearsal} />}
    </Card>
  );
}

function Outcome({ name, rehearsal }: { name: string; rehearsal: UpgradeRehearsal }) {
  if (!rehearsal.works)
    return (
      <Callout kind="bad">
        {name} at height {rehearsal.height} would fail ({rehearsal.step}): {rehearsal.reason}
      </Callout>
    );
  const { height, versions, changes } = rehearsal;
  return (
    <>
      <Callout>
        {name} would work at height {height}: {groupedText(changes.length)} rows differ, and all invariants hold.
      </Callout>
      <Table
        label="Versions of modules that the upgrade changes"
        columns={['Module', '>Before', '>After']}
        empty="No module has another version."
        rows={versions.map((one) => ({
          key: one.name,
          cells: [one.name, one.before ?? 'none', one.after ?? 'none'],
        }))}
      />
      <ul class="plain">
        {changes.slice(0, SHOWN).map((line) => (
          <li key={line} class="text">
            <code>{line}</code>
          </li>
        ))}
      </ul>
      {changes.length > SHOWN && <p class="muted">and {groupedText(changes.length - SHOWN)} more.</p>}
    </>
  );
}

/** Changed rows that are shown. */
const SHOWN = 500;
