/** Foundry's `cast`, `forge script` and `forge test --fork-url`, unmodified, against a node. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon.js';
import { watchedFace } from '../support/watched-face.js';
import { compilerIn, isInstalled, projectOf, run } from './clients.js';

const MS_MAX = 300_000;
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const DEV0 = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const DEV1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe.skipIf(!isInstalled('foundry', 'node_modules/@foundry-rs/forge/package.json'))('foundry', () => {
  it(
    'cast sends, reads, estimates and shows blocks',
    async () => {
      const daemon = await startDaemonProcess({ args: ['--ephemeral'] });
      const url = await watchedFace(daemon.endpoints.eth_http ?? '');
      const cast = async (command: string, ...args: readonly string[]): Promise<string> => {
        const { code, output } = await run('cast', [command, ...args, '--rpc-url', url], { cwd: daemon.home });
        expect(code, output).toBe(0);
        return output.trim();
      };
      expect(await cast('chain-id')).toBe('271828');
      const before = BigInt(await cast('balance', DEV1));
      const receipt: { readonly status: string; readonly transactionHash: string; readonly blockNumber: string } =
        JSON.parse(await cast('send', DEV1, '--value', '1ether', '--private-key', KEY, '--json'));
      expect(receipt.status).toBe('0x1');
      expect(BigInt(await cast('balance', DEV1)) - before).toBe(10n ** 18n);
      expect(await cast('estimate', DEV1, '--value', '1', '--from', DEV0)).toBe('21000');
      expect(await cast('nonce', DEV0)).toBe('1');
      expect(await cast('tx', receipt.transactionHash, 'to')).toBe(DEV1);
      expect(BigInt(await cast('block', BigInt(receipt.blockNumber).toString(), '--field', 'number'))).toBe(
        BigInt(receipt.blockNumber),
      );
      expect(BigInt(await cast('base-fee'))).toBeGreaterThan(0n);
      expect(await cast('code', '0xcA11bde05977b3631167028862bE2a173976CA11')).toMatch(/^0x[0-9a-f]{1000}/);
      expect(await cast('run', receipt.transactionHash)).toContain('successfully executed');
    },
    MS_MAX,
  );

  it(
    'forge deploys by a script, also through the CREATE2 factory, and tests a fork of the node',
    async () => {
      const daemon = await startDaemonProcess({ args: ['--ephemeral'] });
      const url = await watchedFace(daemon.endpoints.eth_http ?? '');
      const cwd = projectOf('foundry', 'src');
      const compiled = ['--use', compilerIn(cwd)];
      const script = await run(
        'forge',
        ['script', 'script/Deploy.s.sol:Deploy', '--rpc-url', url, '--private-key', KEY, '--broadcast', ...compiled],
        { cwd },
      );
      expect(script.output, script.output).toContain('ONCHAIN EXECUTION COMPLETE & SUCCESSFUL');
      const { transactions }: { readonly transactions: readonly Deployed[] } = JSON.parse(
        readFileSync(join(cwd, 'broadcast', 'Deploy.s.sol', '271828', 'run-latest.json'), 'utf8'),
      );
      expect(transactions.map(({ transactionType }) => transactionType)).toEqual([
        'CREATE',
        'CALL',
        'CREATE',
        'CREATE2',
      ]);
      const [token] = transactions;
      const tested = await run('forge', ['test', '--fork-url', url, ...compiled], {
        cwd,
        env: { TOKEN: token?.contractAddress ?? '' },
      });
      expect(tested.output, tested.output).toMatch(/4 passed; 0 failed/);
      expect(tested.code).toBe(0);
    },
    MS_MAX,
  );
});

interface Deployed {
  readonly transactionType: string;
  readonly contractAddress: string;
}
