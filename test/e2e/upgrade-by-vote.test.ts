/** Upgrades that governance decides, from the proposal to the applied plan, through the command line alone. */
import { expect, test } from 'vitest';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { callEthereum } from './ethereum-client.js';

/** Seconds, longer than the voting period of a dev chain. */
const VOTING = '0xb';
const DEPOSIT = ['--deposit', '10chr'];

/** Runs a client command against a node; fails with its standard error. */
async function ask({ endpoints }: DaemonProcess, ...words: readonly string[]): Promise<string> {
  const node = ['--node', endpoints.comet.replace('http', 'tcp')];
  const { code, stdout, stderr } = await chronicledHere([...words, ...node]);
  expect(code, stderr).toBe(0);
  return stdout;
}

const send = (daemon: DaemonProcess, ...words: readonly string[]): Promise<string> =>
  ask(daemon, ...words, '-y', '-b', 'block', '--from', 'dev0');

async function mine({ endpoints }: DaemonProcess, blocks = 1): Promise<void> {
  const { eth_http: ethereum = '' } = endpoints;
  await callEthereum(ethereum, 'anvil_mine', [`0x${blocks.toString(16)}`]);
}

/** The operator of the validator votes yes, and the voting period ends. */
async function pass(daemon: DaemonProcess, id: number): Promise<void> {
  await send(daemon, 'tx', 'gov', 'vote', String(id), 'yes');
  const { eth_http: ethereum = '' } = daemon.endpoints;
  await callEthereum(ethereum, 'evm_increaseTime', [VOTING]);
  await mine(daemon, 2);
  expect(await ask(daemon, 'query', 'gov', 'proposal', String(id))).toContain('status: PROPOSAL_STATUS_PASSED');
}

const start = (home: string, ...args: readonly string[]): Promise<DaemonProcess> =>
  startDaemonProcess({ home, args: ['--mining', 'instant', '--block-time', '3600', ...args] });

const PROPOSALS = [
  {
    form: 'a message',
    propose: ['tx', 'upgrade', 'software-upgrade', 'v2', '--title', 'Go on', '--summary', 'as v2', ...DEPOSIT],
    cancel: ['tx', 'upgrade', 'cancel-upgrade-proposal', '--title', 'Stay', '--summary', 's', ...DEPOSIT],
  },
  {
    form: 'a content of v1beta1',
    propose: [
      ...['tx', 'gov', 'submit-legacy-proposal', 'software-upgrade', 'v2'],
      ...['--title', 'Go on', '--description', 'as v2', ...DEPOSIT],
    ],
    cancel: [
      ...['tx', 'gov', 'submit-legacy-proposal', 'cancel-software-upgrade'],
      ...['--title', 'Stay', '--description', 'd', ...DEPOSIT],
    ],
  },
];

test.each(PROPOSALS)('$form schedules an upgrade, another cancels it, a third is applied', async (by) => {
  const home = temporaryFolder();
  let daemon = await start(home);
  await send(daemon, ...by.propose, '--upgrade-height', '100', '--upgrade-info', 'notes');
  expect((await chronicledHere(['query', 'upgrade', 'plan', '--node', tcp(daemon)])).stderr).toContain(
    'no upgrade scheduled',
  );
  await pass(daemon, 1);
  expect(await ask(daemon, 'query', 'upgrade', 'plan')).toContain('height: "100"\ninfo: notes\nname: v2\n');

  await send(daemon, ...by.cancel);
  await pass(daemon, 2);
  expect((await chronicledHere(['query', 'upgrade', 'plan', '--node', tcp(daemon)])).stderr).toContain(
    'no upgrade scheduled',
  );

  await send(daemon, ...by.propose, '--upgrade-height', '40');
  await pass(daemon, 3);
  const status = JSON.parse(await ask(daemon, 'status'));
  await mine(daemon, 39 - Number(status.sync_info.latest_block_height));
  const { eth_http: ethereum = '' } = daemon.endpoints;
  // Block 40 is decided but not executed, and the command is told so.
  await expect(callEthereum(ethereum, 'evm_mine')).rejects.toThrow('upgrade');
  expect(JSON.parse(await ask(daemon, 'status')).sync_info.latest_block_height).toBe('40');
  expect(daemon.stderr()).toContain('UPGRADE "v2" NEEDED at height: 40: ');
  await daemon.kill('SIGTERM');

  daemon = await start(home, '--app-version', 'v2');
  await mine(daemon);
  expect(JSON.parse(await ask(daemon, 'query', 'upgrade', 'applied', 'v2')).header.height).toBe('40');
  await daemon.kill('SIGTERM');
});

function tcp({ endpoints }: DaemonProcess): string {
  return endpoints.comet.replace('http', 'tcp');
}
