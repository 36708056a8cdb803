/**
 * Health: what the node says of itself, charts of its metrics, and a report of a bug to download.
 * Asks: `/health` and `/metrics` of the metrics face, `/status`, `web3_clientVersion`, `chronicle_logEvents`.
 */
import { useEffect, useState } from 'preact/hooks';
import { useAnswer, useLive } from '../data/answer.js';
import { bugReport } from '../data/bug-report.js';
import { download } from '../data/download.js';
import { comet, statusOf } from '../data/faces.js';
import { readHealth } from '../data/health.js';
import { groupedText, sizeText } from '../data/format.js';
import { type Metric, metricsOf, valueOfMetric } from '../data/metrics.js';
import type { NodeFacts } from '../data/node-facts.js';
import { fetchNode } from '../data/origin.js';
import { Action } from '../parts/actions.js';
import { Callout, Shown } from '../parts/answers.js';
import { Card, Pairs, Table, Title } from '../parts/layout.js';
import { Badge } from '../parts/values.js';
import { Line, type Point } from '../parts/chart.js';

/** Points of a chart that are kept. */
const POINTS = 120;

interface Sample {
  readonly at: number;
  readonly metrics: readonly Metric[];
}

const CHARTS: readonly (readonly [
  title: string,
  name: string,
  kind: 'level' | 'rate',
  text: (value: number) => string,
])[] = [
  ['Memory', 'process_resident_memory_bytes', 'level', sizeText],
  ['Heap', 'nodejs_heap_size_used_bytes', 'level', sizeText],
  ['Processor', 'process_cpu_seconds_total', 'rate', (value) => `${(value * 100).toFixed(1)}%`],
  ['Blocks each second', 'chronicle_height', 'rate', (value) => value.toFixed(2)],
  ['Log events each second', 'chronicle_log_position', 'rate', (value) => value.toFixed(1)],
  ['Files of log and state', 'chronicle_data_bytes', 'level', sizeText],
  ['Free on the disk', 'chronicle_disk_free_bytes', 'level', sizeText],
  ['Waiting transactions', 'chronicle_mempool_txs', 'level', (value) => groupedText(Math.round(value))],
];

/** The view of the node's health. */
export function Health({ facts }: { facts: NodeFacts }) {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const [isAll, setAll] = useState(false);
  const metrics = useLive(read);
  const value = metrics.state === 'there' ? metrics.value : undefined;
  useEffect(() => {
    if (value !== undefined)
      setSamples((before) => [...before, { at: performance.now(), metrics: value }].slice(-POINTS));
  }, [value]);
  const health = useAnswer(['health'], async () => {
    const one = await readHealth();
    if (one === null) throw new Error('the metrics of this node are not open');
    return one;
  });
  const status = useAnswer(['status'], () => comet<Status>('status').catch(() => null));
  const newest = samples.at(-1)?.metrics ?? [];
  return (
    <>
      <Title>Health</Title>
      <Card title="Node">
        <Shown answer={health}>
          {(one) => (
            <Pairs
              rows={[
                ['State', <Badge kind={one.isWell ? 'good' : 'bad'}>{one.status}</Badge>],
                ['Reason', one.reason],
                ['Height', groupedText(one.height)],
                ['Position of the log', groupedText(one.position)],
                ['chronicled', facts.version],
              ]}
            />
          )}
        </Shown>
        <Shown answer={status}>
          {(one) =>
            one !== null && (
              <Pairs
                rows={[
                  ['Name', <span class="text">{one.node_info.moniker}</span>],
                  ['Node id', <code>{one.node_info.id}</code>],
                  ['First block kept', one.sync_info.earliest_block_height],
                  ['Catching up', one.sync_info.catching_up ? 'yes' : 'no'],
                ]}
              />
            )
          }
        </Shown>
      </Card>
      <Card title="Charts">
        <p class="muted">They begin when this page opens, and grow with each block.</p>
        {metrics.state === 'failed' && <Callout kind="bad">{metrics.message}</Callout>}
        <div class="charts">
          {CHARTS.map(([title, name, kind, text]) => (
            <Line key={name} title={title} points={pointsOf(samples, name, kind)} text={text} />
          ))}
        </div>
      </Card>
      <Card title="Report of a bug">
        <p class="muted">
          A file with version, chain, health, metrics and the newest events of the log. It has no key and no path of
          this machine; addresses and amounts of the chain are in it.
        </p>
        <Action label="Download a report" run={() => report(facts)} />
      </Card>
      <Card
        title="All metrics"
        id="list"
        actions={
          <button type="button" class="quiet" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
            {isAll ? 'Hide' : 'Show'}
          </button>
        }
      >
        {isAll && (
          <Table
            label="Metrics"
            columns={['Name', 'What', '>Value']}
            rows={newest.flatMap(({ name, help, samples: list }) =>
              list.map(({ labels, value }) => ({
                key: `${name} ${labels}`,
                cells: [<code>{labels === '' ? name : `${name}{${labels}}`}</code>, help, value.toString()],
              })),
            )}
          />
        )}
      </Card>
    </>
  );
}

interface Status {
  readonly node_info: { readonly id: string; readonly moniker: string };
  readonly sync_info: { readonly earliest_block_height: string; readonly catching_up: boolean };
}

async function read(): Promise<readonly Metric[]> {
  const answer = await fetchNode('/_page/metrics/metrics');
  if (statusOf(answer) === 404) throw new Error('the metrics of this node are not open');
  return metricsOf(await answer.text());
}

/** Values of a metric over time; rates are by second, between samples. */
function pointsOf(samples: readonly Sample[], name: string, kind: 'level' | 'rate'): readonly Point[] {
  const points = samples.flatMap(({ at, metrics }) => {
    const value = valueOfMetric(metrics, name);
    return value === undefined ? [] : [{ at, value }];
  });
  if (kind === 'level') return points.map(({ at, value }) => ({ label: `${at}`, value }));
  return points.slice(1).map(({ at, value }, index) => {
    const before = points[index] ?? { at, value };
    const seconds = (at - before.at) / 1_000;
    return { label: `${at}`, value: seconds > 0 ? Math.max(0, (value - before.value) / seconds) : 0 };
  });
}

async function report(facts: NodeFacts): Promise<string> {
  const text = await bugReport(facts);
  download(`chronicled-report-${facts.chain_id}.json`, text);
  return `${sizeText(text.length)} downloaded.`;
}
