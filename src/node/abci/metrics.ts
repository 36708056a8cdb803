import type { Counter, Gauge, Registry } from 'prom-client';
import type { AbciCounts } from '../../adapters/abci/index.js';

/** The classes of the metrics library, which is loaded by the first scrape. */
export interface MetricClasses {
  readonly Counter: typeof Counter;
  readonly Gauge: typeof Gauge;
}

/** Registers the counters of the ABCI server as metrics. */
export function addAbciMetrics(registry: Registry, { Counter, Gauge }: MetricClasses, counts: AbciCounts): void {
  const registers = [registry];
  new Gauge({
    name: 'chronicle_abci_connections',
    help: 'Open connections of the consensus engine, by their use.',
    labelNames: ['connection'],
    registers,
    collect() {
      for (const [connection, open] of counts.connections) this.set({ connection }, open);
    },
  });
  new Counter({
    name: 'chronicle_abci_requests_total',
    help: 'Requests of the consensus engine that were answered, by method.',
    labelNames: ['method'],
    registers,
    collect() {
      this.reset();
      for (const [method, { answered }] of counts.methods) this.inc({ method }, answered);
    },
  });
  new Counter({
    name: 'chronicle_abci_request_seconds_total',
    help: 'Time between requests of the consensus engine and their answers, by method.',
    labelNames: ['method'],
    registers,
    collect() {
      this.reset();
      for (const [method, { seconds }] of counts.methods) this.inc({ method }, seconds);
    },
  });
  const totals: readonly (readonly [string, string, () => number])[] = [
    ['chronicle_abci_ended_total', 'Connections that this side ended with a reason.', () => counts.ended],
    ['chronicle_abci_read_bytes_total', 'Bytes read from the consensus engine.', () => counts.bytesRead],
    ['chronicle_abci_written_bytes_total', 'Bytes written to the consensus engine.', () => counts.bytesWritten],
  ];
  for (const [name, help, read] of totals) {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}
