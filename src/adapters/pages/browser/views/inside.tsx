/**
 * The inside of the node, live: streams with their rates, who hears them, actors, and every subscription and filter.
 * Asks: `chronicle_actors`, `chronicle_subscriptions`, `/tx_search`, `/block_search`, in dev mode `chronicle_cutSubscription`.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLive } from '../data/answer.js';
import { ask } from '../data/ethereum.js';
import { comet } from '../data/faces.js';
import { groupedText, sizeText } from '../data/format.js';
import type { NodeFacts } from '../data/node-facts.js';
import { clock, moment } from '../data/store.js';
import { type Hearer, pictureOf } from '../data/wiring.js';
import {
  Action,
  Badge,
  BlockLink,
  Callout,
  Card,
  fieldText,
  messageOf,
  Shown,
  Table,
  Title,
  TxId,
} from '../parts/basic.js';

interface Actors {
  readonly mode: string;
  readonly actors: readonly {
    readonly id: string;
    readonly mode: string;
    readonly inbox: number;
    readonly restarts: number;
  }[];
  readonly streams: readonly { readonly name: string; readonly events: string }[];
  readonly hearers: readonly Hearer[];
  readonly signals: readonly { readonly signal: string; readonly says: string; readonly hears: string }[];
}

interface Subscription {
  readonly id: string;
  readonly face: string;
  readonly client: string;
  readonly kind: string;
  readonly criteria: string;
  readonly state: string;
  readonly cursor: string | null;
  readonly delivered: number;
  readonly lag: number;
  readonly bytesWaiting: number;
}

interface Subscriptions {
  readonly subscriptions: readonly Subscription[];
  readonly filters: readonly {
    readonly id: string;
    readonly client: string | null;
    readonly kind: string;
    readonly criteria: string;
    readonly height: string;
    readonly lag: string;
    readonly expires: string;
  }[];
  readonly counts: { readonly subscriptions: number; readonly filters: number };
  readonly ended: readonly (Subscription & { readonly reason: string })[];
}

/** The view of the inside. */
export function Inside({ facts }: { facts: NodeFacts }) {
  const actors = useLive(() => ask<Actors>('chronicle_actors'));
  return (
    <>
      <Title>Inside</Title>
      {moment.value !== undefined && (
        <Callout kind="warn">
          This view shows the running process: it has no past, whatever moment the others show.
        </Callout>
      )}
      <Shown answer={actors} lines={10}>
        {(view) => (
          <>
            <ActorCards view={view} />
            <Card title="Who hears what" id="wiring">
              <Wiring view={view} />
            </Card>
          </>
        )}
      </Shown>
      <Listeners facts={facts} />
      {facts.ports.comet !== undefined && <Tester />}
    </>
  );
}

interface Matches {
  readonly query: string;
  readonly txs: readonly { readonly hash: string; readonly height: string }[];
  readonly txTotal: number;
  readonly blocks: readonly string[];
  readonly blockTotal: number;
}

/** Tries a query of the event language on what the chain holds, before a client subscribes with it. */
function Tester() {
  const form = useRef<HTMLFormElement>(null);
  const [matches, setMatches] = useState<Matches | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    const query = fieldText(form.current, 'query').trim();
    matchesOf(query).then(
      (found) => {
        setMatches(found);
        setProblem('');
      },
      (error: unknown) => setProblem(messageOf(error)),
    );
  };
  return (
    <Card title="Try a query" id="tester">
      <form class="row" ref={form} onSubmit={submit}>
        <input
          name="query"
          required
          aria-label="Query of a subscription"
          placeholder="message.action='/cosmos.bank.v1beta1.MsgSend' AND transfer.amount EXISTS"
          spellcheck={false}
          autocomplete="off"
        />
        <button>Match</button>
      </form>
      <div role="status">
        {problem !== '' && <p class="outcome bad">{problem}</p>}
        {matches !== undefined && problem === '' && (
          <Table
            label="What the query matches"
            columns={['What', '>Matched', 'Newest']}
            rows={[
              {
                key: 'txs',
                cells: [
                  'transactions',
                  groupedText(matches.txTotal),
                  matches.txs.map(({ hash }) => <TxId key={hash} hash={`0x${hash.toLowerCase()}`} />),
                ],
              },
              {
                key: 'blocks',
                cells: [
                  'blocks',
                  groupedText(matches.blockTotal),
                  matches.blocks.map((height) => (
                    <span key={height}>
                      <BlockLink height={height} />{' '}
                    </span>
                  )),
                ],
              },
            ]}
          />
        )}
      </div>
    </Card>
  );
}

