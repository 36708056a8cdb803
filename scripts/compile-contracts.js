// Compiles test/contracts/*.sol to test/contracts/contracts.json: `node scripts/compile-contracts.js`.
// Run it by hand after an edit. `npx -y -p solc@0.8.30` downloads the compiler, so the tests need none.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../test/contracts/', import.meta.url));
const output = mkdtempSync(join(tmpdir(), 'chronicle-solc-'));
try {
  execFileSync(
    'npx',
    [
      '-y',
      '-p',
      'solc@0.8.30',
      'solcjs',
      '--bin',
      '--abi',
      '--optimize',
      '--base-path',
      folder,
      '-o',
      output,
      ...readdirSync(folder).flatMap((file) => (file.endsWith('.sol') ? join(folder, file) : [])),
    ],
    { stdio: 'inherit' },
  );
  const contracts = {};
  for (const file of readdirSync(output).sort()) {
    const name = /_([A-Za-z]+)\.(?:bin|abi)$/.exec(file)?.[1];
    if (name === undefined) continue;
    const content = readFileSync(join(output, file), 'utf8');
    // interfaces have no code
    if (readFileSync(join(output, file.replace(/abi$/, 'bin')), 'utf8') === '') continue;
    contracts[name] = {
      ...contracts[name],
      ...(file.endsWith('.abi') ? { abi: JSON.parse(content) } : { bytecode: `0x${content}` }),
    };
  }
  writeFileSync(join(folder, 'contracts.json'), `${JSON.stringify(contracts, undefined, 1)}\n`);
} finally {
  rmSync(output, { recursive: true, force: true });
}
