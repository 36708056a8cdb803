/** A chain that starts with genesis transactions: init, gentx, collect-gentxs, start. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess, temporaryFolder } from '../support/daemon.js';

test('a validator of a collected gentx commits blocks with the stake of the gentx', async () => {
  const home = temporaryFolder();
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await chronicledHere([...args, '--home', home]);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  await run('init', 'first', '--chain-id', 'gen_77-1');
  await run('genesis', 'gentx', 'dev3', '500chr', '--moniker', 'mine');
  await run('genesis', 'collect-gentxs');
  const { app_state: state, consensus } = JSON.parse(readFileSync(join(home, 'config', 'genesis.json'), 'utf8'));
  expect(state.genutil.gen_txs).toHaveLength(1);
  expect(consensus.validators ?? []).toEqual([]);
  const node = await startDaemonProcess({ command: 'start', home });
  const client = (...args: readonly string[]) =>
    chronicledHere([...args, '--node', node.endpoints.comet.replace('http', 'tcp'), '--home', home, '-o', 'json']);
  const sent = await client('tx', 'bank', 'send', 'dev0', 'dev1', '1achr', '-y', '-b', 'block');
  expect(sent.stderr).toBe('');
  expect(JSON.parse(sent.stdout)).toMatchObject({ code: 0 });
  const { validators } = JSON.parse((await client('query', 'staking', 'validators')).stdout);
  expect(validators).toMatchObject([
    { description: { moniker: 'mine' }, status: 'BOND_STATUS_BONDED', tokens: `500${'0'.repeat(18)}` },
  ]);
  await node.kill('SIGTERM');
  const again = await startDaemonProcess({ command: 'start', home });
  expect(BigInt(again.ready.height)).toBeGreaterThan(0n);
});
