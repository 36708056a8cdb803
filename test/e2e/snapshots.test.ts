/** A home that the command line starts from a state snapshot of another home. */
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess, type DaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { call, latestHeight } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';
import { signedEither } from './load.js';

interface Header {
  readonly app_hash: string;
  readonly height: string;
}
interface Shown {
  readonly block: { readonly header: Header };
}

const AT = 4;
const KEY = join('config', 'priv_validator_key.json');
const MANUAL = ['--mining', 'manual'];
const PAUSE_MS = 20;

it('a node restores a snapshot, reports its earliest height, survives kills, and verifies', async () => {
  const first = await startDaemonProcess({ args: [...MANUAL, '--state-sync.snapshot-interval', `${AT}`] });
  await call(first.endpoints.comet, 'broadcast_tx_sync', { tx: signedEither(0, 0n).tx });
  for (let block = 0; block < AT; block += 1) await callEthereum(first.endpoints.eth_http ?? '', 'evm_mine');
  const run = (home: string, ...words: readonly string[]) => chronicledHere([...words, '--home', home]);
  const line = `height: ${AT} format: 3 chunks: 1\n`;
  while ((await run(first.home, 'snapshots', 'list')).stdout !== line)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const archive = join(temporaryFolder(), 'snapshot.tar.gz');
  // A node is running on the home.
  expect(await run(first.home, 'snapshots', 'dump', `${AT}`, '3', '-o', archive)).toMatchObject({ code: 0 });
  const state = await callEthereum(first.endpoints.eth_http ?? '', 'eth_getBalance', [PAID, 'latest']);
  await first.kill('SIGKILL');

  const home = temporaryFolder();
  const restore = (fail: string) =>
    chronicled(['snapshots', 'restore', `${AT}`, '3', '--home', home], { env: { CHRONICLED_FAIL: fail } });
  mkdirSync(join(home, 'config'));
  cpSync(join(first.home, KEY), join(home, KEY));
  expect(await run(home, 'snapshots', 'load', archive)).toMatchObject({ code: 0, stdout: line });
  // A kill before the end leaves a home in which no chain can begin; a kill after it leaves a chain.
  expect((await restore('store-before-rename:kill')).code).not.toBe(0);
  expect(await chronicled(['dev', '--home', home, ...MANUAL])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('run chronicled snapshots restore again'),
  });
  expect(existsSync(join(home, 'data', 'chronicle.db'))).toBe(false);
  expect((await restore('store-after-rename:kill')).code).not.toBe(0);
  expect(await restore('')).toMatchObject({ code: 1, stderr: expect.stringContaining('holds a chain') });

  // The state of the snapshot can be exported before the first block.
  const exported = await run(home, 'export');
  expect(exported, exported.stderr).toMatchObject({ code: 0 });
  expect(exported).toEqual(await run(first.home, 'export', '--height', `${AT}`));
  expect(await run(home, 'export', '--height', `${AT - 1}`)).toMatchObject({
    code: 10,
    stderr: expect.stringContaining(`began with the snapshot of height ${AT}: `),
  });
  expect(await run(home, 'snapshots', 'delete', `${AT}`, '3')).toMatchObject({ code: 0 });
  expect(await run(home, 'snapshots', 'export')).toMatchObject({ code: 0 });
  const again = join(temporaryFolder(), 'again.tar.gz');
  expect(await run(home, 'snapshots', 'dump', `${AT}`, '3', '-o', again)).toMatchObject({ code: 0 });
  expect(readFileSync(again).equals(readFileSync(archive))).toBe(true);

  const second = await startDaemonProcess({ home, args: MANUAL });
  const { comet, eth_http: eth = '' } = second.endpoints;
  expect(await latestHeight(comet)).toBe(AT + 1);
  const { sync_info: known } = await call<{ readonly sync_info: { readonly earliest_block_height: string } }>(
    comet,
    'status',
  );
  expect(known.earliest_block_height).toBe(`${AT + 1}`);
  await expect(call(comet, 'block', { height: `${AT}` })).rejects.toThrow(
    `height ${AT} is not available, lowest height is ${AT + 1}`,
  );
  expect(await callEthereum(eth, 'eth_getBalance', [PAID, 'latest'])).toBe(state);
  const instanceOf = async (node: DaemonProcess): Promise<string> =>
    (await callEthereum<{ readonly instanceId: string }>(node.endpoints.eth_http ?? '', 'hardhat_metadata')).instanceId;
  const instance = await instanceOf(second);
  await callEthereum(eth, 'evm_mine');
  const shown = await call<Shown>(comet, 'block', { height: `${AT + 2}` });
  await second.kill('SIGKILL');

  const verified = await run(home, 'log', 'verify', '--execute', '-o', 'text');
  expect(verified, verified.stdout + verified.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(` 0 problems, 2 blocks .*, states from height ${AT}, blocks from height ${AT + 1}\n`),
    ),
  });
  expect(await run(home, 'rollback', '--hard')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(shown.block.header.app_hash),
  });
  expect(await run(home, 'snapshots', 'export')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Snapshot created at height ${AT + 1}, format 3, chunks 1`),
  });
  // The chain goes back within its first blocks, also to the state of the snapshot, when later ones are indexed.
  const third = await startDaemonProcess({ home, args: MANUAL });
  const url = third.endpoints.eth_http ?? '';
  expect(await instanceOf(third)).toBe(instance);
  const taken = await callEthereum<string>(url, 'evm_snapshot');
  await callEthereum(url, 'anvil_mine', ['0x40']);
  await call(third.endpoints.comet, 'tx_search', { query: 'tx.height > 0' });
  expect(await callEthereum(url, 'evm_revert', [taken])).toBe(true);
  await third.kill('SIGKILL');
  expect(await run(home, 'log', 'rebuild')).toMatchObject({ code: 0 });
  expect(await run(home, 'rollback', '--hard')).toMatchObject({ code: 0 });
  expect(await run(home, 'log', 'verify', '--execute')).toMatchObject({ code: 0 });
  // A revert to the state of the snapshot also takes back what was added to the clock.
  const fourth = await startDaemonProcess({ home, args: MANUAL });
  const last = fourth.endpoints.eth_http ?? '';
  const minedAt = async (): Promise<number> => {
    await callEthereum(last, 'evm_mine');
    return Number(
      (await callEthereum<{ timestamp: string }>(last, 'eth_getBlockByNumber', ['latest', false])).timestamp,
    );
  };
  const atSnapshot = await callEthereum<string>(last, 'evm_snapshot');
  await callEthereum(last, 'evm_increaseTime', ['0x186a0']);
  const later = await minedAt();
  expect(await callEthereum(last, 'evm_revert', [atSnapshot])).toBe(true);
  expect(later - (await minedAt())).toBeGreaterThan(90_000);
  await fourth.kill('SIGKILL');
  const snapshots = join(home, 'data', 'snapshots');
  expect(await run(home, 'comet', 'reset-state')).toMatchObject({ code: 0 });
  expect([existsSync(snapshots), (await run(home, 'reset', '-y')).code, existsSync(snapshots)]).toEqual([
    true,
    0,
    false,
  ]);
}, 90_000);

/** Account 1 of the dev chain. */
const PAID = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
