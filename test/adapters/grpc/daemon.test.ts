/**
 * Sending and simulating through a running node, by a client that knows the services only from reflection; the same
 * over abci_query.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, status } from '@grpc/grpc-js';
import { call } from '../../e2e/comet-client.js';
import { signedEthereum, signedSend } from '../../e2e/load.js';
import { type DaemonProcess, startDaemonProcess } from '../../support/daemon.js';
import { JsonClient, openClient } from './reflected-client.js';

let daemon: DaemonProcess;
let client: Client;
let services: JsonClient;
beforeAll(async () => {
  daemon = await startDaemonProcess();
  client = openClient(Number(daemon.endpoints.grpc?.split(':').at(-1)));
  services = new JsonClient(client);
});
afterAll(async () => {
  client.close();
  await daemon.kill('SIGTERM');
});

interface AbciAnswer {
  readonly response: {
    readonly code: number;
    readonly log: string;
    readonly value: string | null;
    readonly height: string;
  };
}
const abci = async (path: string, data = ''): Promise<AbciAnswer['response']> =>
  (await call<AbciAnswer>(daemon.endpoints.comet, 'abci_query', { path, data })).response;

describe('cosmos.tx.v1beta1.Service', () => {
  it('simulates a valid transaction, and reports the error of an invalid one', async () => {
    const { json } = await services.call('cosmos.tx.v1beta1.Service/Simulate', { tx_bytes: signedSend(3, 0n).tx });
    expect(json).toMatchObject({
      gas_info: { gas_used: expect.stringMatching(/^[1-9]\d{4,}$/) },
      result: { msg_responses: [{ '@type': '/cosmos.bank.v1beta1.MsgSendResponse' }] },
    });
    const { error } = await services.call('cosmos.tx.v1beta1.Service/Simulate', { tx_bytes: signedSend(3, 7n).tx });
    expect(error).toMatchObject({
      code: status.UNKNOWN,
      details: expect.stringMatching(
        /^account sequence mismatch, expected 0, got 7: incorrect account sequence with gas used: '\d+'$/,
      ),
    });
  });

  it('broadcasts a transaction once; the second time the answer has an error code', async () => {
    const { tx, hash } = signedSend(4, 0n);
    const request = { tx_bytes: tx, mode: 'BROADCAST_MODE_SYNC' };
    expect((await services.call('cosmos.tx.v1beta1.Service/BroadcastTx', request)).json).toEqual({
      tx_response: { txhash: hash },
    });
    expect((await services.call('cosmos.tx.v1beta1.Service/BroadcastTx', request)).json).toEqual({
      tx_response: { txhash: hash, codespace: 'sdk', code: 19 },
    });
    expect(
      (
        await services.call('cosmos.tx.v1beta1.Service/BroadcastTx', {
          ...request,
          mode: 'BROADCAST_MODE_ASYNC',
          tx_bytes: 'AAAA',
        })
      ).json,
    ).toMatchObject({ tx_response: { txhash: expect.stringMatching(/^[0-9A-F]{64}$/) } });
    expect((await services.call('cosmos.tx.v1beta1.Service/BroadcastTx', { tx_bytes: tx })).error).toMatchObject({
      code: status.UNKNOWN,
      details: 'unsupported return type unspecified; supported types: sync, async',
    });
  });
});

describe('EVM calls over gRPC', () => {
  /** JUMPDEST, PUSH1 0, JUMP. */
  const ENDLESS = '0x5b600056';
  const args = (call: object): string => Buffer.from(JSON.stringify(call)).toString('base64');

  it('run outside the main thread: an endless call is ended, and others are answered meanwhile', async () => {
    let over = false;
    const endless = services
      .call('cosmos.evm.vm.v1.Query/EthCall', { args: args({ data: ENDLESS }), gas_cap: '18446744073709551615' })
      .finally(() => (over = true));
    for (let calls = 0; calls < 20; calls++)
      expect((await services.call('cosmos.base.tendermint.v1beta1.Service/GetSyncing', {})).error).toBeUndefined();
    expect(over).toBe(false);
    expect((await endless).error).toMatchObject({ code: status.DEADLINE_EXCEEDED });
  });

  it('are answered, also over abci_query', async () => {
    const { json } = await services.call('cosmos.evm.vm.v1.Query/EstimateGas', {
      args: args({ to: `0x${'11'.repeat(20)}`, value: '0x0' }),
      gas_cap: '25000000',
    });
    expect(json).toMatchObject({ gas: '21000' });
    const request = Buffer.from(JSON.stringify({ data: '0x00' }));
    expect(
      await abci(
        '/cosmos.evm.vm.v1.Query/EthCall',
        Buffer.concat([Buffer.from([0x0a, request.length]), request, Buffer.from([0x10, 0xc0, 0x84, 0x3d])]).toString(
          'hex',
        ),
      ),
    ).toMatchObject({ code: 0 });
  });

  it('simulate an Ethereum transaction', async () => {
    const { json } = await services.call('cosmos.tx.v1beta1.Service/Simulate', { tx_bytes: signedEthereum(5, 0n).tx });
    expect(json).toMatchObject({
      gas_info: { gas_used: expect.stringMatching(/^[1-9]\d{4,}$/) },
      result: { msg_responses: [{ '@type': '/cosmos.evm.vm.v1.MsgEthereumTxResponse' }] },
    });
  });
});

describe('abci_query', () => {
  it('answers services of the node with its own error texts', async () => {
    const asked = Buffer.from([0x0a, 4, ...Buffer.from('ABCD')]).toString('hex');
    expect(await abci('/cosmos.tx.v1beta1.Service/GetTx', asked)).toMatchObject({
      code: 22,
      log: 'rpc error: code = NotFound desc = tx not found: ABCD: key not found',
    });
    expect(await abci('/cosmos.tx.v1beta1.Service/GetTx', '0a05')).toMatchObject({ code: 18 });
    expect(await abci('/cosmos.tx.v1beta1.Service/BroadcastTx')).toMatchObject({
      code: 18,
      log: "can't route a broadcast tx message: invalid request",
    });
    expect(await abci('/cosmos.base.node.v1beta1.Service/Config')).toMatchObject({ code: 0 });
    expect(await abci('/cosmos.base.nope.v1beta1.Service/Config')).toMatchObject({ code: 6 });
  });

  it('answers the other names of a query', async () => {
    for (const [alias, name] of [
      ['/ethermint.evm.v1.Query/Params', '/cosmos.evm.vm.v1.Query/Params'],
      ['/sdk.upgrade.v1beta1.Query/ModuleVersions', '/cosmos.upgrade.v1beta1.Query/ModuleVersions'],
    ] as const) {
      const there = await abci(name);
      expect(there).toMatchObject({ code: 0, value: expect.stringMatching(/.{8}/) });
      expect((await abci(alias)).value).toBe(there.value);
    }
  });
});
