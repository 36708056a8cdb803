/**
 * The inside of the node, live: streams with their rates, who hears them, actors, and every subscription and filter.
 * Asks: `chronicle_actors`, `chronicle_subscriptions`, `chronicle_matchQuery`, in dev mode `chronicle_cutSubscription`
 * and `chronicle_stallSubscription`.
 */
import { useEffect, useState } from 'preact/hooks';
import { useLive } from '../data/answer.js';
import { ask } from '../data/ethereum.js';
import { groupedText } from '../data/format.js';
import type { Actors } from '../data/inside.js';
import type { NodeFacts } from '../data/node-facts.js';
import { clock, moment } from '../data/store.js';
import { Callout, Shown } from '../parts/answers.js';
import { Card, Title } from '../parts/layout.js';
import { Badge } from '../parts/values.js';
import { Listeners } from '../parts/listeners.js';
import { QueryTester } from '../parts/query-tester.js';
import { Wiring } from '../parts/wiring.js';

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
      <Listeners isDev={facts.is_dev} />
      <QueryTester />
    </>
  );
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
