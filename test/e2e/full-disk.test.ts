/**
 * A full disk and the poison rule (src/store/leveldb/checked-store.ts). When a write fails, the node exits with a
 * message; when there is space again, it starts with everything that it acknowledged. A limit on the size of files,
 * which the kernel enforces as a failed write, or a small tmpfs stands for the disk.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { chronicled } from '../support/command.js';
import { startDaemonProcess, type DaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { call, latestHeight } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';
import { KillRounds } from './kill-rounds.js';
import { signedEthereum, signedSend } from './load.js';

const KIB = 400;

it.skipIf(process.platform === 'win32' || !existsSync('/bin/bash'))(
  'a node exits with E_STORAGE when a write fails, and loses nothing acknowledged (needs bash)',
  async () => {
    const rounds = new KillRounds();
    for (const life of [1, 2]) {
      const { exit, stderr, errors } = await rounds.fillDisk(KIB * life);
      expect(exit, stderr).toEqual({ code: 1, signal: null });
      expect(stderr).toMatch(/E_STORAGE: The database failed\.\n.+\n.*Check the disk/);
      expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
      // Clients learn that the write failed, but do not get the paths of the files.
      for (const error of errors) expect(error).not.toMatch(/\/|\.ldb|\.log|MANIFEST/);
    }
    expect(rounds.acknowledged).toBeGreaterThan(50);
    const verified = await chronicled(['log', 'verify', '--execute', '--home', rounds.home]);
    expect(verified, verified.stderr).toMatchObject({ code: 0 });
    await rounds.finish();
  },
);

/** True if this user may mount a tmpfs that only the process and its children see. */
const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;
const DISK_BYTES = 64 * 1024 * 1024;

/** Polls `/health` until it answers this status. */
async function untilHealth({ endpoints: { metrics } }: DaemonProcess, status: string): Promise<number> {
  for (;;) {
    const response = await fetch(`${metrics}/health`);
    const body = (await response.json()) as { readonly status: string };
    if (body.status === status) return response.status;
  }
}

it.skipIf(!canMount)(
  'a node on a full disk pauses, shows the reason on every face, and resumes (needs mount rights)',
  async () => {
    const home = temporaryFolder();
    const mount = `mount -t tmpfs -o size=${DISK_BYTES} tmpfs '${home}' && exec "$0" "$@"`;
    const daemon = await startDaemonProcess({
      home,
      args: ['--block-time', '0.1'],
      launch: ['unshare', '-m', 'bash', '-c', mount, process.execPath],
    });
    const { comet, eth_http: ethereum = '', rest } = daemon.endpoints;
    const disk = `/proc/${daemon.pid}/root${home}`;
    await call(comet, 'broadcast_tx_commit', { tx: signedSend(0, 0n).tx });

    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(`${disk}/filler`, Buffer.alloc(bavail * bsize - DISK_BYTES / 10));
    expect(await untilHealth(daemon, 'diskFull')).toBe(503);
    const { tx } = signedSend(0, 1n);
    await expect(call(comet, 'broadcast_tx_sync', { tx })).rejects.toThrow('the disk is full');
    const raw = signedEthereum(1, 0n).ethereum?.raw;
    await expect(callEthereum(ethereum, 'eth_sendRawTransaction', [raw])).rejects.toThrow('the disk is full');
    await expect(callEthereum(ethereum, 'evm_mine')).rejects.toThrow('the disk is full');
    const posted = await fetch(`${rest}/cosmos/tx/v1beta1/txs`, {
      method: 'POST',
      body: JSON.stringify({ tx_bytes: tx, mode: 'BROADCAST_MODE_SYNC' }),
    });
    expect(await posted.text()).toContain('the disk is full');
    // Reads still work, and no block is made.
    const height = await latestHeight(comet);
    expect(BigInt(await callEthereum<string>(ethereum, 'eth_blockNumber'))).toBe(BigInt(height));

    rmSync(`${disk}/filler`);
    expect(await untilHealth(daemon, 'running')).toBe(200);
    const { height: later } = await call<{ readonly height: string }>(comet, 'broadcast_tx_commit', { tx });
    expect(Number(later)).toBeGreaterThan(height);
    expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  },
);
