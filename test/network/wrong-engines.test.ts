/**
 * Engines that do not match the log of a home: the log names the reason, CometBFT exits, and the chain does not
 * change.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callEthereum } from '../e2e/ethereum-client.js';
import { chronicled as run } from '../support/command.js';
import { type DaemonProcess, startDaemonProcess, temporaryFolder } from '../support/daemon.js';
import { type CometProcess, freePort, hasCometbft, startCometbft } from './comet-process.js';
import { chronicled, type Machine, makeNetwork, startApplication, startComet, until } from './cometbft.js';

const MS_MAX = 120_000;

const heightOver = ({ endpoints }: DaemonProcess): Promise<number> =>
  callEthereum<string>(endpoints.eth_http ?? '', 'eth_blockNumber').then(Number);

/** Fields of CometBFT's genesis file that the tests change. */
interface CometGenesis {
  chain_id: string;
  readonly app_state: { readonly mint: { readonly params: { inflation_max: string } } };
  readonly consensus_params: { abci?: { readonly vote_extensions_enable_height: string } };
}

/** A copy of a machine's CometBFT folder before its first block, with a changed genesis. */
function copyOf({ home, comet }: Machine, name: string, change: (genesis: CometGenesis) => void): string {
  const copy = join(home, name);
  cpSync(join(comet, 'config'), join(copy, 'config'), { recursive: true });
  mkdirSync(join(copy, 'data'));
  writeFileSync(join(copy, 'data', 'priv_validator_state.json'), '{"height":"0","round":0,"step":0}');
  const file = join(copy, 'config', 'genesis.json');
  const genesis: CometGenesis = JSON.parse(readFileSync(file, 'utf8'));
  change(genesis);
  writeFileSync(file, JSON.stringify(genesis));
  return copy;
}

/** Starts CometBFT in another folder with the application of a machine. */
async function startOther(folder: string): Promise<CometProcess> {
  const [rpc, p2p] = [await freePort(), await freePort()].map((port) => `tcp://127.0.0.1:${port}`);
  return startCometbft(['start', '--home', folder, '--rpc.laddr', rpc ?? '', '--p2p.laddr', p2p ?? '']);
}

describe.skipIf(!hasCometbft())('CometBFT that does not match the log', () => {
  test(
    'exits with the reason for another chain, a lower height or a second engine; an engine ahead replays',
    async () => {
      const [machine] = await makeNetwork(1);
      if (machine === undefined) throw new Error('no machine');
      let app = await startApplication(machine);

      const anotherChain = copyOf(machine, 'another-chain', (genesis) => {
        genesis.chain_id = 'another-1';
      });
      const otherState = copyOf(machine, 'other-state', ({ app_state: { mint } }) => {
        mint.params.inflation_max = '0.300000000000000000';
      });
      const extensions = copyOf(machine, 'extensions', ({ consensus_params: params }) => {
        params.abci = { vote_extensions_enable_height: '5' };
      });
      for (const [folder, reason] of [
        [
          anotherChain,
          'the genesis of the engine has chain id another-1; the log of this home began with chronicle_271828-1',
        ],
        [otherState, 'the genesis of the engine has another section "mint" of app_state'],
        [extensions, 'the genesis of the engine enables vote extensions'],
      ] as const) {
        const other = await startOther(folder);
        expect((await other.exited).code).not.toBe(0);
        expect(app.stderr()).toContain(reason);
        expect(other.output()).toContain(reason.slice(0, 40));
      }

      let comet = startComet(machine);
      await until(async () => (await heightOver(app)) >= 2);
      await comet.kill('SIGKILL');
      const behind = copyOf(machine, 'behind', () => undefined);
      cpSync(join(machine.comet, 'data'), join(behind, 'data'), { recursive: true });
      comet = startComet(machine);
      const copied = await heightOver(app);
      await until(async () => (await heightOver(app)) > copied + 1);
      // A second engine on the same socket is behind the log or has no blocks; the first engine continues.
      for (const [folder, reason] of [
        [behind, /app block height \(\d+\) is higher than core \(\d+\)/],
        [
          copyOf(machine, 'empty', () => undefined),
          /Did you reset CometBFT without resetting your application's data\?/,
        ],
      ] as const) {
        const second = await startOther(folder);
        expect((await second.exited).code).not.toBe(0);
        expect(second.output()).toMatch(reason);
        const now = await heightOver(app);
        await until(async () => (await heightOver(app)) > now + 1);
      }
      const height = await heightOver(app);

      // The log is lost: the engine is ahead of the new log and replays all blocks.
      const at = `0x${height.toString(16)}`;
      const block = (): Promise<unknown> =>
        callEthereum(app.endpoints.eth_http ?? '', 'eth_getBlockByNumber', [at, true]);
      const before = await block();
      await comet.kill('SIGKILL');
      await app.kill('SIGTERM');
      chronicled('reset', '-y', '--home', machine.home);
      app = await startApplication(machine);
      comet = startComet(machine);
      await until(async () => (await heightOver(app)) > height);
      expect(await block()).toEqual(before);
      await comet.kill('SIGKILL');
      await app.kill('SIGTERM');

      // The embedded consensus has no commits for these blocks.
      const embedded = await run(['start', '--home', machine.home, '--port-base', '0', '-q']);
      expect(embedded).toMatchObject({ code: 3, stderr: expect.stringContaining('use chronicled abci') });
    },
    MS_MAX,
  );

  test('is refused on a home of the embedded consensus: abci does not continue blocks of start', async () => {
    const home = temporaryFolder();
    chronicled('init', 'node0', '--home', home);
    const node = await startDaemonProcess({ command: 'start', home, args: ['--block-time', '0.1'] });
    await until(async () => (await heightOver(node)) >= 2);
    await node.kill('SIGTERM');
    const engine = await run(['abci', '--home', home, '--port-base', '0', '-q', '--address', 'tcp://127.0.0.1:0']);
    expect(engine).toMatchObject({ code: 3, stderr: expect.stringContaining('use chronicled start') });
  });
});
