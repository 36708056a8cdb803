/** CometBFT over a home whose log was pruned up to an anchor. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callEthereum } from '../e2e/ethereum-client.js';
import { signedEthereum } from '../e2e/load.js';
import type { DaemonProcess } from '../support/daemon.js';
import { hasCometbft } from './comet-process.js';
import { chronicled, initComet, makeHomes, startApplication, startComet, until } from './cometbft.js';

/** Enough that their records are larger than a snapshot. */
const BLOCKS = 300;
const KEPT = ['--pruning', 'everything', '--min-retain-blocks', '20'];

const heightOver = ({ endpoints }: DaemonProcess): Promise<number> =>
  callEthereum<string>(endpoints.eth_http ?? '', 'eth_blockNumber').then(Number);

describe.skipIf(!hasCometbft())('CometBFT over a home whose log was pruned', () => {
  test(
    'finds the application at its height, and continues after a kill of each side',
    { timeout: 180_000 },
    async () => {
      const [machine] = await makeHomes(1);
      if (machine === undefined) throw new Error('no machine');
      initComet(machine, []);
      const config = join(machine.comet, 'config', 'config.toml');
      writeFileSync(config, readFileSync(config, 'utf8').replace('timeout_commit = "200ms"', 'timeout_commit = "1ms"'));
      const first = await startApplication(machine);
      const made = startComet(machine);
      await until(async () => (await heightOver(first)) >= BLOCKS);
      await made.kill('SIGTERM');
      await first.kill('SIGTERM');
      const told = chronicled('prune', '--home', machine.home, ...KEPT);
      const [, from] = /^the log is kept from height (\d+) on$/m.exec(told) ?? [];
      if (from === undefined) throw new Error(told);

      let app = await startApplication(machine, KEPT);
      let comet = startComet(machine);
      const sent = signedEthereum(1, 0n);
      await callEthereum(app.endpoints.eth_http ?? '', 'eth_sendRawTransaction', [sent.ethereum?.raw]);
      const receipt = () =>
        callEthereum(app.endpoints.eth_http ?? '', 'eth_getTransactionReceipt', [sent.ethereum?.hash]);
      expect(await until(receipt)).toMatchObject({ status: '0x1' });
      // CometBFT exits with its application, and sends uncommitted transactions again.
      await app.kill('SIGKILL');
      await comet.exited;
      app = await startApplication(machine, KEPT);
      comet = startComet(machine);
      await until(async () => (await heightOver(app)) >= BLOCKS + 40);
      await comet.kill('SIGKILL');
      comet = startComet(machine);
      await until(async () => (await heightOver(app)) >= BLOCKS + 80);
      await comet.kill('SIGTERM');
      expect(await app.kill('SIGTERM')).toMatchObject({ code: 0 });
      expect(JSON.parse(chronicled('log', 'verify', '--execute', '--home', machine.home))).toMatchObject({
        problems: [],
        log_from: from,
        execution: { disagreements: [] },
      });
    },
  );
});
