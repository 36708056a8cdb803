/** Hardhat 3 with its toolboxes, its network helpers and ignition, unmodified, against a node. */
import { readFileSync, renameSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asObject } from '../../src/core/text/json-object.js';
import { startDaemonProcess } from '../support/daemon.js';
import { watchedFace } from '../support/watched-face.js';
import { temporaryFolder } from '../support/temporary.js';
import { CLIENTS, compilerIn, isInstalled, projectOf, run } from './clients.js';

const MS_MAX = 300_000;
const DEV0 = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

describe.skipIf(!isInstalled('hardhat', 'node_modules/hardhat/package.json'))('hardhat 3', () => {
  it.each(['hardhat-viem', 'hardhat-ethers'])(
    'compiles, tests and deploys: %s',
    async (project) => {
      const daemon = await startDaemonProcess({ args: ['--ephemeral'] });
      const { code, output } = await run('hardhat', ['test'], {
        cwd: projectOf(project, 'contracts'),
        env: {
          CHRONICLE: await watchedFace(daemon.endpoints.eth_http ?? ''),
          SOLC: join(CLIENTS, 'node_modules', 'solc', 'soljson.js'),
          HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
        },
      });
      expect(output).toMatch(/\b\d+ passing/);
      expect(output, output).not.toMatch(/\d+ failing/);
      expect(code, output).toBe(0);
    },
    MS_MAX,
  );

  it(
    'verifies a contract by the API of Sourcify, with a compiler of this machine',
    async () => {
      const cwd = projectOf('hardhat-ethers', 'contracts');
      const tools = temporaryFolder();
      renameSync(compilerIn(tools), join(tools, 'solc'));
      const path = [tools, join(CLIENTS, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);
      const daemon = await startDaemonProcess({ args: ['--ephemeral'], env: { PATH: path } });
      const url = daemon.endpoints.eth_http ?? '';
      const env = {
        CHRONICLE: url,
        SOLC: join(CLIENTS, 'node_modules', 'solc', 'soljson.js'),
        HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
      };
      const built = await run('hardhat', ['build', '--no-tests'], { cwd, env });
      expect(built.code, built.output).toBe(0);
      const artifact = join(cwd, 'artifacts', 'contracts', 'Token.sol', 'Token.json');
      const { bytecode }: { readonly bytecode: string } = JSON.parse(readFileSync(artifact, 'utf8'));
      const ask = async (method: string, ...params: readonly unknown[]) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
        const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        const { result }: { readonly result: unknown } = JSON.parse(await answer.text());
        return result;
      };
      const data = `${bytecode}${(1_000).toString(16).padStart(64, '0')}`;
      const hash = await ask('eth_sendTransaction', { from: DEV0, data });
      const receipt = await ask('eth_getTransactionReceipt', hash);
      const contractAddress = String(asObject(receipt)?.['contractAddress']);
      const verify = () =>
        run('hardhat', ['verify', 'sourcify', '--network', 'chronicle', contractAddress, '1000'], { cwd, env });
      const verified = await verify();
      expect(verified.output, verified.output).toContain('verified successfully on Sourcify');
      expect((await verify()).output).toContain('already been verified');
      expect(await ask('chronicle_contract', contractAddress)).toMatchObject({ name: 'Token', match: 'exact_match' });
    },
    MS_MAX,
  );
});
