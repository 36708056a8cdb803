/**
 * Real ext4 disks at power cuts around switches of the write-ahead log, for `scripts/power-disks.js`. A node and the
 * commands that read a home open each disk.
 */
import { cpSync, mkdirSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { homePaths } from '../../src/runtime/home/home.js';
import { callEthereum } from '../e2e/ethereum-client.js';
import { ACCOUNTS } from '../e2e/load.js';
import { seededRandom } from '../support/faulty-store.js';
import { chronicled } from '../support/command.js';
import { startDaemonProcess } from '../support/daemon.js';
import { removeFolder, temporaryFolder } from '../support/temporary.js';
import { judgeNode, judgeStore } from './judge.js';
import { largeTransfer } from './loads.js';
import { noRealDisk, RealDisk } from './real-disk.js';
import type { Shown } from './trace.js';

const COUNT = Number(process.env['CHRONICLED_DISKS'] ?? 0);
const SEED = Number(process.env['CHRONICLED_TEST_SEED'] ?? 1);
/** Milliseconds between pictures after a log switch. */
const PAUSES = [0, 4, 4, 4, 6, 8, 10, 15, 20, 40];
/** Number of pictures of one home: a young home opens faster. */
const OF_ONE_HOME = 100;
/** Bytes of data in a transaction, and transactions that are sent at a time. */
const DATA_BYTES = 20_000;
const AT_A_TIME = [10, 30] as const;

/** One picture in this number is opened by a node and by every command, which takes seconds. */
const WHOLE_EVERY = 10;

interface Picture {
  readonly file: string;
  /** Blocks that clients had seen before the picture was taken. */
  readonly shown: ReadonlyMap<number, Shown>;
}

/** Runs a node on the disk under a load of bursts and transfers until so many pictures of log switches are taken. */
async function takePictures(
  disk: RealDisk,
  home: string,
  count: number,
  random: () => number,
): Promise<readonly Picture[]> {
  const node = await startDaemonProcess({ home, args: ['--quiet'] });
  const eth = node.endpoints.eth_http ?? '';
  const shown = new Map<number, Shown>();
  const pictures: Picture[] = [];
  const folder = homePaths(home).database;
  const known = new Set(readdirSync(folder));
  let switched = false;
  const watcher = watch(folder, (_, name) => {
    if (name === null || !name.endsWith('.log') || known.has(name)) return;
    known.add(name);
    switched = true;
  });
  const see = async (hash: string): Promise<void> => {
    const receipt = await callEthereum<{ readonly blockNumber: string; readonly blockHash: string } | null>(
      eth,
      'eth_getTransactionReceipt',
      [hash],
    );
    if (receipt !== null)
      shown.set(Number(receipt.blockNumber), { height: Number(receipt.blockNumber), hash: receipt.blockHash });
  };
  const isOver = (): boolean => pictures.length >= count;
  const bursts = async (): Promise<void> => {
    for (let next = 0; !isOver();) {
      const size = AT_A_TIME[0] + Math.floor(random() * (AT_A_TIME[1] - AT_A_TIME[0]));
      const raws = Array.from({ length: size }, () =>
        largeTransfer(next % 5, BigInt(Math.floor(next++ / 5)), DATA_BYTES),
      );
      await Promise.all(
        raws.map(async ({ ethereum }) =>
          see(await callEthereum<string>(eth, 'eth_sendRawTransaction', [ethereum?.raw])),
        ),
      );
    }
  };
  const transfers = async (account: number): Promise<void> => {
    const transfer = { from: ACCOUNTS[account]?.hex, to: ACCOUNTS[9]?.hex, value: '0x1' };
    while (!isOver()) await see(await callEthereum<string>(eth, 'eth_sendTransaction', [transfer]));
  };
  const photographer = async (): Promise<void> => {
    while (!isOver()) {
      await passed(1);
      if (!switched) continue;
      switched = false;
      for (const pause of PAUSES) {
        if (pause > 0) await passed(pause);
        if (!isOver()) pictures.push({ shown: new Map(shown), file: disk.picture() });
      }
    }
  };
  await Promise.all([bursts(), ...[5, 6, 7].map(transfers), photographer()]);
  watcher.close();
  await node.kill('SIGKILL');
  return pictures;
}

/** Problems that a start finds in a home; with `everything`, also those that a whole node and each command find. */
async function judgeDisk(home: string, { shown }: Picture, everything: boolean): Promise<readonly string[]> {
  const wrong: (string | undefined)[] = [];
  const promised = {
    blocks: shown,
    gone: new Set<string>(),
    takenBack: new Set<number>(),
    admitted: new Set<string>(),
    args: [],
    life: 'bursts',
  };
  const onCopy = async (judge: (copy: string) => Promise<string | undefined>): Promise<void> => {
    const folder = temporaryFolder();
    cpSync(home, join(folder, 'home'), { recursive: true });
    wrong.push(await judge(join(folder, 'home')));
    removeFolder(folder);
  };
  await onCopy((copy) => judgeStore(copy, promised, undefined, { verify: true }));
  if (!everything) return wrong.filter((text) => text !== undefined);
  for (const command of [['log', 'rebuild'], ['rollback'], ['export']])
    await onCopy(async (copy) => {
      const { code, stdout, stderr } = await chronicled([...command, '--home', copy]);
      return code === 0 ? undefined : `${command.join(' ')} ends with ${code}: ${(stdout + stderr).slice(0, 300)}`;
    });
  wrong.push(await judgeNode(home, promised));
  return wrong.filter((text) => text !== undefined);
}

describe.skipIf(COUNT === 0)('a real disk at a power cut', () => {
  it('has a home that opens with every block that was shown', { timeout: 0 }, async () => {
    expect(noRealDisk()).toBeUndefined();
    const random = seededRandom(SEED);
    const disk = new RealDisk(temporaryFolder());
    let judged = 0;
    let broken = 0;
    try {
      for (let round = 0; judged < COUNT; round += 1) {
        const name = `home-${round}`;
        mkdirSync(join(disk.mounted, name));
        const count = Math.min(OF_ONE_HOME, COUNT - judged);
        for (const picture of await takePictures(disk, join(disk.mounted, name), count, random)) {
          const folder = temporaryFolder();
          disk.take(picture.file, name, join(folder, 'home'));
          judged += 1;
          const wrong = await judgeDisk(join(folder, 'home'), picture, judged % WHOLE_EVERY === 1);
          if (wrong.length > 0) broken += 1;
          for (const text of wrong) process.stdout.write(`picture ${judged}: ${text}\n`);
          removeFolder(folder);
        }
        removeFolder(join(disk.mounted, name));
        process.stdout.write(`${judged} pictures at log switches, ${broken} broken\n`);
      }
    } finally {
      disk.close();
    }
    expect(broken).toBe(0);
  });
});
