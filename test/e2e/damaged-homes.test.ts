/**
 * Homes of a real node, each damaged in one file and started. The node exits with 6 and a message, or it answers with
 * everything that it ever acknowledged. A crash, a missing answer, and another exit code are failures.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openLevelStore } from '../../src/store/leveldb/level-store.js';
import { DaemonDied, startDaemonProcess } from '../support/daemon.js';
import { seededRandom } from '../support/faulty-store.js';
import { removeFolder, temporaryFolder } from '../support/temporary.js';
import { call } from './comet-client.js';
import { signedSend } from './load.js';

const COUNT = Number(process.env['CHRONICLED_DAMAGES'] ?? 12);
const SEED = Number(process.env['CHRONICLED_TEST_SEED'] ?? 20_251_122);
const BLOCKS = 20;

type Damage = (bytes: Buffer, at: number) => Buffer | undefined;

/** `at` is an offset in the file; undefined removes it. */
const DAMAGES: Readonly<Record<string, Damage>> = {
  removed: () => undefined,
  cut: (bytes, at) => bytes.subarray(0, at),
  zeroed: (bytes, at) => bytes.fill(0, at, Math.min(at + 512, bytes.length)),
  flipped: (bytes, at) => bytes.fill((bytes[at] ?? 0) ^ 0x20, at, at + 1),
  overwritten: (bytes, at) => bytes.fill(0xa5, at, Math.min(at + 64, bytes.length)),
};

let home: string;
let hashes: readonly string[];

beforeAll(async () => {
  const daemon = await startDaemonProcess();
  home = daemon.home;
  const sent: string[] = [];
  for (let sequence = 0n; sequence < BLOCKS; sequence += 1n)
    sent.push(
      (
        await call<{ readonly hash: string }>(daemon.endpoints.comet, 'broadcast_tx_commit', {
          tx: signedSend(0, sequence).tx,
        })
      ).hash,
    );
  expect((await daemon.kill('SIGTERM')).code).toBe(0);
  // A table of the first run, and a write-ahead log of the second run.
  await (await openLevelStore(join(home, 'data', 'chronicle.db'), { create: false })).close();
  const again = await startDaemonProcess({ home });
  for (let sequence = BigInt(BLOCKS); sequence < 2 * BLOCKS; sequence += 1n)
    sent.push(
      (
        await call<{ readonly hash: string }>(again.endpoints.comet, 'broadcast_tx_commit', {
          tx: signedSend(0, sequence).tx,
        })
      ).hash,
    );
  expect((await again.kill('SIGTERM')).code).toBe(0);
  hashes = sent;
});

/** Exit of a start on a damaged home, or its answer for each transaction. */
async function outcome(target: string): Promise<{ readonly code: number | null; readonly stderr: string } | 'whole'> {
  try {
    const daemon = await startDaemonProcess({ home: target });
    try {
      for (const hash of hashes)
        await call(daemon.endpoints.comet, 'tx', { hash: Buffer.from(hash, 'hex').toString('base64') });
    } catch (error) {
      const { code } = await daemon.kill('SIGTERM');
      return { code, stderr: `${String(error)}\n${daemon.stderr()}` };
    }
    const { code } = await daemon.kill('SIGTERM');
    return code === 0 ? 'whole' : { code, stderr: daemon.stderr() };
  } catch (error) {
    if (error instanceof DaemonDied) return { code: error.exit.code, stderr: error.message };
    throw error;
  }
}

it('an undamaged home answers with everything that its node acknowledged', async () => {
  const target = temporaryFolder();
  cpSync(home, target, { recursive: true });
  expect(await outcome(target)).toBe('whole');
});

it(
  `a node on a damaged home exits with 6, or has lost nothing (${COUNT} homes, seed ${SEED})`,
  { timeout: 60_000 + COUNT * 10_000 },
  async () => {
    const random = seededRandom(SEED);
    const pick = <Value>(values: readonly Value[]): Value | undefined => values[Math.floor(random() * values.length)];
    const ends = new Map<string, number>();
    for (let round = 0; round < COUNT; round += 1) {
      const target = temporaryFolder();
      cpSync(home, target, { recursive: true });
      const folder = join(target, 'data', 'chronicle.db');
      const file =
        pick(
          readdirSync(folder).filter((name) => name !== 'LOCK' && !name.startsWith('LOG') && name !== 'INITIALIZED'),
        ) ?? '';
      const kind = pick(Object.keys(DAMAGES)) ?? '';
      const bytes = readFileSync(join(folder, file));
      const at = Math.floor(random() * bytes.length);
      const damaged = DAMAGES[kind]?.(bytes, at);
      if (damaged === undefined) rmSync(join(folder, file));
      else writeFileSync(join(folder, file), damaged);
      const found = await outcome(target);
      const name = file.endsWith('.ldb') ? 'table' : file.endsWith('.log') ? 'log' : file.replace(/-.*/, '');
      const end = `${name} ${kind}: ${found === 'whole' ? 'nothing lost' : found.code}`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      if (found !== 'whole') {
        expect(found.code, `${file} ${kind} at ${at}: ${found.stderr}`).toBe(6);
        expect(found.stderr).toMatch(/E_LOG_CORRUPT/);
      }
      removeFolder(target);
    }
    const shown = [...ends].map(([end, count]) => `  ${end} (${count})\n`);
    process.stdout.write(`${COUNT} damaged homes, seed ${SEED}\n${shown.join('')}`);
  },
);
