/** Bad requests of an engine to `chronicled abci`: each gets an exception, and the chain does not change. */
import { expect, it } from 'vitest';
import { frame } from '../../src/adapters/abci/frames.js';
import { parseAbciAddress } from '../../src/adapters/abci/index.js';
import { utf8 } from '../../src/core/bytes/bytes.js';
import { AbciClient, encoded, type RequestValue } from '../adapters/abci/abci-client.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess, temporaryFolder } from '../support/daemon.js';

const COMMIT: RequestValue = { case: 'commit', value: {} };
const INFO: RequestValue = { case: 'info', value: {} };
const OTHER_CHAIN: RequestValue = { case: 'initChain', value: { chainId: 'another-1', initialHeight: 1n } };
const AHEAD: RequestValue = { case: 'finalizeBlock', value: { height: 7n, hash: new Uint8Array(32) } };

it('chronicled abci answers bad requests of an engine with an exception, and its chain stays', async () => {
  const home = temporaryFolder();
  expect(await chronicledHere(['init', '--home', home])).toMatchObject({ code: 0 });
  const daemon = await startDaemonProcess({ command: 'abci', home, args: ['--address', 'tcp://127.0.0.1:0'] });
  const address = parseAbciAddress(daemon.endpoints.abci ?? '');
  if (address === undefined) throw new Error('no address in the ready file');
  const before = await (await AbciClient.connect(address)).call(INFO);
  expect(before).toMatchObject({ value: { lastBlockHeight: 0n } });

  for (const [bytes, reason] of [
    [frame(utf8('garbage')), 'not a request of ABCI'],
    [Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x7f), 'at most 104857600 are read'],
    [encoded(COMMIT), 'the engine commits a block that it did not finalize'],
    [encoded(AHEAD), 'the engine decides block 7; the log of this home goes on with 1'],
    [encoded(OTHER_CHAIN), 'the genesis of the engine has chain id another-1'],
  ] as const) {
    const client = await AbciClient.connect(address);
    client.sendBytes(bytes);
    expect(await client.next()).toMatchObject({ case: 'exception', value: { error: expect.stringContaining(reason) } });
    await client.ended;
    expect(daemon.stderr()).toContain(reason);
  }
  const half = await AbciClient.connect(address);
  half.sendBytes(encoded(AHEAD).subarray(0, 10));
  half.end();
  await half.ended;

  expect(await (await AbciClient.connect(address)).call(INFO)).toEqual(before);
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const { code, stdout } = await chronicledHere(['log', 'verify', '--home', home]);
  expect({ code, problems: JSON.parse(stdout).problems }).toEqual({ code: 0, problems: [] });
});
