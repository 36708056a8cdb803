/** Unmodified clients on a running daemon: cosmjs over HTTP and websocket, and plain fetch. */
import { createHash } from 'node:crypto';
import { stringToPath } from '@cosmjs/crypto';
import { DirectEthSecp256k1HdWallet, type OfflineDirectSigner } from '@cosmjs/proto-signing';
import {
  assertIsDeliverTxSuccess,
  GasPrice,
  type MsgSendEncodeObject,
  SigningStargateClient,
  type StdFee,
} from '@cosmjs/stargate';
import { Comet38Client } from '@cosmjs/tendermint-rpc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TxRawSchema } from '../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { verifyChain } from '../core/comet/outside-verifier.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { call, callError, getJson, latestHeight } from './comet-client.js';
import { encode } from '../support/encode.js';

const CHAIN_ID = 'chronicle_271828-1';
const FEE: StdFee = { amount: [{ denom: 'achr', amount: '400000000000000' }], gas: '200000' };
const PATHS = [0, 1, 2].map((index) => stringToPath(`m/44'/60'/0'/0/${index}`));
const FUNDED = 10_000n * 10n ** 18n;

let daemon: DaemonProcess;
let base: string;
let client: SigningStargateClient;
let addresses: readonly string[];

beforeAll(async () => {
  daemon = await startDaemonProcess();
  base = daemon.endpoints.comet;
  const wallet = await DirectEthSecp256k1HdWallet.fromMnemonic(
    'test test test test test test test test test test test junk',
    { prefix: 'chron', hdPaths: PATHS },
  );
  addresses = (await wallet.getAccounts()).map(({ address }) => address);
  client = await connect(wallet);
});

