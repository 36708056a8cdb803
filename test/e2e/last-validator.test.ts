/** A block that removes the last validator: how the node exits, and a new chain as its message advises. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evmd } from '../../src/core/peers/evmd/preset.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess, temporaryFolder } from '../support/daemon.js';

const KEY = 'priv_validator_key.json';

async function output(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await chronicledHere(args);
  expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout;
}

test('a node exits with the block that removes the last validator; the state before it starts a new chain', async () => {
  const home = temporaryFolder();
  await output('init', 'only', '--home', home, '--chain-id', 'last_77-1');
  const file = join(home, 'config', 'genesis.json');
  const genesis = JSON.parse(readFileSync(file, 'utf8'));
  for (const name of Object.keys(genesis.app_state)) if (!evmd.initOrder.includes(name)) delete genesis.app_state[name];
  writeFileSync(file, JSON.stringify(genesis));
  const [{ operator_address: operator }] = genesis.app_state.staking.validators;

  const node = await startDaemonProcess({ command: 'start', home, args: ['--preset', 'evmd', '--block-time', '0.2'] });
  const at = ['--node', node.endpoints.comet.replace('http', 'tcp'), '--home', home];
  await output('tx', 'staking', 'unbond', operator, '1000chr', '--from', 'dev0', '-y', '--gas', '500000', ...at);
  expect((await node.exited).code).toBe(1);
  const [, height = ''] = /E_VALIDATORS: Block (\d+) changes the validators/.exec(node.stderr()) ?? [];
  expect(node.stderr()).toContain(`chronicled export --home ${home}`);
  expect(node.stderr()).toContain('chronicled dev --preset evmd --genesis <file>');

  const exported = await output('export', '--home', home);
  expect(JSON.parse(exported)).toMatchObject({
    initial_height: height,
    consensus: { validators: [{ power: '1000' }] },
  });
  const other = temporaryFolder();
  mkdirSync(join(other, 'config'));
  copyFileSync(join(home, 'config', KEY), join(other, 'config', KEY));
  const state = join(other, 'state.json');
  writeFileSync(state, exported);
  const second = await startDaemonProcess({ home: other, args: ['--preset', 'evmd', '--genesis', state] });
  const there = ['--node', second.endpoints.comet.replace('http', 'tcp'), '--home', other, '-o', 'json'];
  const sent = await output('tx', 'bank', 'send', 'dev0', 'dev1', '1achr', '-y', '-b', 'block', ...there);
  expect(JSON.parse(sent)).toMatchObject({ code: 0 });
  const { validators } = JSON.parse(await output('query', 'staking', 'validators', ...there));
  expect(validators).toMatchObject([{ status: 'BOND_STATUS_BONDED', tokens: `1000${'0'.repeat(18)}` }]);
});
