/**
 * A full disk and the poison rule (src/store/checked-store.ts): the node ends with a message, and when space was freed
 * it opens with everything that it acknowledged. The disk is a limit on the size of files, which the kernel enforces as
 * a failed write.
 */
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chronicled } from '../support/command.js';
import { KillRounds } from './kill-rounds.js';

const KIB = 400;

it.skipIf(process.platform === 'win32' || !existsSync('/bin/bash'))(
  'loses nothing acknowledged, and goes on once there is space (skipped where there is no bash to set the limit)',
  async () => {
    const rounds = new KillRounds();
    for (const life of [1, 2]) {
      const { exit, stderr, errors } = await rounds.fillDisk(KIB * life);
      expect(exit, stderr).toEqual({ code: 1, signal: null });
      expect(stderr).toMatch(/E_STORAGE: The database failed\.\n.+\n.*Check the disk/);
      expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
      // Clients learn that the write failed, but not the paths of the files.
      for (const error of errors) expect(error).not.toMatch(/\/|\.ldb|\.log|MANIFEST/);
    }
    expect(rounds.acknowledged).toBeGreaterThan(50);
    const verified = await chronicled(['log', 'verify', '--execute', '--home', rounds.home]);
    expect(verified, verified.stderr).toMatchObject({ code: 0 });
    await rounds.finish();
  },
);
