/** `scripts/network.js`, as `docs/NETWORK.md` starts it: four validators on one machine, twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { callEthereum } from '../e2e/ethereum-client.js';
import { endAfterwards, type Exit } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { COMETBFT, hasCometbft } from './comet-process.js';
import { until } from './cometbft.js';

const MS_MAX = 180_000;
const SCRIPT = fileURLToPath(new URL('../../scripts/network.js', import.meta.url));
const MACHINES = [0, 1, 2, 3];
/** Size of the script's port range: 100 ports for each machine. */
const PORTS = MACHINES.length * 100;

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const opened = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  const isOpen = await opened;
  if (isOpen) {
    server.close();
    await once(server, 'close');
  }
  return isOpen;
}

/** First port of a free range for the script, below the ports that the system assigns. */
async function freePorts(): Promise<number> {
  for (let first = 20_000; first < 32_000; first += PORTS) {
    const free = await Promise.all(Array.from({ length: PORTS }, (_, index) => isFree(first + index)));
    if (free.every((one) => one)) return first;
  }
  throw new Error('no free ports');
}

function start(folder: string, port: number): { readonly stop: () => Promise<Exit> } {
  const child = spawn(process.execPath, [SCRIPT, folder, String(port)], {
    env: { ...process.env, COMETBFT },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  const exited = new Promise<Exit>((done) => child.once('close', (code, signal) => done({ code, signal })));
  if (child.pid !== undefined) endAfterwards(child.pid, exited);
  return {
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

describe.skipIf(!hasCometbft())('scripts/network.js', () => {
  test(
    'starts four validators, and continues their chain at a second start',
    async () => {
      const folder = join(temporaryFolder(), 'network');
      const port = await freePorts();
      const hashAt = (machine: number, height: number): Promise<string | undefined> =>
        callEthereum<{ readonly hash: string } | null>(
          `http://127.0.0.1:${port + 100 * machine + 1}`,
          'eth_getBlockByNumber',
          [`0x${height.toString(16)}`, false],
        ).then((block) => block?.hash);
      const allAt = (height: number): Promise<readonly string[]> =>
        Promise.all(MACHINES.map((machine) => until(() => hashAt(machine, height))));
      let network = start(folder, port);
      const first = await allAt(2);
      expect(new Set(first).size).toBe(1);
      expect(await network.stop()).toEqual({ code: 0, signal: null });

      network = start(folder, port);
      expect(await allAt(2)).toEqual(first);
      const height = await until(async () =>
        Number(await callEthereum<string>(`http://127.0.0.1:${port + 1}`, 'eth_blockNumber')),
      );
      expect(new Set(await allAt(height + 1)).size).toBe(1);
      expect(await network.stop()).toEqual({ code: 0, signal: null });
    },
    MS_MAX,
  );
});
