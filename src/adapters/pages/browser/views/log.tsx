/**
 * The log: every event by stream, type, height, transaction and cause; one in words and as bytes; an export, and in dev
 * mode the way back to a block. Asks: `chronicle_logEvents`, `rpc_discover` (names of types), `debug_setHead`.
 */
import { useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { download } from '../data/download.js';
import { ask, hexOf } from '../data/ethereum.js';
import { groupedText } from '../data/format.js';
import { type LogEvent, type LogFilter, NO_FILTER, positionOf, readEvent, readLog } from '../data/log.js';
import type { NodeFacts } from '../data/node-facts.js';
import { headHeight, lookNow, moment } from '../data/store.js';
import { Action, Badge, BlockLink, Callout, Card, Code, Shown, Title, To, When } from '../parts/basic.js';
import { Json } from '../parts/json.js';

const PAGE = 50;
/** Events of a file that is exported. */
const EXPORTED = 1_000;

const STREAMS = ['chain', 'mempool', 'upgrade', 'filters', 'node'];

/** The view of the log. */
export function LogView({ facts }: { facts: NodeFacts }) {
  const [filter, setFilter] = useState(NO_FILTER);
  const [tops, setTops] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const top = tops.at(-1);
  const types = useAnswer(['log-types'], readTypes, { isFixed: true });
  const page = useAnswer(['log', filter, top], async () => {
    const end = top ?? (moment.value === undefined ? undefined : await positionOf(moment.value));
    return await readLog(filter, PAGE, end);
  });
  const change = (part: Partial<LogFilter>): void => {
    setFilter({ ...filter, ...part });
    setTops([]);
  };
  const next = page.state === 'there' ? page.value.next : null;
  return (
    <>
      <Title side={<Action label="Export these events" run={() => exportEvents(filter, facts)} />}>Log</Title>
      <Card
        title={page.state === 'there' ? `${groupedText(BigInt(page.value.head))} events in all` : 'Events'}
        id="list"
        actions={
          <span class="pages">
            <button type="button" disabled={tops.length === 0} onClick={() => setTops(tops.slice(0, -1))}>
              Newer
            </button>
            <button type="button" disabled={next === null} onClick={() => next !== null && setTops([...tops, next])}>
              Older
            </button>
          </span>
        }
      >
        <div class="row query">
          <Choice label="Stream" value={filter.stream} options={STREAMS} set={(stream) => change({ stream })} />
          <Choice
            label="Type"
            value={filter.type}
            options={types.state === 'there' ? types.value : []}
            set={(type) => change({ type })}
          />
          {(['height', 'tx', 'cause'] as const).map((name) => (
            <label key={name} class="field">
              <span>{name === 'tx' ? 'transaction' : name}</span>
              <input
                value={filter[name]}
                spellcheck={false}
                autocomplete="off"
                onChange={(event) => change({ [name]: event.currentTarget.value })}
              />
            </label>
          ))}
        </div>
        <Shown answer={page} lines={12}>
          {({ events }) => <Events events={events} chosen={chosen} choose={setChosen} isDev={facts.is_dev} />}
        </Shown>
      </Card>
    </>
  );
}

function Choice({
  label,
  value,
  options,
  set,
}: {
  label: string;
  value: string;
  options: readonly string[];
  set: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">all</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Names of the types of events, from the description of the method. */
async function readTypes(): Promise<readonly string[]> {
  const document = await ask<unknown>('rpc_discover');
  const text = JSON.stringify(document);
  const found = /"types":\{"type":"array","items":\{"type":"string","enum":(\[[^\]]*\])/.exec(text)?.[1];
  return found === undefined ? [] : (JSON.parse(found) as readonly string[]);
}

function Events({
  events,
  chosen,
  choose,
  isDev,
}: {
  events: readonly LogEvent[];
  chosen: string | undefined;
  choose: (position: string | undefined) => void;
  isDev: boolean;
}) {
  if (events.length === 0) return <p class="empty">No event matches.</p>;
  return (
    <ul class="events log">
      {events.map((event) => {
        const isOpen = chosen === event.position;
        return (
          <li key={event.position}>
            <div class="frame">
              <button
                type="button"
                class="quiet call"
                aria-expanded={isOpen}
                onClick={() => choose(isOpen ? undefined : event.position)}
              >
                <code>{event.position}</code>
              </button>
              <Badge kind={KINDS[event.stream] ?? 'plain'}>{event.type}</Badge>
              <span class="text">{event.line}</span>
              {event.abandoned && <Badge kind="warn">taken back</Badge>}
              <span class="gas">
                {event.height !== null && !event.abandoned && (
                  <>
                    block <BlockLink height={event.height} />,{' '}
                  </>
                )}
                <When milliseconds={Number(BigInt(event.time) / 1_000_000n)} />
              </span>
            </div>
            {isOpen && <Whole event={event} isDev={isDev} />}
          </li>
        );
      })}
    </ul>
  );
}

const KINDS: Readonly<Record<string, string>> = { chain: 'accent', mempool: 'cosmos', upgrade: 'warn', node: 'good' };

function Whole({ event, isDev }: { event: LogEvent; isDev: boolean }) {
  const [isRaw, setRaw] = useState(false);
  const answer = useAnswer(
    ['event', event.position, isRaw],
    () => readEvent(event.position, isRaw ? 'raw' : 'decoded'),
    {
      isFixed: true,
    },
  );
  const height = event.height === null ? undefined : BigInt(event.height);
  return (
    <div class="stack whole-event">
      <p class="muted">
        {event.stream} {event.streamPosition}, version {event.v}
        {event.cause !== '' && `, caused by ${event.cause}`}
      </p>
      <div class="choices" role="group" aria-label="Form of the data">
        <button type="button" aria-pressed={!isRaw} onClick={() => setRaw(false)}>
          in words
        </button>
        <button type="button" aria-pressed={isRaw} onClick={() => setRaw(true)}>
          as bytes
        </button>
      </div>
      <Shown answer={answer}>
        {(whole) =>
          whole?.data === undefined ? (
            <Callout>The data of this event is too long to be shown.</Callout>
          ) : isRaw ? (
            <Code text={JSON.stringify(whole.data, undefined, 2)} what="data of the event" />
          ) : (
            <Json value={whole.data} />
          )
        }
      </Shown>
      {height !== undefined && !event.abandoned && event.type === 'BlockExecuted' && (
        <div class="row">
          <To route={{ view: 'changes', from: (height - 1n).toString(), to: height.toString() }}>What it changed</To>
          {isDev && height < headHeight.value && moment.value === undefined && (
            <Action label={`Take the chain back to block ${height}`} run={() => takeBack(height)} />
          )}
        </div>
      )}
    </div>
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
