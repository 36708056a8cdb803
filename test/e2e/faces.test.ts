/** Five faces, one chain: every face shows the transactions and balances of every other. */
import { fromBinary } from '@bufbuild/protobuf';
import { credentials, makeGenericClientConstructor } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  QueryBalanceRequestSchema,
  QueryBalanceResponseSchema,
} from '../../src/core/proto/cosmos/bank/v1beta1/query_pb.js';
import { GetTxRequestSchema, GetTxResponseSchema } from '../../src/core/proto/cosmos/tx/v1beta1/service_pb.js';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { call } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';
import { ACCOUNTS, signedEthereum, signedSend } from './load.js';
import { encode } from '../support/encode.js';

const [, from, to] = ACCOUNTS;

let daemon: DaemonProcess;

beforeAll(async () => {
  daemon = await startDaemonProcess();
});

afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

function endpoints(): Omit<Required<DaemonProcess['endpoints']>, 'rest_alias' | 'abci'> {
  const { comet, metrics, eth_http: ethHttp, eth_ws: ethWs, grpc, rest } = daemon.endpoints;
  if (ethHttp === undefined || ethWs === undefined || grpc === undefined || rest === undefined)
    throw new Error('a face is not in the ready file');
  return { comet, metrics, eth_http: ethHttp, eth_ws: ethWs, grpc, rest };
}

/** A unary gRPC call with bytes in and out. */
function callGrpc(path: string, request: Uint8Array): Promise<Uint8Array> {
  const identity = {
    requestSerialize: (bytes: Buffer) => bytes,
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (bytes: Buffer) => bytes,
    responseDeserialize: (bytes: Buffer) => bytes,
  };
  const Client = makeGenericClientConstructor(
    { call: { path, requestStream: false, responseStream: false, ...identity } },
    'any',
  );
  const client = new Client(endpoints().grpc, credentials.createInsecure());
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      identity.requestSerialize,
      identity.responseDeserialize,
      Buffer.from(request),
      (error, answer) => {
        client.close();
        if (error !== null || answer === undefined) reject(error ?? new Error('no answer'));
        else resolve(answer);
      },
    );
  });
}

describe('a transaction', () => {
  it.each([
    ['of Ethereum', () => signedEthereum(1, 0n)],
    ['of Cosmos', () => signedSend(2, 0n)],
  ])('%s is found on every face by every hash', async (_, make) => {
    const made = make();
    const { comet, eth_http: ethereum, rest } = endpoints();
    const { height } = await call<{ readonly height: string }>(comet, 'broadcast_tx_commit', { tx: made.tx });
    const names = [made.hash, ...(made.ethereum === undefined ? [] : [made.ethereum.hash.slice(2)])];
    for (const name of names) {
      const bytes = Buffer.from(name, 'hex');
      expect(await call(comet, 'tx', { hash: bytes.toString('base64') })).toMatchObject({
        hash: made.hash,
        height,
        tx: made.tx,
      });
      for (const spelled of [name, name.toLowerCase()]) {
        const shown = await (await fetch(`${rest}/cosmos/tx/v1beta1/txs/${spelled}`)).json();
        expect(shown).toMatchObject({ tx_response: { txhash: made.hash, height, code: 0 } });
        const answered = fromBinary(
          GetTxResponseSchema,
          await callGrpc('/cosmos.tx.v1beta1.Service/GetTx', encode(GetTxRequestSchema, { hash: spelled })),
        );
        expect(answered.txResponse).toMatchObject({ txhash: made.hash, height: BigInt(height) });
      }
      const byCommand = await chronicledHere(['query', 'tx', name, '--node', comet, '--output', 'json']);
      expect(byCommand).toMatchObject({ code: 0 });
      expect(JSON.parse(byCommand.stdout)).toMatchObject({ txhash: made.hash, height });
      if (made.ethereum === undefined) continue;
      for (const method of ['eth_getTransactionByHash', 'eth_getTransactionReceipt']) {
        expect(await callEthereum(ethereum, method, [`0x${name.toLowerCase()}`])).toMatchObject({
          blockNumber: `0x${Number(height).toString(16)}`,
          from: from?.hex.toLowerCase(),
        });
      }
    }
  });
});

describe('a balance', () => {
  it('is the same on every face, for the hex and the bech32 address', async () => {
    const { comet, eth_http: ethereum, rest } = endpoints();
    const address = to?.bech32 ?? '';
    const balance = BigInt(await callEthereum<string>(ethereum, 'eth_getBalance', [to?.hex, 'latest'])).toString();
    for (const spelled of [address, to?.hex ?? '']) {
      const request = encode(QueryBalanceRequestSchema, { address: spelled, denom: 'achr' });
      expect(
        fromBinary(QueryBalanceResponseSchema, await callGrpc('/cosmos.bank.v1beta1.Query/Balance', request)).balance
          ?.amount,
      ).toBe(balance);
      const { response } = await call<{ readonly response: { readonly value: string } }>(comet, 'abci_query', {
        path: '/cosmos.bank.v1beta1.Query/Balance',
        data: Buffer.from(request).toString('hex'),
      });
      expect(fromBinary(QueryBalanceResponseSchema, Buffer.from(response.value, 'base64')).balance?.amount).toBe(
        balance,
      );
      expect(await (await fetch(`${rest}/cosmos/bank/v1beta1/balances/${spelled}/by_denom?denom=achr`)).json()).toEqual(
        { balance: { denom: 'achr', amount: balance } },
      );
    }
    const byCommand = await chronicledHere(['query', 'bank', 'balances', address, '--node', comet, '--output', 'json']);
    expect(JSON.parse(byCommand.stdout)).toMatchObject({ balances: [{ denom: 'achr', amount: balance }] });
  });

  it('at an earlier height is the same on every face', async () => {
    const { comet, eth_http: ethereum, rest } = endpoints();
    const before = await callEthereum<string>(ethereum, 'eth_getBalance', [to?.hex, 'latest']);
    const head = await callEthereum<string>(ethereum, 'eth_blockNumber');
    await call(comet, 'broadcast_tx_commit', { tx: signedSend(2, 1n).tx });
    expect(await callEthereum(ethereum, 'eth_getBalance', [to?.hex, head])).toBe(before);
    const answer = await fetch(`${rest}/cosmos/bank/v1beta1/balances/${to?.bech32}/by_denom?denom=achr`, {
      headers: { 'x-cosmos-block-height': String(Number(head)) },
    });
    expect(await answer.json()).toEqual({ balance: { denom: 'achr', amount: BigInt(before).toString() } });
    expect(answer.headers.get('grpc-metadata-x-cosmos-block-height')).toBe(String(Number(head)));
  });
});