afterAll(async () => {
  client.disconnect();
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

describe('cosmjs', () => {
  it('sends with simulated gas, and every route gives the same transaction back', async () => {
    const [from = '', to = ''] = addresses;
    // While the account has no key on the chain, cosmjs simulates with the wrong kind of key and estimates too little
    // gas.
    assertIsDeliverTxSuccess(await client.sendTokens(from, to, [{ denom: 'achr', amount: '1' }], FEE));
    const before = BigInt((await client.getBalance(to, 'achr')).amount);
    const sent = await client.sendTokens(from, to, [{ denom: 'achr', amount: '12345' }], 'auto', 'by cosmjs');
    assertIsDeliverTxSuccess(sent);
    expect(BigInt((await client.getBalance(to, 'achr')).amount)).toBe(before + 12_345n);

    const indexed = await client.getTx(sent.transactionHash);
    expect(indexed).toMatchObject({ height: sent.height, code: 0, hash: sent.transactionHash, gasUsed: sent.gasUsed });
    const hash = Buffer.from(sent.transactionHash, 'hex').toString('base64');
    const tx = await call<TxAnswer>(base, 'tx', { hash, prove: true });
    expect(tx.height).toBe(String(sent.height));
    expect(createHash('sha256').update(Buffer.from(tx.tx, 'base64')).digest('base64')).toBe(hash);
    expect(tx.proof?.data).toBe(tx.tx);
    const { proof: _, ...shown } = tx;
    const sequence = await client.getSequence(from);
    for (const query of [
      `tx.hash='${sent.transactionHash}'`,
      `tx.height=${sent.height}`,
      `message.sender='${from}' AND tx.height>=${sent.height}`,
      `transfer.recipient='${to}' AND transfer.amount='12345achr'`,
      `tx.acc_seq='${from}/${sequence.sequence - 1}'`,
    ]) {
      const found = await call<{ readonly txs: readonly TxAnswer[]; readonly total_count: string }>(base, 'tx_search', {
        query,
      });
      expect(found, query).toEqual({ txs: [shown], total_count: '1' });
    }
    const { block } = await call<BlockAnswer>(base, 'block', { height: String(sent.height) });
    expect(block.data.txs[tx.index]).toBe(tx.tx);
    const results = await call<{ readonly txs_results: readonly unknown[] }>(base, 'block_results', {
      height: String(sent.height),
    });
    expect(results.txs_results[tx.index]).toEqual(tx.tx_result);
  });

  it('is told of its transaction by subscription', async () => {
    const [from = '', , to = ''] = addresses;
    const comet = await Comet38Client.connect(base.replace('http', 'ws'));
    try {
      const events = comet.subscribeTx(`tm.event = 'Tx' AND message.sender = '${from}'`);
      const told = new Promise<{ readonly height: number; readonly hash: Uint8Array }>((resolve, reject) => {
        events.addListener({ next: resolve, error: reject });
      });
      // The subscription is registered once a later request on the same socket is answered.
      await comet.status();
      const hash = await client.signAndBroadcastSync(from, [send(from, to, '7')], FEE);
      const event = await told;
      expect(Buffer.from(event.hash).toString('hex').toUpperCase()).toBe(hash);
      expect((await client.getTx(hash))?.height).toBe(event.height);
    } finally {
      comet.disconnect();
    }
  });

  it('finishes broadcast_tx_commit with the height of the block', async () => {
    const [, from = '', to = ''] = addresses;
    const bytes = await signedBytes(client, from, [send(from, to, '1')], await client.getSequence(from));
    const answer = await call<CommitAnswer>(base, 'broadcast_tx_commit', { tx: Buffer.from(bytes).toString('base64') });
    expect(answer.check_tx.code ?? 0).toBe(0);
    expect(answer.tx_result.code ?? 0).toBe(0);
    const { block } = await call<BlockAnswer>(base, 'block', { height: answer.height });
    expect(block.data.txs).toContain(Buffer.from(bytes).toString('base64'));
  });
});

describe('a transaction that is refused says why and changes nothing', () => {
  it('refuses a sequence that is not the next with sdk 32', async () => {
    const [from = '', to = ''] = addresses;
    await refused(from, { code: 32, codespace: 'sdk', log: 'account sequence mismatch' }, async (at) =>
      signedBytes(client, from, [send(from, to, '1')], { ...at, sequence: at.sequence + 7 }),
    );
  });

  it('refuses a signature for another chain with sdk 4', async () => {
    const [from = '', to = ''] = addresses;
    await refused(from, { code: 4, codespace: 'sdk', log: 'signature verification failed' }, async (at) =>
      signedBytes(client, from, [send(from, to, '1')], at, 'chronicle_271829-1'),
    );
  });

  it('refuses an account that does not exist with sdk 9, one that cannot pay its fee with sdk 5', async () => {
    const wallet = await DirectEthSecp256k1HdWallet.generate(12, { prefix: 'chron', hdPaths: PATHS.slice(0, 1) });
    const [{ address: poor } = { address: '' }] = await wallet.getAccounts();
    const theirs = await connect(wallet);
    try {
      const unknown = await signedBytes(theirs, poor, [send(poor, poor, '1')], { accountNumber: 0n, sequence: 0 });
      const first = await call<SyncAnswer>(base, 'broadcast_tx_sync', { tx: Buffer.from(unknown).toString('base64') });
      expect(first).toMatchObject({ code: 9, codespace: 'sdk', log: expect.stringContaining('does not exist') });

      const [from = ''] = addresses;
      assertIsDeliverTxSuccess(await client.sendTokens(from, poor, [{ denom: 'achr', amount: '5' }], FEE));
      const bytes = await signedBytes(theirs, poor, [send(poor, from, '1')], await theirs.getSequence(poor));
      const second = await call<SyncAnswer>(base, 'broadcast_tx_sync', { tx: Buffer.from(bytes).toString('base64') });
      expect(second).toMatchObject({ code: 5, codespace: 'sdk', log: expect.stringContaining('insufficient funds') });
      expect((await client.getBalance(poor, 'achr')).amount).toBe('5');
    } finally {
      theirs.disconnect();
    }
  });

  it('refuses the same bytes again while they wait and after they were committed', async () => {
    const [from = '', to = ''] = addresses;
    const bytes = await signedBytes(client, from, [send(from, to, '3')], await client.getSequence(from));
    const tx = Buffer.from(bytes).toString('base64');
    const answers = await Promise.all(
      [1, 2].map(async () => getJson(base, `/broadcast_tx_sync?tx=0x${Buffer.from(bytes).toString('hex')}`)),
    );
    expect(answers.filter((answer) => JSON.stringify(answer).includes('tx already exists in cache'))).toHaveLength(1);
    const hash = createHash('sha256').update(bytes).digest('hex').toUpperCase();
    // The next sequence is known only after the block that holds the transaction.
    while ((await client.getTx(hash)) === null);
    await client.broadcastTx(await another(from, to), 30_000, 20);
    const before = await client.getBalance(to, 'achr');
    const again = await callError(base, 'broadcast_tx_sync', { tx });
    expect(again).toEqual({ code: -32603, message: 'Internal error', data: 'tx already exists in cache' });
    expect(await client.getBalance(to, 'achr')).toEqual(before);
  });
});

it('the whole chain stands up to a verifier that shares no code with it', async () => {
  const height = await latestHeight(base);
  const { headers, signatures } = await verifyChain((route) => getJson(base, route), 1, height);
  expect({ headers, signatures }).toEqual({ headers: height, signatures: height });
  const supply = await Promise.all(
    addresses.map(async (address) => BigInt((await client.getBalance(address, 'achr')).amount)),
  );
  expect(supply.reduce((sum, amount) => sum + amount)).toBeLessThan(3n * FUNDED);
});

interface TxAnswer {
  readonly hash: string;
  readonly height: string;
  readonly index: number;
  readonly tx: string;
  readonly tx_result: { readonly code?: number };
  readonly proof?: { readonly data: string };
}
interface BlockAnswer {
  readonly block: { readonly data: { readonly txs: readonly string[] } };
}
interface SyncAnswer {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
}
interface CommitAnswer {
  readonly check_tx: { readonly code?: number };
  readonly tx_result: { readonly code?: number };
  readonly height: string;
}
interface At {
  readonly accountNumber: bigint;
  readonly sequence: number;
}

function connect(wallet: OfflineDirectSigner): Promise<SigningStargateClient> {
  return SigningStargateClient.connectWithSigner(base, wallet, {
    gasPrice: GasPrice.fromString('2000000000achr'),
    broadcastPollIntervalMs: 20,
  });
}

function send(fromAddress: string, toAddress: string, amount: string): MsgSendEncodeObject {
  return {
    typeUrl: '/cosmos.bank.v1beta1.MsgSend',
    value: { fromAddress, toAddress, amount: [{ denom: 'achr', amount }] },
  };
}

async function signedBytes(
  signer: SigningStargateClient,
  from: string,
  messages: readonly MsgSendEncodeObject[],
  at: At,
  chainId = CHAIN_ID,
): Promise<Uint8Array> {
  const { bodyBytes, authInfoBytes, signatures } = await signer.sign(from, messages, FEE, '', { ...at, chainId });
  return encode(TxRawSchema, { bodyBytes, authInfoBytes, signatures: [...signatures] });
}

/** The next transaction of the same account: committed after the one before it. */
async function another(from: string, to: string): Promise<Uint8Array> {
  const at = await client.getSequence(from);
  const waiting = await call<{ readonly n_txs: string }>(base, 'num_unconfirmed_txs');
  return signedBytes(client, from, [send(from, to, '4')], { ...at, sequence: at.sequence + Number(waiting.n_txs) });
}

/** Broadcasts the transaction of `make` and expects the refusal, with unchanged sequence and balance of the sender. */
async function refused(from: string, expected: SyncAnswer, make: (at: At) => Promise<Uint8Array>): Promise<void> {
  const at = await client.getSequence(from);
  const balance = await client.getBalance(from, 'achr');
  const answer = await call<SyncAnswer>(base, 'broadcast_tx_sync', {
    tx: Buffer.from(await make(at)).toString('base64'),
  });
  expect(answer).toMatchObject({ ...expected, log: expect.stringContaining(expected.log) });
  expect(await client.getSequence(from)).toEqual(at);
  expect(await client.getBalance(from, 'achr')).toEqual(balance);
}
