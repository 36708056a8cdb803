/**
 * Precompiles of the chain compared with a contract that writes its storage, and the replay of recorded chains with
 * every app hash checked. Measures processor time.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareChain } from '../build/cli/compare/compare-chain.js';
import { openRecordedChain } from '../build/cli/compare/recorded-chain.js';
import { createHostCrypto } from '../build/runtime/host/crypto.js';
import { inProcesses } from './processes.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROCESSES = 5;

async function replayFigures(crypto) {
  const cache = join(ROOT, 'node_modules/.cache');
  // unpacked by the tests
  const golden = (existsSync(cache) ? readdirSync(cache) : [])
    .filter((name) => name.startsWith('chronicle-recordings-'))
    .map((name) => join(cache, name, 'chain-a'));
  const folders = [
    ...golden
      .slice(0, 1)
      .map((folder) => ({ name: 'golden chain-a, 714 heights', folder, evmChainId: 262_144n, goal: '4' })),
    { name: 'chain uoak, 271 heights', folder: join(ROOT, 'test/fixtures/chains/uoak'), evmChainId: 4_321n },
  ];
  const figures = [];
  for (const { name, folder, evmChainId, goal } of folders) {
    if (!existsSync(folder)) continue;
    const before = process.cpuUsage();
    const recording = openRecordedChain(folder);
    const { equal, recorded, difference } = await compareChain({ recording, preset: 'evmd', evmChainId, crypto });
    const { user, system } = process.cpuUsage(before);
    if (difference !== undefined || equal !== recorded) throw new Error(`${name}: ${difference?.texts.join(', ')}`);
    figures.push({ name: `replay of ${name}`, value: (user + system) / 1e6, unit: 's CPU', ...(goal && { goal }) });
  }
  return figures;
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  return [
    ...(await inProcesses('one-state-calls', PROCESSES)),
    ...(await inProcesses('one-state-blocks', PROCESSES)),
    ...(await replayFigures(await createHostCrypto())),
  ];
}
