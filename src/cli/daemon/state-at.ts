import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { describeChange } from '../../core/inspection/describe-row.js';
import type { Spelling } from '../../core/inspection/row-form.js';
import { STATE_TABLE } from '../../core/inspection/state-table.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { StateEntry, StateRange } from '../../core/state/state.js';
import { printableJson, printableLine } from '../../core/text/printable.js';
import { rangeAt } from '../../store/state/range.js';
import type { CommandOutput } from './command-output.js';
import { momentOf, spellingOf, storeOf } from './moments.js';
import { withLog } from './with-log.js';

/** `state --at`: prints the state rows at a moment with readable names, one per line, ordered by store and key. */
export function stateAt(
  options: DaemonOptions,
  { at, store: only, limit, output: form }: CommandArguments<'state'>,
  output: CommandOutput,
): Promise<number> {
  return withLog(options, output, async (home) => {
    const { height } = await momentOf(home, at);
    const spelling = await spellingOf(home);
    const one = storeOf(only);
    const stores = one === undefined ? Object.keys(STATE_TABLE) : [one];
    let left = limit;
    for (const store of stores) {
      for (let rest: StateRange | undefined = {}; rest !== undefined && left > 0;) {
        const page = await rangeAt(home.store, store, height, {
          ...rest,
          limit: Math.min(FIXED_LIMITS.diffStep, left),
        });
        for (const entry of page.entries) output.stdout(`${rowText(store, entry, spelling, form)}\n`);
        left -= page.entries.length;
        ({ rest } = page);
      }
      if (left > 0) continue;
      output.stderr(`there may be more: --limit ${limit * 10}\n`);
      return 0;
    }
    return 0;
  });
}

function rowText(store: string, { key, value }: StateEntry, spelling: Spelling, form: 'text' | 'json'): string {
  const described = describeChange({ store, key, before: undefined, after: value }, spelling);
  const fields = described.fields.map(({ name, after }) => ({ name, value: after }));
  if (form === 'json') return printableJson({ store, row: described.row, key: described.key, fields });
  const subject = [described.row ?? '', ...described.key.map(({ text }) => text)].filter((word) => word !== '');
  const shown = fields.map(({ name, value: text }) => (name === '' ? text : `${name}=${text}`));
  return printableLine(`${store}: ${subject.join(' ')} ${shown.join(' ')}`);
}
