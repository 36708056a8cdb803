/** Forms of older SDK command lines that are still accepted, and output that scripts read. */
import { describe, expect, test } from 'vitest';
import { isMnemonic } from '../../src/core/keys/mnemonic.js';
import { ACCOUNTS, signedEthereum } from '../e2e/load.js';
import { fakeNode, type Methods, runCli, statusMethod, txServices } from './support.js';

const address = ACCOUNTS[3]?.bech32 ?? '';
const NONCES = [0n, 1n, 2n, 5n, 6n, 9n, 12n];

/** A node whose tx_search finds the Ethereum transactions of one account only. */
function ethereumNode() {
  const txs = NONCES.map((nonce) => signedEthereum(3, nonce));
  const methods: Methods = {
    ...statusMethod,
    tx_search: (params) => {
      const isOurs =
        params['query'] === `message.action='/cosmos.evm.vm.v1.MsgEthereumTx' AND message.sender='${address}'`;
      const one = isOurs ? txs[Number(params['page']) - 1] : undefined;
      const found = one && [{ hash: one.hash, height: '7', index: 0, tx: one.tx, tx_result: { code: 0 } }];
      return { result: { txs: found ?? [], total_count: isOurs ? String(txs.length) : '0' } };
    },
    block: () => ({ result: { block: { header: { time: '2026-01-01T00:00:00Z' } } } }),
  };
  return fakeNode(methods, txServices());
}

describe('query tx <address>/<sequence>', () => {
  test('finds Ethereum transactions by their nonces, for every form of the address', async () => {
    const node = await ethereumNode();
    for (const spelling of [address, ACCOUNTS[3]?.hex ?? '', (ACCOUNTS[3]?.hex ?? '').toLowerCase(), 'dev3'])
      for (const nonce of NONCES) {
        const run = await runCli(['query', 'tx', `${spelling}/${nonce}`, '-o', 'json', '--node', node.address]);
        expect(run.code, run.stderr).toBe(0);
        expect(JSON.parse(run.stdout)).toMatchObject({ txhash: signedEthereum(3, nonce).hash });
      }
    expect(node.asked.filter(({ method }) => method === 'tx_search').length).toBeLessThan(4 * NONCES.length * 5);
  });

  test('ends with 10 when there is no such transaction', async () => {
    const node = await ethereumNode();
    for (const which of [`${address}/3`, `${address}/13`, `dev4/0`])
      expect(await runCli(['query', 'tx', which, '--node', node.address])).toMatchObject({
        code: 10,
        stderr: 'Error: found no txs matching given address and sequence combination\n',
      });
  });
});

describe('query txs --events', () => {
  test.each([
    ['message.sender=a&message.action=/x.Msg', "message.sender='a' AND message.action='/x.Msg'"],
    ["message.sender='a'&tx.height=7", "message.sender='a' AND tx.height=7"],
    ['transfer.amount=1=2', "transfer.amount='1=2'"],
    ['tx.height<=200', 'tx.height<=200'],
    ['tx.height>5&tx.height < 9', 'tx.height>5 AND tx.height<9'],
    ['message.sender EXISTS&message.action CONTAINS Msg', "message.sender EXISTS AND message.action CONTAINS 'Msg'"],
  ])('translates %s to the query %s', async (events, query) => {
    const node = await fakeNode({ tx_search: () => ({ result: { txs: [], total_count: '0' } }) });
    const run = await runCli(['query', 'txs', '--events', events, '--node', node.address]);
    expect(run.code, run.stderr).toBe(0);
    expect(node.asked[0]?.params['query']).toBe(query);
  });

  test('refuses an invalid condition, --events together with --query, and no condition', async () => {
    for (const words of [
      ['--events', 'nothing'],
      ['--events', 'a=b'],
      ['--events', 'a.b='],
      ['--events', 'a.b<='],
      ['--events', 'a.b EXISTS x'],
      ['--events', 'a.b=c', '--query', 'a.b=1'],
      [],
    ])
      expect((await runCli(['query', 'txs', ...words, '--node', 'tcp://127.0.0.1:1'])).code, words.join(' ')).toBe(2);
  });
});

test('--gas auto prints its estimate on standard error', async () => {
  const node = await fakeNode(
    { ...statusMethod, broadcast_tx_sync: () => ({ result: { code: 0, hash: 'AB'.repeat(32), log: '', data: '' } }) },
    txServices(),
  );
  const send = ['tx', 'bank', 'send', 'dev0', 'dev1', '7achr', '-y', '--node', node.address];
  expect(await runCli([...send, '--gas', 'auto'])).toMatchObject({ code: 0, stderr: 'gas estimate: 150002\n' });
  expect(await runCli(send)).toMatchObject({ code: 0, stderr: '' });
});

test('keys add prints the mnemonic in its JSON, else on standard error, and never with --no-backup', async () => {
  const made = await runCli(['keys', 'add', 'mine', '-o', 'json', '--home', '/h']);
  const { mnemonic }: { readonly mnemonic: string } = JSON.parse(made.stdout);
  expect(isMnemonic(mnemonic)).toBe(true);
  expect(made.stderr).toBe('');
  const quiet = await runCli(['keys', 'add', 'mine', '-o', 'json', '--no-backup', '--home', '/h']);
  expect(JSON.parse(quiet.stdout)).not.toHaveProperty('mnemonic');
  const text = await runCli(['keys', 'add', 'mine', '--home', '/h']);
  expect(text.stdout).not.toContain(mnemonic);
  expect(text.stderr).toContain(mnemonic);
});
