import { expect, describe, test } from 'vitest';
import { callEthereum } from '../e2e/ethereum-client.js';
import { call, latestHeight } from '../e2e/comet-client.js';
import { signedEthereum, signedSend, type Signed } from '../e2e/load.js';
import type { DaemonProcess } from '../support/daemon.js';
import { hasCometbft } from './comet-process.js';
import { chronicled, makeNetwork, startApplication, startComet, until } from './cometbft.js';

interface Receipt {
  readonly status: string;
  readonly blockNumber: string;
  readonly blockHash: string;
}

const receiptOf = ({ endpoints }: DaemonProcess, { ethereum }: Signed): Promise<Receipt> =>
  until(() => callEthereum<Receipt | null>(endpoints.eth_http ?? '', 'eth_getTransactionReceipt', [ethereum?.hash]));

/** A transaction through the REST face. */
async function sendOverRest({ endpoints }: DaemonProcess, { tx }: Signed): Promise<unknown> {
  const response = await fetch(`${endpoints.rest}/cosmos/tx/v1beta1/txs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tx_bytes: tx, mode: 'BROADCAST_MODE_SYNC' }),
  });
  return response.json();
}

const heightOver = ({ endpoints }: DaemonProcess): Promise<number> =>
  callEthereum<string>(endpoints.eth_http ?? '', 'eth_blockNumber').then(Number);

describe.skipIf(!hasCometbft())('CometBFT with one validator over this node', () => {
  test('commits Ethereum and Cosmos transactions, and continues after a kill of each side', async () => {
    const [machine] = await makeNetwork(1);
    if (machine === undefined) throw new Error('no machine');
    let app = await startApplication(machine);
    let comet = startComet(machine);
    await until(async () => (await heightOver(app)) >= 2);

    const first = signedEthereum(1, 0n);
    await callEthereum(app.endpoints.eth_http ?? '', 'eth_sendRawTransaction', [first.ethereum?.raw]);
    const receipt = await receiptOf(app, first);
    expect(receipt.status).toBe('0x1');
    const height = Number(receipt.blockNumber);
    await until(async () => (await latestHeight(machine.rpc)) > height);
    const decided = await call<{ readonly block_id: { readonly hash: string } }>(machine.rpc, 'block', {
      height: `${height}`,
    });
    const hashes = await callEthereum(app.endpoints.eth_http ?? '', 'eth_getBlockHashes', [receipt.blockHash]);
    expect(hashes).toEqual({
      number: receipt.blockNumber,
      hash: receipt.blockHash,
      consensusHash: `0x${decided.block_id.hash.toLowerCase()}`,
    });
    const next = await call<{ readonly block: { readonly header: { readonly app_hash: string } } }>(
      machine.rpc,
      'block',
      { height: `${height + 1}` },
    );
    const block = await until(() =>
      callEthereum<{ readonly stateRoot: string } | null>(app.endpoints.eth_http ?? '', 'eth_getBlockByNumber', [
        `0x${(height + 1).toString(16)}`,
        false,
      ]),
    );
    expect(block.stateRoot).toBe(`0x${next.block.header.app_hash.toLowerCase()}`);

    // Sends one of each kind to the other engine.
    expect(await sendOverRest(app, signedSend(2, 0n))).toMatchObject({ tx_response: { code: 0 } });
    const direct = signedSend(3, 0n);
    expect(await call(machine.rpc, 'broadcast_tx_commit', { tx: direct.tx })).toMatchObject({
      check_tx: { code: 0 },
      tx_result: { code: 0 },
    });
    await until(() => call(machine.rpc, 'tx', { hash: Buffer.from(signedSend(2, 0n).hash, 'hex').toString('base64') }));

    const metricsOf = async (path: string): Promise<string> => (await fetch(`${app.endpoints.metrics}${path}`)).text();
    expect(JSON.parse(await metricsOf('/health'))).toMatchObject({ status: 'running' });
    const counted = await metricsOf('/metrics');
    for (const connection of ['query', 'snapshot', 'mempool', 'consensus'])
      expect(counted).toContain(`chronicle_abci_connections{connection="${connection}"} `);
    expect(counted).toMatch(/chronicle_abci_connections\{connection="consensus"\} 1\n/);
    expect(counted).toMatch(/chronicle_abci_requests_total\{method="commit"\} [1-9]/);

    // Kills the engine: the application survives, and transactions sent to it wait for the engine.
    await comet.kill('SIGKILL');
    await until(async () => JSON.parse(await metricsOf('/health')).status === 'waitingForEngine');
    const waiting = signedEthereum(4, 0n);
    await callEthereum(app.endpoints.eth_http ?? '', 'eth_sendRawTransaction', [waiting.ethereum?.raw]);
    comet = startComet(machine);
    expect((await receiptOf(app, waiting)).status).toBe('0x1');

    // Kills the application: the engine exits, and no acknowledged transaction is lost.
    const acknowledged = signedEthereum(5, 0n);
    await callEthereum(app.endpoints.eth_http ?? '', 'eth_sendRawTransaction', [acknowledged.ethereum?.raw]);
    await app.kill('SIGKILL');
    await comet.exited;
    app = await startApplication(machine);
    comet = startComet(machine);
    expect((await receiptOf(app, acknowledged)).status).toBe('0x1');
    expect(await receiptOf(app, first)).toEqual(receipt);

    await comet.kill('SIGTERM');
    expect(await app.kill('SIGTERM')).toMatchObject({ code: 0 });
    expect(JSON.parse(chronicled('log', 'verify', '--execute', '--home', machine.home))).toMatchObject({
      problems: [],
      execution: { disagreements: [] },
    });
  });
});
