import { expect, test } from 'vitest';
import { presets } from '../../../src/core/app/presets.js';
import { describeChange } from '../../../src/core/inspection/describe-row.js';
import type { Spelling } from '../../../src/core/inspection/row-form.js';
import { STATE_TABLE } from '../../../src/core/inspection/state-table.js';
import { DevChain } from '../app/dev-chain.js';
import { goldenLines, hasGolden } from '../../support/golden.js';

const spelling: Spelling = { bech32Prefix: 'cosmos', nameOf: () => undefined };

interface Line {
  readonly s?: string;
  readonly k: string;
  readonly v: string;
}

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

test('every store of every preset has an entry in the state table', () => {
  const stores = Object.values(presets).flatMap(({ stores: own, upgrades }) => [
    ...own,
    ...[...upgrades.values()].flatMap(({ added }) => added),
  ]);
  expect(stores.filter((store) => STATE_TABLE[store] === undefined)).toEqual([]);
});

test.skipIf(!hasGolden)('the state table names the key and the fields of every row of a recorded state', () => {
  const odd: string[] = [];
  let rows = 0;
  for (const { s: store, k, v } of goldenLines<Line>('chain-a/state-000224.jsonl')) {
    if (store === undefined) continue;
    rows += 1;
    const key = bytes(k);
    const value = bytes(v);
    const made = describeChange({ store, key, before: undefined, after: value }, spelling);
    const isText = made.fields.every(({ name, after }) => name !== '' || after !== `0x${v}`);
    if (made.row === undefined || (!isText && !BYTES.has(made.row))) odd.push(`${store} ${k} ${made.row}`);
    const same = describeChange({ store, key, before: value, after: value }, spelling);
    expect(same.fields).toEqual([]);
  }
  expect(odd).toEqual([]);
  expect(rows).toBeGreaterThan(500);
});

test('the state table names the key of every row of a new chain of preset chronicle', () => {
  const unnamed = new DevChain().genesisWrites.flatMap(({ store, key, value }) =>
    value === undefined || describeChange({ store, key, before: undefined, after: value }, spelling).row !== undefined
      ? []
      : [`${store} ${Buffer.from(key).toString('hex')}`],
  );
  expect(unnamed).toEqual([]);
});

/** Rows whose values have no structure beyond bytes. */
const BYTES: ReadonlySet<string> = new Set([
  'code',
  'code hash',
  'storage',
  'missed blocks',
  'pair of contract',
  'pair of denom',
  'unbonding id',
  'block hashes',
]);
