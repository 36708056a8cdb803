/**
 * Compiles `scripts/preinstalls` to `src/core/genesis/preinstall-code.ts`, the code that the dev genesis holds at
 * known addresses: `node scripts/compile-preinstalls.js`. Run it by hand after an edit; npx downloads the compiler.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'scripts', 'preinstalls');
const files = readdirSync(folder).filter((name) => name.endsWith('.sol'));

const input = {
  language: 'Solidity',
  sources: Object.fromEntries(files.map((name) => [name, { content: readFileSync(join(folder, name), 'utf8') }])),
  settings: {
    evmVersion: 'cancun',
    optimizer: { enabled: true, runs: 200 },
    // The metadata hash covers comments, so each edit of a comment would change the code.
    metadata: { appendCBOR: false, bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
  },
};
const output = execFileSync('npx', ['-y', '-p', 'solc@0.8.30', 'solcjs', '--standard-json'], {
  input: JSON.stringify(input),
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const { errors = [], contracts } = JSON.parse(output.slice(output.indexOf('{')));
const failed = errors.filter(({ severity }) => severity === 'error');
if (failed.length > 0) throw new Error(failed.map(({ formattedMessage }) => formattedMessage).join('\n'));

const constants = files.map((file) => {
  const name = file.replace('.sol', '');
  const code = contracts[file][name].evm.deployedBytecode.object;
  return `/** \`scripts/preinstalls/${file}\`. */\nexport const ${name.toUpperCase()} =\n  '0x${code}';\n`;
});
writeFileSync(
  join(root, 'src', 'core', 'genesis', 'preinstall-code.ts'),
  `/** Code of contracts, written by \`scripts/compile-preinstalls.js\` with solc 0.8.30. */\n\n${constants.join('\n')}`,
);
