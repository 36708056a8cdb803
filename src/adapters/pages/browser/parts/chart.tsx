/** Charts as SVG: their points are read by a pointer, and summed up in words for readers of screens. */
import { useState } from 'preact/hooks';
import { groupedText } from '../data/format.js';

export interface Point {
  readonly label: string;
  readonly value: number;
}

const WIDTH = 240;
const HEIGHT = 56;

/** Bars of a row of values, the newest at the right. */
export function Bars({ title, points, text = (value) => groupedText(Math.round(value)) }: ChartProps) {
  const [at, setAt] = useState<number | undefined>(undefined);
  const maximum = Math.max(1, ...points.map(({ value }) => value));
  const step = WIDTH / Math.max(points.length, 1);
  const chosen = at === undefined ? points.at(-1) : points[at];
  return (
    <figure class="chart">
      <figcaption>
        <span>{title}</span>
        <strong>{chosen === undefined ? 'none' : text(chosen.value)}</strong>
        <small>{at === undefined ? '' : chosen?.label}</small>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title} of ${points.length} points, at most ${text(maximum)}`}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const index = Math.floor(((event.clientX - box.left) / box.width) * points.length);
          setAt(Math.min(points.length - 1, Math.max(0, index)));
        }}
        onPointerLeave={() => setAt(undefined)}
      >
        {points.map(({ label, value }, index) => {
          const height = value === 0 ? 1 : Math.max(2, (value / maximum) * HEIGHT);
          return (
            <rect
              key={label}
              class={at === index ? 'chosen' : value === 0 ? 'zero' : ''}
              x={index * step + step * 0.1}
              y={HEIGHT - height}
              width={step * 0.8}
              height={height}
              rx={Math.min(1.5, step * 0.3)}
            />
          );
        })}
      </svg>
    </figure>
  );
}

interface ChartProps {
  title: string;
  points: readonly Point[];
  /** Text of a value. */
  text?: (value: number) => string;
}

/** A line through a row of values, the newest at the right. */
export function Line({ title, points, text = (value) => groupedText(Math.round(value)) }: ChartProps) {
  const values = points.map(({ value }) => value);
  const maximum = Math.max(...values, 0);
  const least = Math.min(...values, maximum);
  const span = maximum - least || 1;
  const place = (value: number, index: number): string =>
    `${((index / Math.max(points.length - 1, 1)) * WIDTH).toFixed(1)},${(HEIGHT - 3 - ((value - least) / span) * (HEIGHT - 6)).toFixed(1)}`;
  const line = values.map(place).join(' ');
  return (
    <figure class="chart">
      <figcaption>
        <span>{title}</span>
        <strong>{values.length === 0 ? 'none' : text(values.at(-1) ?? 0)}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}, from ${text(least)} to ${text(maximum)}`}
      >
        {values.length > 1 && (
          <>
            <polygon class="area" points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} />
            <polyline points={line} />
          </>
        )}
      </svg>
    </figure>
  );
}
