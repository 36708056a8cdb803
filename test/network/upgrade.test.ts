/**
 * Upgrade of a chain behind CometBFT: the old build does not answer at the block of the plan, and the new build
 * executes it.
 */
import { describe, expect, test } from 'vitest';
import { callEthereum } from '../e2e/ethereum-client.js';
import { latestHeight } from '../e2e/comet-client.js';
import { signedEthereum } from '../e2e/load.js';
import type { DaemonProcess } from '../support/daemon.js';
import { hasCometbft } from './comet-process.js';
import { chronicled, makeNetwork, startApplication, startComet, until } from './cometbft.js';

const MS_MAX = 120_000;

const heightOver = ({ endpoints }: DaemonProcess): Promise<number> =>
  callEthereum<string>(endpoints.eth_http ?? '', 'eth_blockNumber').then(Number);

/** Resolves when the node has halted at the upgrade, and checks the answers of its faces. */
async function expectHalted(app: DaemonProcess, height: number): Promise<void> {
  const needed = `UPGRADE "v2" NEEDED at height: ${height}: notes`;
  const health = async (): Promise<{ readonly status: string }> =>
    (await (await fetch(`${app.endpoints.metrics}/health`)).json()) as { readonly status: string };
  await until(async () => (await health()).status === 'halted');
  expect(app.stderr()).toContain(needed);
  expect(await heightOver(app)).toBe(height - 1);
  const refused = callEthereum(app.endpoints.eth_http ?? '', 'eth_sendRawTransaction', [
    signedEthereum(3, 0n).ethereum?.raw,
  ]);
  await expect(refused).rejects.toThrow(`node is halted: ${JSON.stringify(needed).slice(1, -1)}`);
}

describe.skipIf(!hasCometbft())('CometBFT at the height of an upgrade', () => {
  test(
    'waits for the halted application, which answers queries, and continues with the build of the plan',
    async () => {
      const [machine] = await makeNetwork(1);
      if (machine === undefined) throw new Error('no machine');
      let app = await startApplication(machine);
      let comet = startComet(machine);
      await until(() => latestHeight(machine.rpc));
      const node = ['--node', machine.rpc.replace('http', 'tcp')];
      chronicled('upgrade', 'schedule', 'v2', '--height', '+10', '--info', 'notes', '-y', '-b', 'block', ...node);
      const plan = chronicled('query', 'upgrade', 'plan', ...node);
      const height = Number(/height: "(\d+)"/.exec(plan)?.[1]);
      await expectHalted(app, height);
      // CometBFT has decided the block and keeps running without an answer.
      expect(await latestHeight(machine.rpc)).toBe(height);

      // Both processes restart with the same build, which halts at the same block.
      await app.kill('SIGKILL');
      await comet.exited;
      app = await startApplication(machine);
      comet = startComet(machine);
      await expectHalted(app, height);

      expect(await app.kill('SIGTERM')).toMatchObject({ code: 0 });
      await comet.exited;
      app = await startApplication(machine, ['--app-version', 'v2']);
      comet = startComet(machine);
      await until(async () => (await heightOver(app)) > height);
      expect(chronicled('query', 'upgrade', 'applied', 'v2', ...node)).toContain(`"height":"${height}"`);
      const sent = signedEthereum(3, 0n).ethereum;
      await callEthereum(app.endpoints.eth_http ?? '', 'eth_sendRawTransaction', [sent?.raw]);
      const receipt = await until(() =>
        callEthereum<{ readonly status: string } | null>(app.endpoints.eth_http ?? '', 'eth_getTransactionReceipt', [
          sent?.hash,
        ]),
      );
      expect(receipt.status).toBe('0x1');
      await comet.kill('SIGKILL');
      expect(await app.kill('SIGTERM')).toMatchObject({ code: 0 });
      expect(JSON.parse(chronicled('log', 'verify', '--home', machine.home))).toMatchObject({ problems: [] });
    },
    MS_MAX,
  );
});
