/** Who hears what inside of a node, as a picture and as a table. */
import { useState } from 'preact/hooks';
import type { Actors } from '../data/inside.js';
import { pictureOf } from '../data/wiring.js';
import { Table } from './layout.js';

/** The picture; a name under the pointer shows its own lines. */
export function Wiring({ view }: { view: Actors }) {
  const [chosen, setChosen] = useState('');
  const picture = pictureOf(view.consumers);
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
          {picture.consumers.map(({ name, x, y, phase }) => (
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
            columns={['Consumer', 'Phase', 'Hears']}
            rows={view.consumers.map(({ consumer, phase, hears }) => ({
              key: consumer,
              cells: [consumer, phase, hears.join(', ')],
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
