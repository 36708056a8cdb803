/** `chronicled abci` as a process. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseAbciAddress } from '../../src/adapters/abci/index.js';
import { AbciClient } from '../adapters/abci/abci-client.js';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess, temporaryFolder } from '../support/daemon.js';

const COMMIT = { case: 'commit', value: {} } as const;
const INFO = { case: 'info', value: {} } as const;

async function initialised(): Promise<string> {
  const home = temporaryFolder();
  expect(await chronicledHere(['init', '--home', home])).toMatchObject({ code: 0 });
  return home;
}

function serve(home: string, address: string): Promise<DaemonProcess> {
  return startDaemonProcess({ command: 'abci', home, args: ['--address', address] });
}

async function connectTo({ endpoints }: DaemonProcess): Promise<AbciClient> {
  const address = parseAbciAddress(endpoints.abci ?? '');
  if (address === undefined) throw new Error('no address in the ready file');
  return AbciClient.connect(address);
}

/** The address of the home's validator. */
function proposerOf(home: string): Uint8Array {
  const key: { readonly address: string } = JSON.parse(
    readFileSync(join(home, 'config', 'priv_validator_key.json'), 'utf8'),
  );
  return Buffer.from(key.address, 'hex');
}

/** The app hash of an empty block. */
async function finalize(client: AbciClient, home: string, height: bigint): Promise<Uint8Array> {
  const value = {
    height,
    hash: new Uint8Array(32).fill(Number(height)),
    time: { seconds: 1_900_000_000n + height },
    proposerAddress: proposerOf(home),
    nextValidatorsHash: new Uint8Array(32),
  };
  const answer = await client.call({ case: 'finalizeBlock', value });
  if (answer.case !== 'finalizeBlock') throw new Error(JSON.stringify(answer.value));
  return answer.value.appHash;
}

it('chronicled abci has every committed block after a kill, and no block that was only finalized', async () => {
  const home = await initialised();
  const address = `unix://${join(temporaryFolder(), 'app.sock')}`;
  let served = await serve(home, address);
  let client = await connectTo(served);
  const first = await finalize(client, home, 1n);
  await client.call(COMMIT);
  await finalize(client, home, 2n);
  await served.kill('SIGKILL');
  await client.ended;

  served = await serve(home, address);
  client = await connectTo(served);
  expect(await client.call(INFO)).toMatchObject({ value: { lastBlockHeight: 1n, lastBlockAppHash: first } });
  const second = await finalize(client, home, 2n);
  await client.call(COMMIT);
  await served.kill('SIGKILL');

  served = await serve(home, address);
  client = await connectTo(served);
  expect(await client.call(INFO)).toMatchObject({ value: { lastBlockHeight: 2n, lastBlockAppHash: second } });
  const metrics = await (await fetch(`${served.endpoints.metrics}/metrics`)).text();
  expect(metrics).toContain('chronicle_abci_requests_total{method="info"} 1');
  expect(metrics).toContain('chronicle_abci_connections{connection="query"} 1');
  expect(await served.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

it('chronicled abci exits with 3, 4 or 5 and names the bad --address or the home in use', async () => {
  const home = await initialised();
  const other = await initialised();
  const { endpoints } = await serve(home, 'tcp://127.0.0.1:0');
  const run = (own: string, address: string) =>
    chronicled(['abci', '--home', own, '--port-base', '0', '--address', address]);
  expect(await run(home, 'tcp://127.0.0.1:0')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('E_HOME_LOCKED'),
  });
  expect(await run(other, endpoints.abci ?? '')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`E_ADDRESS_IN_USE: Another process listens on ${endpoints.abci}.`),
  });
  expect(await run(other, 'http://127.0.0.1:1')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('E_CONFIG: --address: "http://127.0.0.1:1" is not an address'),
  });
  const file = join(temporaryFolder(), 'notes.txt');
  writeFileSync(file, 'mine');
  expect(await run(other, `unix://${file}`)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`E_CONFIG: --address: unix://${file}: the file that is there is no socket`),
  });
  expect(await run(other, 'unix:///no/such/folder/app.sock')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('E_CONFIG: --address: unix:///no/such/folder/app.sock: Error: listen'),
  });
});
