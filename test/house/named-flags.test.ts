import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../package/installed-package.js';

const FLAG = /(?<![\w-])--[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*/g;
/** Text behind a flag where it is declared: the end, a value, another name, or a comma. */
const DECLARED = /(?:flag:|option\(|Option\()\s*\n?\s*(?:'[^']*'\s*,\s*)?'([^']*--[^']*)'/g;

/** Flags of CometBFT, which messages about an engine outside of the process name. */
const OF_COMETBFT = ['--proxy_app'];
/** Flags of foundry's cast, in requests that the application for browsers shows. */
const OF_CAST = ['--rpc-url'];
/** Flags of evmd, which its own words for a refusal name under the preset `evmd`. */
const OF_EVMD = ['--gas-price'];
/** A flag of the compiler of Solidity. */
const OF_SOLC = ['--standard-json'];
/** A flag of V8. */
const OF_V8 = ['--heap-growing-percent'];

/** The list of flags that are missing here. */
const OF_THE_GO_NODE = join('cli', 'line', 'missing-flags.ts');

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith(join('core', 'proto')) && file !== OF_THE_GO_NODE)
  .map((file) => ({ file, text: readFileSync(join(root, 'src', file), 'utf8') }));

/** Text without comments: those may name the flags of other programs. */
function code(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

test('every flag that a message of the program names exists', () => {
  const declared = new Set([
    '--help',
    '--version',
    ...OF_COMETBFT,
    ...OF_EVMD,
    ...OF_SOLC,
    ...OF_V8,
    ...OF_CAST,
    ...files.flatMap(({ text }) => [...code(text).matchAll(DECLARED)].flatMap(([, one = '']) => one.match(FLAG) ?? [])),
  ]);
  expect(declared.size).toBeGreaterThan(80);
  const unknown = files.flatMap(({ file, text }) =>
    (code(text).match(FLAG) ?? []).filter((flag) => !declared.has(flag)).map((flag) => `${file}: ${flag}`),
  );
  expect(unknown).toEqual([]);
});
