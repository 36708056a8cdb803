import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { describeChange } from '../../core/inspection/describe-row.js';
import { printableJson, printableLine } from '../../core/text/printable.js';
import { createHostTimers } from '../../runtime/host/time.js';
import { readDifferences } from '../../store/state/difference.js';
import type { CommandOutput } from './command-output.js';
import { momentOf, spellingOf, storeOf } from './moments.js';
import { withLog } from './with-log.js';

/** `log diff A B`: prints the state rows that differ between two moments, one per line. */
export function logDiff(
  options: DaemonOptions,
  args: CommandArguments<'log diff'>,
  output: CommandOutput,
): Promise<number> {
  const { moments, limit, output: form } = args;
  return withLog(options, output, async (home) => {
    const [from, to] = [await momentOf(home, moments[0]), await momentOf(home, moments[1])];
    const spelling = await spellingOf(home);
    const store = storeOf(args.store);
    const isForward = from.height <= to.height;
    const [lower, upper] = isForward ? [from.height, to.height] : [to.height, from.height];
    let after: Uint8Array | undefined;
    let left = limit;
    do {
      const range = { lower, upper, store, after };
      const page = await readDifferences(home.store, range, createHostTimers(), ({ store: name, key, ...values }) => {
        const [before, now] = isForward ? [values.lower, values.upper] : [values.upper, values.lower];
        const { line, ...described } = describeChange({ store: name, key, before, after: now }, spelling);
        output.stdout(`${form === 'json' ? printableJson(described) : printableLine(line)}\n`);
        left -= 1;
        return left > 0;
      });
      after = page.next;
    } while (after !== undefined && left > 0);
    if (after !== undefined) output.stderr(`there are more: --limit ${limit * 10}\n`);
    return 0;
  });
}