/** Newest matches that are shown. */
const MATCHES = 5n;

async function matchesOf(query: string): Promise<Matches> {
  const page = { query, order_by: 'desc', page: 1n, per_page: MATCHES };
  const [txs, blocks] = await Promise.all([
    comet<{ readonly txs: Matches['txs']; readonly total_count: string }>('tx_search', page),
    comet<{
      readonly blocks: readonly { readonly block: { readonly header: { readonly height: string } } }[];
      readonly total_count: string;
    }>('block_search', page),
  ]);
  return {
    query,
    txs: txs.txs,
    txTotal: Number(txs.total_count),
    blocks: blocks.blocks.map(({ block }) => block.header.height),
    blockTotal: Number(blocks.total_count),
  };
}

function ActorCards({ view: { mode, actors, streams } }: { view: Actors }) {
  return (
    <>
      <div class="tiles">
        <Tile title="supervisor" mode={mode} />
        {actors.map(({ id, mode: state, inbox, restarts }) => (
          <Tile key={id} title={id} mode={state} inbox={inbox} restarts={restarts} />
        ))}
      </div>
      <Card title="Streams of the log" id="streams">
        <div class="tiles">
          {streams.map(({ name, events }) => (
            <Stream key={name} name={name} events={Number(events)} />
          ))}
        </div>
      </Card>
    </>
  );
}

function Tile({ title, mode, inbox, restarts }: { title: string; mode: string; inbox?: number; restarts?: number }) {
  return (
    <div class="tile">
      <strong>{title}</strong>
      <span>
        <Badge kind={/halt|fail|stopp|full/i.test(mode) ? 'bad' : 'good'}>{mode}</Badge>
      </span>
      {inbox !== undefined && (
        <span class="muted">
          {inbox === 0 ? 'nothing waits' : `${inbox} wait`}
          {restarts !== undefined && restarts > 0 && <Badge kind="warn">{`${restarts} restarts`}</Badge>}
        </span>
      )}
    </div>
  );
}

/** Samples from which a rate is made. */
const SAMPLES = 10;

function Stream({ name, events }: { name: string; events: number }) {
  const [samples, setSamples] = useState<readonly (readonly [at: number, events: number])[]>([]);
  const beat = clock.value;
  useEffect(() => {
    setSamples((before) => [...before, [beat, events] as const].slice(-SAMPLES));
  }, [beat]);
  const [first] = samples;
  const seconds = first === undefined ? 0 : (beat - first[0]) / 1_000;
  const rate = first === undefined || seconds <= 0 ? 0 : Math.max(0, (events - first[1]) / seconds);
  return (
    <div class="tile">
      <strong>{name}</strong>
      <span>{groupedText(events)} events</span>
      <span class="muted">{rate === 0 ? 'quiet' : `${rate.toFixed(1)} each second`}</span>
    </div>
  );
}

