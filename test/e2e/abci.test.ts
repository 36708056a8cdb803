/** `chronicled abci --app kvstore` as a process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseAbciAddress } from '../../src/adapters/abci/index.js';
import { text, utf8 } from '../../src/core/bytes/bytes.js';
import { AbciClient } from '../adapters/abci/abci-client.js';
import { chronicled } from '../support/command.js';
import { type DaemonProcess, startDaemonProcess, temporaryFolder } from '../support/daemon.js';

const COMMIT = { case: 'commit', value: {} } as const;

function serve(home: string, address: string): Promise<DaemonProcess> {
  return startDaemonProcess({ command: 'abci', home, args: ['--app', 'kvstore', '--address', address] });
}

async function connectTo({ endpoints }: DaemonProcess): Promise<AbciClient> {
  const address = parseAbciAddress(endpoints.abci ?? '');
  if (address === undefined) throw new Error('no address in the ready file');
  return AbciClient.connect(address);
}

/** Executes a block of one transaction. */
async function finalize(client: AbciClient, height: bigint, tx: string): Promise<void> {
  const answer = await client.call({ case: 'finalizeBlock', value: { height, txs: [utf8(tx)] } });
  expect(answer).toMatchObject({ case: 'finalizeBlock', value: { txResults: [{ code: 0 }] } });
}

async function valueOf(client: AbciClient, key: string): Promise<string> {
  const answer = await client.call({ case: 'query', value: { data: utf8(key) } });
  return answer.case === 'query' ? text(answer.value.value) : `${answer.case}`;
}

it('keeps what was committed, and nothing else, over a kill', async () => {
  const home = temporaryFolder();
  const address = `unix://${join(temporaryFolder(), 'app.sock')}`;
  let served = await serve(home, address);
  let client = await connectTo(served);
  await client.call({ case: 'initChain', value: { chainId: 'kv' } });
  await finalize(client, 1n, 'a=1');
  await client.call(COMMIT);
  await finalize(client, 2n, 'a=2');
  expect(await valueOf(client, 'a')).toBe('1');
  await served.kill('SIGKILL');
  await client.ended;

  served = await serve(home, address);
  client = await connectTo(served);
  expect(await client.call({ case: 'info', value: {} })).toMatchObject({
    value: { data: '{"size":1}', lastBlockHeight: 1n, lastBlockAppHash: Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0) },
  });
  expect(await valueOf(client, 'a')).toBe('1');
  await finalize(client, 2n, 'a=2');
  await client.call(COMMIT);
  await served.kill('SIGKILL');

  served = await serve(home, address);
  client = await connectTo(served);
  expect(await client.call({ case: 'info', value: {} })).toMatchObject({ value: { lastBlockHeight: 2n } });
  expect(await valueOf(client, 'a')).toBe('2');
  const metrics = await (await fetch(`${served.endpoints.metrics}/metrics`)).text();
  expect(metrics).toContain('chronicle_abci_requests_total{method="info"} 1');
  expect(metrics).toContain('chronicle_abci_connections{connection="query"} 1');
  expect(await served.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

it('says what is wrong with its options, with the exit codes of the table', async () => {
  const home = temporaryFolder();
  const { endpoints } = await serve(home, 'tcp://127.0.0.1:0');
  const run = (own: string, address: string) =>
    chronicled(['abci', '--app', 'kvstore', '--home', own, '--port-base', '0', '--address', address]);
  expect(await run(home, 'tcp://127.0.0.1:0')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('E_HOME_LOCKED'),
  });
  expect(await run(temporaryFolder(), endpoints.abci ?? '')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`E_ADDRESS_IN_USE: Another process listens on ${endpoints.abci}.`),
  });
  expect(await run(temporaryFolder(), 'http://127.0.0.1:1')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('E_CONFIG: --address: "http://127.0.0.1:1" is not an address'),
  });
  const file = join(temporaryFolder(), 'notes.txt');
  writeFileSync(file, 'mine');
  expect(await run(temporaryFolder(), `unix://${file}`)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`E_CONFIG: --address: unix://${file}: the file that is there is no socket`),
  });
  expect(await run(temporaryFolder(), 'unix:///no/such/folder/app.sock')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('E_CONFIG: --address: unix:///no/such/folder/app.sock: Error: listen'),
  });
});
