/** Parser of Prometheus text format. */

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly { readonly labels: string; readonly value: number }[];
}

/** Maximum number of lines parsed. */
const MOST_LINES = 5_000;

/** Parses metrics in order; skips invalid lines. */
export function metricsOf(text: string): readonly Metric[] {
  const metrics = new Map<string, { name: string; help: string; samples: { labels: string; value: number }[] }>();
  const of = (name: string) => {
    const known = metrics.get(name) ?? { name, help: '', samples: [] };
    metrics.set(name, known);
    return known;
  };
  for (const line of text.split('\n').slice(0, MOST_LINES)) {
    const [, named, help] = /^# HELP (\w+) (.*)$/.exec(line) ?? [];
    if (named !== undefined) of(named).help = help ?? '';
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)(?: \d+)?$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined && !Number.isNaN(Number(value)))
      of(name).samples.push({ labels, value: Number(value) });
  }
  return [...metrics.values()].filter(({ samples }) => samples.length > 0);
}

/** Value of a metric with a single sample; undefined if it is missing. */
export function valueOfMetric(metrics: readonly Metric[], name: string): number | undefined {
  return metrics.find((one) => one.name === name)?.samples[0]?.value;
}
