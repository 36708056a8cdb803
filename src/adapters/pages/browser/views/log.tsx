/**
 * The log: every event by stream, type, height, transaction and cause; one in words and as bytes; an export, and in dev
 * mode the way back to a block, or a branch from it; a file of another log to look at. Asks: `chronicle_logEvents`,
 * `rpc_discover` (names of types), `debug_setHead`.
 */
import { useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { download } from '../data/download.js';
import { ask, hexOf } from '../data/ethereum.js';
import { groupedText } from '../data/format.js';
import {
  isEmptyFilter,
  type LogEvent,
  type LogFilter,
  NO_FILTER,
  positionOf,
  readEvent,
  readLog,
  readPositions,
} from '../data/log.js';
import { openedLog, openLog } from '../data/log-file.js';
import type { NodeFacts } from '../data/node-facts.js';
import { RANKS_PER_PAGE, useRanks } from '../data/ranks.js';
import { headHeight, lookNow, moment } from '../data/store.js';
import { Action, messageOf } from '../parts/actions.js';
import { Callout, Shown } from '../parts/answers.js';
import { To } from '../parts/ids.js';
import { Card, Title } from '../parts/layout.js';
import { Branches, BranchFrom } from '../parts/branches.js';
import { LogConditions } from '../parts/log-conditions.js';
import { Events, type EventsProps } from '../parts/log-events.js';
import { Virtual, type VirtualRows } from '../parts/virtual.js';
import { LogFileView } from './log-file.js';

const PAGE = 50;
/** Events of a file that is exported. */
const EXPORTED = 1_000;

/** The view of the log, or of a file that the reader opened in its place. */
export function LogView({ facts }: { facts: NodeFacts }) {
  const file = openedLog.value;
  return file === undefined ? <NodeLog facts={facts} /> : <LogFileView file={file} />;
}

function NodeLog({ facts }: { facts: NodeFacts }) {
  const [filter, setFilter] = useState(NO_FILTER);
  const [tops, setTops] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const top = tops.at(-1);
  const isPlain = isEmptyFilter(filter);
  const page = useAnswer(['log', filter, top], async () => {
    const end = top ?? (moment.value === undefined ? undefined : await positionOf(moment.value));
    const read = await readLog(filter, isPlain ? 1 : PAGE, end);
    return { ...read, count: Number(end ?? read.head) };
  });
  const change = (part: Partial<LogFilter>): void => {
    setFilter({ ...filter, ...part });
    setTops([]);
  };
  const next = page.state === 'there' ? page.value.next : null;
  return (
    <>
      <Title
        side={
          <span class="row">
            <OpenFile />
            <Action label="Export these events" run={() => exportEvents(filter, facts)} />
          </span>
        }
      >
        Log
      </Title>
      {facts.is_dev && moment.value !== undefined && <BranchFrom height={moment.value} />}
      {facts.is_dev && <Branches />}
      <Card
        title={page.state === 'there' ? `${groupedText(BigInt(page.value.head))} events in all` : 'Events'}
        id="list"
        actions={
          !isPlain && (
            <span class="pages">
              <button type="button" disabled={tops.length === 0} onClick={() => setTops(tops.slice(0, -1))}>
                Newer
              </button>
              <button type="button" disabled={next === null} onClick={() => next !== null && setTops([...tops, next])}>
                Older
              </button>
            </span>
          )
        }
      >
        <LogConditions filter={filter} change={change} />
        <Shown answer={page} lines={12}>
          {({ events, count }) => {
            const common = {
              chosen,
              choose: setChosen,
              read: readEvent,
              actions: (event: LogEvent) => <Actions event={event} isDev={facts.is_dev} />,
            };
            return isPlain ? (
              <Virtual count={count} label="Events">
                {(rows) => <Rows count={count} rows={rows} common={common} />}
              </Virtual>
            ) : (
              <Events events={events} {...common} />
            );
          }}
        </Shown>
      </Card>
    </>
  );
}

function Rows({
  count,
  rows: { ranks, isAside },
  common,
}: {
  count: number;
  rows: VirtualRows;
  common: Omit<EventsProps, 'events'>;
}) {
  const { valueOf, failure } = useRanks(['log-rows'], count, ranks, (page) => {
    const start = page * RANKS_PER_PAGE;
    return readPositions(start + 1, Math.min(count, start + RANKS_PER_PAGE));
  });
  const events = ranks.map(valueOf).filter((event) => event !== undefined);
  if (failure !== undefined) return <Callout kind="bad">{failure}</Callout>;
  if (events.length === 0) return <p class="empty">…</p>;
  return <Events {...common} events={events} isAside={(event) => isAside(Number(event.position) - 1)} />;
}

function OpenFile() {
  const [problem, setProblem] = useState('');
  const open = (file: File | undefined): void => {
    setProblem('');
    if (file !== undefined) openLog(file).catch((error: unknown) => setProblem(messageOf(error)));
  };
  return (
    <>
      <label class="button">
        Open a file of log export
        <input
          id="log-file"
          type="file"
          class="unseen"
          accept=".ndjson,.json,.jsonl,.txt"
          onChange={(event) => open(event.currentTarget.files?.[0])}
        />
      </label>
      <span role="status" class="outcome bad">
        {problem}
      </span>
    </>
  );
}

function Actions({ event, isDev }: { event: LogEvent; isDev: boolean }) {
  if (event.height === null || event.abandoned === true || event.type !== 'BlockExecuted') return null;
  const height = BigInt(event.height);
  return (
    <>
      <div class="row">
        <To route={{ view: 'changes', from: (height - 1n).toString(), to: height.toString() }}>What it changed</To>
        {isDev && height < headHeight.value && moment.value === undefined && (
          <Action label={`Take the chain back to block ${height}`} run={() => takeBack(height)} />
        )}
      </div>
      {isDev && <BranchFrom height={height} />}
    </>
  );
}

async function takeBack(height: bigint): Promise<string> {
  if (!confirm(`Take the chain back to block ${height}? Later blocks are abandoned; the log keeps them.`)) return '';
  await ask('debug_setHead', hexOf(height));
  lookNow();
  return `The chain is at block ${height} again.`;
}

async function exportEvents(filter: LogFilter, facts: NodeFacts): Promise<string> {
  const { events } = await readLog(filter, EXPORTED, undefined);
  const whole = events.map((event) => JSON.stringify(event)).join('\n');
  download(`${facts.chain_id}-log.ndjson`, `${whole}\n`);
  return `The newest ${events.length} of them downloaded.`;
}
