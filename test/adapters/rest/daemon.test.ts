/** The steps of a wallet on the REST port of a running node: query, simulate, send, follow. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNTS, signedEthereum, signedSend } from '../../e2e/load.js';
import { type DaemonProcess, startDaemonProcess } from '../../support/daemon.js';

let daemon: DaemonProcess;
let rest: string;
beforeAll(async () => {
  daemon = await startDaemonProcess();
  rest = daemon.endpoints.rest ?? '';
});
afterAll(() => daemon.kill('SIGTERM'));

interface Answer {
  readonly status: number;
  readonly height: string | null;
  readonly json: unknown;
}

async function ask(path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(
    `${rest}${path}`,
    body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
  );
  return {
    status: answer.status,
    height: answer.headers.get('grpc-metadata-x-cosmos-block-height'),
    json: await answer.json(),
  };
}

/** The transaction once a block contains it. */
async function included(hash: string): Promise<unknown> {
  for (;;) {
    const { status, json } = await ask(`/cosmos/tx/v1beta1/txs/${hash}`);
    if (status === 200) return json;
    expect(status).toBe(404);
  }
}

describe('a wallet over REST', () => {
  it('sends a transaction and follows it into its block', async () => {
    const [from, to] = [ACCOUNTS[3]?.bech32, ACCOUNTS[4]?.bech32];
    const { tx, hash } = signedSend(3, 0n, 5n);
    expect((await ask(`/cosmos/auth/v1beta1/accounts/${from}`)).json).toMatchObject({
      account: { address: from, sequence: '0' },
    });
    const simulated = await ask('/cosmos/tx/v1beta1/simulate', { tx_bytes: tx });
    expect(simulated).toMatchObject({
      status: 200,
      json: { gas_info: { gas_used: expect.stringMatching(/^[1-9]\d{4,}$/) } },
    });

    expect((await ask('/cosmos/tx/v1beta1/txs', { tx_bytes: tx, mode: 'BROADCAST_MODE_SYNC' })).json).toMatchObject({
      tx_response: { txhash: hash, code: 0 },
    });
    expect(await included(hash)).toMatchObject({
      tx: {
        body: {
          messages: [
            {
              '@type': '/cosmos.bank.v1beta1.MsgSend',
              from_address: from,
              to_address: to,
              amount: [{ denom: 'achr', amount: '5' }],
            },
          ],
        },
      },
      tx_response: { txhash: hash, code: 0, height: expect.stringMatching(/^[1-9]\d*$/) },
    });
    expect((await ask(`/cosmos/auth/v1beta1/accounts/${from}`)).json).toMatchObject({ account: { sequence: '1' } });
    const found = await ask(`/cosmos/tx/v1beta1/txs?query=${encodeURIComponent(`tx.hash='${hash}'`)}`);
    expect(found.json).toMatchObject({ total: '1', tx_responses: [{ txhash: hash }] });
  });

  it('sends bytes as a list of numbers, like old clients', async () => {
    const { tx, hash } = signedSend(5, 0n);
    const answer = await ask('/cosmos/tx/v1beta1/txs', { txBytes: [...Buffer.from(tx, 'base64')], mode: 2 });
    expect(answer.json).toMatchObject({ tx_response: { txhash: hash, code: 0 } });
  });

  it('reads the signed bytes of an Ethereum transaction', async () => {
    const { tx, hash } = signedEthereum(6, 0n);
    await ask('/cosmos/tx/v1beta1/txs', { tx_bytes: tx, mode: 'BROADCAST_MODE_SYNC' });
    expect(await included(hash)).toMatchObject({
      tx: {
        body: {
          messages: [{ '@type': '/cosmos.evm.vm.v1.MsgEthereumTx', raw: expect.stringMatching(/^0x[0-9a-f]+$/) }],
        },
      },
    });
  });

  it('gets the same answers on both ports', async () => {
    const path = '/sdk/upgrade/v1beta1/module_versions';
    const [one, other] = await Promise.all(
      [rest, daemon.endpoints.rest_alias ?? ''].map(async (url) => (await fetch(`${url}${path}`)).json()),
    );
    expect(one).toEqual(other);
    expect(one).toMatchObject({ module_versions: expect.arrayContaining([{ name: 'bank', version: '4' }]) });
  });

  it('reads the parameters of every module of the chain', async () => {
    for (const path of [
      '/cosmos/auth/v1beta1/params',
      '/cosmos/bank/v1beta1/params',
      '/cosmos/consensus/v1/params',
      '/cosmos/evm/vm/v1/params',
      '/cosmos/evm/feemarket/v1/params',
      '/ethermint/evm/v1/params',
    ]) {
      expect(await ask(path), path).toMatchObject({ status: 200, json: { params: expect.anything() } });
    }
  });
});