function Wiring({ view }: { view: Actors }) {
  const [chosen, setChosen] = useState('');
  const picture = pictureOf(view.hearers);
  const modes = new Map(view.actors.map(({ id, mode }) => [id, mode]));
  const kind = (one: string, other: string): string =>
    chosen === '' ? '' : chosen === one || chosen === other ? 'chosen' : 'faint';
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Picture of who hears what">
        <svg
          class="wiring"
          viewBox={`0 0 ${picture.width} ${picture.height}`}
          role="img"
          aria-label="Streams derived from the log at the left, those who hear them at the right; the table says the same"
        >
          {picture.lines.map(({ from, to }) => (
            <path
              key={`${from.name} ${to.name}`}
              class={kind(from.name, to.name)}
              d={`M${from.x} ${from.y}C${from.x + 140} ${from.y} ${to.x - 140} ${to.y} ${to.x} ${to.y}`}
            />
          ))}
          {picture.streams.map(({ name, x, y }) => (
            <g key={name} onPointerEnter={() => setChosen(name)} onPointerLeave={() => setChosen('')}>
              <circle cx={x} cy={y} r={5} />
              <text x={x - 12} y={y} text-anchor="end" dominant-baseline="central">
                {name}
              </text>
            </g>
          ))}
          {picture.hearers.map(({ name, x, y, phase }) => (
            <g key={name} onPointerEnter={() => setChosen(name)} onPointerLeave={() => setChosen('')}>
              <circle class={phase} cx={x} cy={y} r={5} />
              <text x={x + 12} y={y} dominant-baseline="central">
                {name}
                {modes.has(name) ? ` (${modes.get(name)})` : ''}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <p class="muted">
        A record is shown from above to below; those with a filled point before clients see it, the others after.
      </p>
      <details class="fold">
        <summary>The same as a table, and signals</summary>
        <div>
          <Table
            label="Who hears what"
            columns={['Hearer', 'Phase', 'Hears']}
            rows={view.hearers.map(({ hearer, phase, hears }) => ({
              key: hearer,
              cells: [hearer, phase, hears.join(', ')],
            }))}
          />
          <Table
            label="Signals"
            columns={['Signal', 'Says', 'Hears']}
            rows={view.signals.map(({ signal, says, hears }) => ({ key: signal, cells: [signal, says, hears] }))}
          />
        </div>
      </details>
    </>
  );
}

function Listeners({ facts }: { facts: NodeFacts }) {
  const answer = useLive(() => ask<Subscriptions>('chronicle_subscriptions'));
  const cut = async (id: string): Promise<string> =>
    (await ask<boolean>('chronicle_cutSubscription', id)) ? 'Cut.' : 'It is gone already.';
  return (
    <Shown answer={answer}>
      {({ subscriptions, filters, counts, ended }) => (
        <>
          <Card title={`Subscriptions (${counts.subscriptions})`} id="subscriptions">
            <Table
              label="Subscriptions"
              columns={[
                'Client',
                'Kind',
                'Criteria',
                'State',
                '>Delivered',
                '>Lag',
                '>Waiting',
                ...(facts.is_dev ? ['Command'] : []),
              ]}
              empty="No client has subscribed over a WebSocket."
              rows={subscriptions.map((one) => ({
                key: one.id,
                cells: [
                  `${one.face} ${one.client}`,
                  one.kind,
                  <span class="text">{one.criteria}</span>,
                  <Badge kind={one.lag > 0 ? 'warn' : 'good'}>{one.state}</Badge>,
                  groupedText(one.delivered),
                  groupedText(one.lag),
                  sizeText(one.bytesWaiting),
                  ...(facts.is_dev ? [<Action label="Cut" run={() => cut(one.id)} />] : []),
                ],
              }))}
            />
          </Card>
          <Card title={`Filters (${counts.filters})`} id="filters">
            <Table
              label="Filters"
              columns={['Id', 'Kind', 'Criteria', '>Height', '>Lag', ...(facts.is_dev ? ['Command'] : [])]}
              empty="No client has a polling filter."
              rows={filters.map((one) => ({
                key: one.id,
                cells: [
                  <code>{one.id}</code>,
                  one.kind,
                  <span class="text">{one.criteria}</span>,
                  one.height,
                  groupedText(one.lag),
                  ...(facts.is_dev ? [<Action label="Cut" run={() => cut(one.id)} />] : []),
                ],
              }))}
            />
          </Card>
          {ended.length > 0 && (
            <Card title="Ended lately" id="ended">
              <Table
                label="Subscriptions that ended"
                columns={['Client', 'Kind', 'Criteria', '>Delivered', 'Reason']}
                rows={ended.map((one, index) => ({
                  key: `${one.id} ${index}`,
                  cells: [
                    `${one.face} ${one.client}`,
                    one.kind,
                    <span class="text">{one.criteria}</span>,
                    groupedText(one.delivered),
                    <span class="text">{one.reason}</span>,
                  ],
                }))}
              />
            </Card>
          )}
        </>
      )}
    </Shown>
  );
}
