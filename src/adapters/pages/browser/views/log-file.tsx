/** A file of `log export` to look at, read-only, in place of the node's log. Asks: `chronicle_readRecords`. */
import { useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { groupedText } from '../data/format.js';
import { isEmptyFilter, type LogFilter, NO_FILTER } from '../data/log.js';
import { type LogFile, openedLog, readFilePage, searchFile } from '../data/log-file.js';
import { Callout, Shown } from '../parts/answers.js';
import { Card, Title } from '../parts/layout.js';
import { LogConditions } from '../parts/log-conditions.js';
import { Events } from '../parts/log-events.js';

const PAGE = 50;

/** The events of an opened file, the oldest first. */
export function LogFileView({ file }: { file: LogFile }) {
  const [starts, setStarts] = useState<readonly number[]>([0]);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const start = starts.at(-1) ?? 0;
  const [filter, setFilter] = useState(NO_FILTER);
  const page = useAnswer(
    ['log-file', file.name, file.lines.length, start, filter],
    () =>
      isEmptyFilter(filter)
        ? readFilePage(file.lines, start, PAGE, 'none')
        : searchFile(file.lines, start, PAGE, filter),
    { isFixed: true },
  );
  const change = (part: Partial<LogFilter>): void => {
    setFilter({ ...filter, ...part });
    setStarts([0]);
  };
  const next = page.state === 'there' && page.value.problem === null ? start + page.value.read : file.lines.length;
  const read = async (position: string, data: 'decoded' | 'raw') => {
    const event = page.state === 'there' ? page.value.events.find((one) => one.position === position) : undefined;
    if (event === undefined) return undefined;
    const { events } = await readFilePage(file.lines, event.lineAt, 1, data);
    return events.find((one) => one.position === position);
  };
  return (
    <>
      <Title
        side={
          <button type="button" onClick={() => (openedLog.value = undefined)}>
            Close the file
          </button>
        }
      >
        Log of a file
      </Title>
      <Callout kind="warn">
        {file.name}: to look at only. Its events may be of another chain, and nothing here follows the node.
      </Callout>
      <Card
        title={`${groupedText(file.lines.length)} records`}
        id="list"
        actions={
          <span class="pages">
            <button type="button" disabled={starts.length === 1} onClick={() => setStarts(starts.slice(0, -1))}>
              Older
            </button>
            <button type="button" disabled={next >= file.lines.length} onClick={() => setStarts([...starts, next])}>
              Newer
            </button>
          </span>
        }
      >
        <LogConditions filter={filter} change={change} />
        <Shown answer={page} lines={12}>
          {({ events, problem }) => (
            <>
              <Events events={events} chosen={chosen} choose={setChosen} read={read} />
              {!isEmptyFilter(filter) && (
                <p class="muted">
                  Records {groupedText(start + 1)} to {groupedText(next)} were compared.
                </p>
              )}
              {problem !== null && (
                <Callout kind="bad">
                  The file is damaged, or not a whole export: line {problem.line}: {problem.message}
                </Callout>
              )}
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}
