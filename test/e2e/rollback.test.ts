/** `rollback` of a stopped home: the last block is executed again, or removed with `--hard`; nothing else changes. */
import { expect, test } from 'vitest';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { call, latestHeight } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';
import { signedEither } from './load.js';

const MANUAL = ['--mining', 'manual'];
const BLOCKS = 4;

/** Height, block hash, and app hash for the next header. */
async function facts({ endpoints: { comet } }: DaemonProcess) {
  const height = await latestHeight(comet);
  const { block_id: id } = await call<{ readonly block_id: { readonly hash: string } }>(comet, 'block', {});
  const { response } = await call<{ readonly response: { readonly last_block_app_hash: string } }>(comet, 'abci_info');
  return { height, hash: id.hash, appHash: Buffer.from(response.last_block_app_hash, 'base64').toString('hex') };
}

test('rollback takes back one block, which the node executes again, and removes it with --hard', async () => {
  const home = temporaryFolder();
  const rollback = (...flags: readonly string[]) => chronicled(['rollback', ...flags, '--home', home]);
  expect(await rollback()).toMatchObject({ code: 10, stderr: expect.stringContaining(`no chain in ${home}\n`) });
  let daemon = await startDaemonProcess({ home, args: MANUAL });
  const mine = () => callEthereum(daemon.endpoints.eth_http ?? '', 'evm_mine');
  for (let made = 1; made < BLOCKS; made += 1) await mine();
  const before = await facts(daemon);
  const { tx, hash } = signedEither(0, 0n);
  await call(daemon.endpoints.comet, 'broadcast_tx_sync', { tx });
  await mine();
  const head = await facts(daemon);
  expect(head.height).toBe(before.height + 1);
  expect(await rollback(), 'while a node runs').toMatchObject({ code: 5 });
  await daemon.kill('SIGTERM');

  const rolled = await rollback();
  expect(rolled, rolled.stderr).toMatchObject({
    code: 0,
    stdout: `Rolled back state to height ${before.height} and hash ${before.appHash.toUpperCase()}\n`,
  });
  expect(await rollback(), 'the block waits to be executed').toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`block ${head.height} is decided`),
  });
  daemon = await startDaemonProcess({ home, args: MANUAL });
  expect(await facts(daemon)).toEqual(head);
  expect(await call(daemon.endpoints.comet, 'tx', { hash: Buffer.from(hash, 'hex').toString('base64') })).toMatchObject(
    {
      height: String(head.height),
      tx_result: { code: 0 },
    },
  );
  await daemon.kill('SIGTERM');

  expect((await rollback('--hard')).code).toBe(0);
  daemon = await startDaemonProcess({ home, args: MANUAL });
  expect(await facts(daemon)).toEqual(before);
  await expect(
    call(daemon.endpoints.comet, 'tx', { hash: Buffer.from(hash, 'hex').toString('base64') }),
  ).rejects.toThrow('not found');
  await mine();
  expect((await facts(daemon)).height).toBe(head.height);
  await daemon.kill('SIGTERM');
  const verified = await chronicledHere(['log', 'verify', '--execute', '-o', 'text', '--home', home]);
  expect(verified, verified.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(' 0 problems') });
  const rebuilt = await chronicledHere(['log', 'rebuild', '--home', home]);
  expect(rebuilt, rebuilt.stderr).toMatchObject({ code: 0 });
});
