/** `debug compare-chain` on a recording of a node of this program, and on changed copies of it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { call } from './comet-client.js';
import { signedEither } from './load.js';

const SENDS = 6n;
const folder = temporaryFolder();
let heights = 0;

interface Line {
  readonly height: number;
  readonly block: {
    readonly block: { readonly header: { app_hash: string }; readonly data: { readonly txs: string[] } };
  };
  readonly block_results: { readonly txs_results: { gas_used: string }[] | null; app_hash: string };
}

/** Records a chain with transfers of both kinds, as docs/COMPARE.md says. */
beforeAll(async () => {
  const daemon = await startDaemonProcess({ args: [] });
  const { comet } = daemon.endpoints;
  for (let sequence = 0n; sequence < SENDS; sequence += 1n)
    await call(comet, 'broadcast_tx_commit', { tx: signedEither(0, sequence).tx });
  await promisify(execFile)(process.execPath, ['scripts/record-chain.js', comet, folder]);
  heights = readFileSync(join(folder, 'blocks.jsonl'), 'utf8').trimEnd().split('\n').length;
  await daemon.kill('SIGTERM');
}, 60_000);

/** The recording with one line changed. */
function changed(height: number, change: (line: Line) => void): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  const lines = readFileSync(join(copy, 'blocks.jsonl'), 'utf8').split('\n');
  const line: Line = JSON.parse(lines[height - 1] ?? '');
  change(line);
  lines[height - 1] = JSON.stringify(line);
  writeFileSync(join(copy, 'blocks.jsonl'), lines.join('\n'));
  return copy;
}

const compare = (directory: string, ...flags: readonly string[]) =>
  chronicledHere(['debug', 'compare-chain', directory, '--preset', 'chronicle', ...flags]);

describe('debug compare-chain', () => {
  it('finds the recorded app hashes, results and events when it executes the chain from its genesis', async () => {
    expect(heights).toBeGreaterThan(Number(SENDS));
    const { code, stdout } = await compare(folder);
    // The next header would hold the app hash of the last height.
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${heights - 1} of ${heights - 1} app hashes equal\n` });
  });

  it('reads a compressed recording', async () => {
    const copy = temporaryFolder();
    cpSync(join(folder, 'genesis.json'), join(copy, 'genesis.json'));
    writeFileSync(join(copy, 'blocks.jsonl.gz'), gzipSync(readFileSync(join(folder, 'blocks.jsonl'))));
    expect(await compare(copy)).toMatchObject({ code: 0 });
  });

  it('compares recorded roots and writes, and names the first difference', async () => {
    const copy = temporaryFolder();
    cpSync(folder, copy, { recursive: true });
    writeFileSync(
      join(copy, 'store-hashes.jsonl'),
      `${JSON.stringify({ height: 2, app_hash: '00', changed: { bank: '00' } })}\n`,
    );
    writeFileSync(join(copy, 'writes.jsonl'), `${JSON.stringify({ height: 2, writes: { acc: [['ff', '01']] } })}\n`);
    const { code, stdout } = await compare(copy);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^height 2: store acc, key [0-9a-f]+: ours [0-9a-f]+, recorded not written$/m);
    expect(stdout).toMatch(/^height 2: store bank: root ours [0-9A-F]{64}, recorded 00$/m);
  });

  it('names height and place of a changed result, app hash or transaction', async () => {
    const gas = await compare(
      changed(2, (line) => (((line.block_results.txs_results ?? [])[0] ?? { gas_used: '' }).gas_used = '7')),
    );
    expect(gas.code).toBe(1);
    expect(gas.stdout).toMatch(/^height 2: transaction 0: gas used: ours [0-9]+, recorded 7\n/);
    expect(gas.stdout).toContain(`${heights - 1} of ${heights - 1} app hashes equal\n`);

    const hash = await compare(changed(4, (line) => (line.block.block.header.app_hash = 'AB'.repeat(32))));
    expect(hash.code).toBe(1);
    expect(hash.stdout).toMatch(/^height 3: app hash: ours [0-9A-F]{64}, recorded (AB){32}\n/);
    expect(hash.stdout).toContain(`2 of ${heights - 1} app hashes equal\n`);

    const tx = await compare(changed(3, (line) => line.block.block.data.txs.splice(0)));
    expect(tx.code).toBe(1);
    expect(tx.stdout).toMatch(/^height 3: transaction 0: not executed\n/);
  });

  it('refuses an unreadable recording with file, line and reason', async () => {
    const broken = changed(2, () => undefined);
    writeFileSync(join(broken, 'blocks.jsonl'), '{"height":1}\n');
    expect(await compare(broken)).toMatchObject({ code: 1, stderr: expect.stringMatching(/blocks\.jsonl, line 1: /) });
    rmSync(join(broken, 'blocks.jsonl'));
    expect(await compare(broken)).toMatchObject({ code: 1, stderr: expect.stringContaining('has no blocks.jsonl') });
    expect(await compare(folder, '--evm-chain-id', '0x1')).toMatchObject({ code: 2 });
    expect(await chronicled(['debug', 'compare-chain', folder, '--preset', 'none'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unknown preset none'),
    });
  });
});
