import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSignals, SIGNALS, STREAMS, WIRING } from '../../src/node/compose/wiring.js';
import { root } from '../package/installed-package.js';

/** Rows of the table in docs/ARCHITECTURE.md whose first column has this heading. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const lines = readFileSync(join(root, 'docs', 'ARCHITECTURE.md'), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test('docs/ARCHITECTURE.md lists the consumers and their streams in the order of the wiring table', () => {
  expect(rowsUnder('consumer')).toEqual(
    WIRING.map(({ consumer, phase, hears }) => [consumer, phase, hears.join(', ')]),
  );
});

test('docs/ARCHITECTURE.md lists every signal', () => {
  expect(rowsUnder('signal')).toEqual(SIGNALS.map(({ signal, says, hears }) => [signal, says, hears]));
});

test('the wiring table lists exactly the signals of the node', () => {
  expect(Object.keys(createSignals()).toSorted()).toEqual(SIGNALS.map(({ signal }) => signal).toSorted());
});

test('views get a record before actors, consensus last of them, and push after all', () => {
  const applied = WIRING.filter(({ phase }) => phase === 'applied').map(({ consumer }) => consumer);
  expect(applied.slice(0, 2)).toEqual(['ledger', 'stateCaches']);
  expect(applied.at(-1)).toBe('consensus');
  expect(WIRING.filter(({ phase }) => phase === 'published').map(({ consumer }) => consumer)).toEqual([
    'subscriptionRegistry',
    'feeds',
    'relay',
    'activityLog',
  ]);
});

test('every stream has a file of the same name and a consumer', () => {
  const files = readdirSync(join(root, 'src', 'streams', 'projections')).map((file) => file.replace(/\.ts$/, ''));
  expect(Object.keys(STREAMS).toSorted()).toEqual(files.toSorted());
  const heard = new Set<string>(WIRING.flatMap(({ hears }) => [...hears]));
  expect(Object.keys(STREAMS).filter((name) => !heard.has(name))).toEqual([]);
});
