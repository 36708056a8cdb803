/** Nodes on copies of a chain: `chronicle_branch`, and `dev --branch`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chronicled } from '../support/command.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { askNode } from '../support/mixed-chain.js';
import { until } from '../network/cometbft.js';
import { temporaryFolder } from '../support/temporary.js';
import { ACCOUNTS } from './load.js';

interface Branch {
  readonly id: string;
  readonly height: string;
  readonly endpoints: DaemonProcess['endpoints'];
}

const FROM = ACCOUNTS[0]?.hex;
const TO = `0x${'77'.repeat(20)}`;
const send = (node: Pick<DaemonProcess, 'endpoints'>, value: string): Promise<string> =>
  askNode(node as DaemonProcess, 'eth_sendTransaction', { from: FROM, to: TO, value });
const ask = <Value>(node: Pick<DaemonProcess, 'endpoints'>, method: string, ...params: readonly unknown[]) =>
  askNode<Value>(node as DaemonProcess, method, ...params);
const facts = async (node: Pick<DaemonProcess, 'endpoints'>): Promise<readonly string[]> =>
  Promise.all([
    ask<string>(node, 'eth_blockNumber'),
    ask<string>(node, 'eth_getBalance', TO, 'latest'),
    ask<string>(node, 'eth_getTransactionCount', FROM, 'pending'),
  ]);

it('chronicle_branch starts a node from a past block; it changes alone and ends with its parent', async () => {
  const daemon = await startDaemonProcess({ args: ['--mining', 'manual'] });
  for (const value of ['0x1', '0x10', '0x100']) {
    await send(daemon, value);
    await ask(daemon, 'evm_mine');
  }
  await send(daemon, '0x1000');
  const before = await facts(daemon);
  expect(before).toEqual(['0x3', '0x111', '0x4']);
  // a contract that every new chain has
  const CREATE2 = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
  await ask(daemon, 'chronicle_supplyContract', CREATE2, { name: 'Create2', abi: [] });
  const second = await ask<{ readonly hash: string }>(daemon, 'eth_getBlockByNumber', '0x2', false);

  const nowhere = join(temporaryFolder(), 'nothing');
  const [branch, third, none] = await Promise.all([
    ask<Branch>(daemon, 'chronicle_branch', 2),
    ask<Branch>(daemon, 'chronicle_branch', 3),
    chronicled(['dev', '--branch', '1', '--home', nowhere]),
  ]);
  expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining(`there is no chain in ${nowhere}`) });
  expect(existsSync(nowhere)).toBe(false);
  expect(branch.height).toBe('0x2');
  expect(await ask(branch, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({ hash: second.hash });
  // the pending transaction of the first node is not in the mempool of a branch
  expect(await facts(branch)).toEqual(['0x2', '0x11', '0x2']);
  expect(await facts(third)).toEqual(['0x3', '0x111', '0x3']);
  await send(branch, '0x5');
  await ask(branch, 'evm_mine');
  expect(await facts(branch)).toEqual(['0x3', '0x16', '0x3']);
  expect(await facts(daemon)).toEqual(before);
  // the branch knows the contracts of the first node, and its changes to them do not reach that node
  expect(await ask(branch, 'chronicle_contract', CREATE2)).toMatchObject({ name: 'Create2', origin: 'supplied' });
  await ask(branch, 'chronicle_supplyContract', CREATE2, null);
  expect(await ask(branch, 'chronicle_contract', CREATE2)).toBeNull();
  expect(await ask(daemon, 'chronicle_contract', CREATE2)).toMatchObject({ name: 'Create2' });
  // a branch lies in a temporary folder, and cannot be branched again
  await expect(ask(branch, 'chronicle_branch', 1)).rejects.toThrow('temporary folder');

  await expect(ask(daemon, 'chronicle_branch', 4)).rejects.toThrow('block #4 not found');
  await expect(ask(daemon, 'chronicle_branch', 1)).rejects.toThrow('limit branches (2) exceeded');
  expect(await ask(daemon, 'chronicle_branches')).toEqual(expect.arrayContaining([branch, third]));
  expect(await ask(daemon, 'chronicle_endBranch', branch.id)).toBe(true);
  expect(await ask(daemon, 'chronicle_endBranch', branch.id)).toBe(false);
  await expect(ask(branch, 'eth_blockNumber')).rejects.toThrow('fetch failed');
  expect(await ask(daemon, 'chronicle_branches')).toEqual([third]);

  // kills the node alone, not the group of its processes
  process.kill(daemon.pid, 'SIGKILL');
  await until(() =>
    ask(third, 'eth_blockNumber').then(
      () => false,
      () => true,
    ),
  );
});
