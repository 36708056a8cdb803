/** Precompiles by name: their functions, and every event that their sources emit. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { itemOfLine } from '../../../src/core/abi/item.js';
import { typeText } from '../../../src/core/abi/type.js';
import { hex } from '../../../src/core/bytes/hex.js';
import { STATIC_CONTRACTS } from '../../../src/core/precompiles/contracts.js';
import { chainContracts } from '../../../src/core/precompiles/interfaces.js';
import { crypto } from '../app/support.js';

const known = chainContracts(crypto);
const items = [...known.values()].flatMap((contract) => contract.items);

test('each static precompile has a name and its functions, with the types of their signatures', () => {
  expect([...known.keys()]).toEqual(STATIC_CONTRACTS.map(({ address }) => hex(address)));
  for (const { address, functions } of STATIC_CONTRACTS) {
    const read = known.get(hex(address))?.items.filter(({ kind }) => kind === 'function') ?? [];
    const text = (types: (typeof read)[number]['inputs']): string => types.map(({ type }) => typeText(type)).join(',');
    expect(read.map(({ name, inputs, outputs }) => [`${name}(${text(inputs)})`, text(outputs)])).toEqual(
      functions.map(({ signature, outputs }) => [signature, outputs]),
    );
  }
});

test('each event that the sources emit is known', () => {
  const folder = join(import.meta.dirname, '../../../src/core/precompiles');
  const emitted = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'contract.ts' && !file.startsWith('token'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/emitLog\([^']*'([^']+)'/g)])
    .map(([, signature = '']) => signature);
  expect(emitted.length).toBeGreaterThan(15);
  const topics = new Set(items.map(({ selector }) => selector));
  expect(emitted.filter((line) => !topics.has(itemOfLine(crypto, 'event', line).selector))).toEqual([]);
});
