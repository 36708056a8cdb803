/** Answers of the APIs behind the explorer's port, as its views read them. */
import { afterEach, expect, it, vi } from 'vitest';
import { restOrNull } from '../../../src/adapters/pages/browser/data/faces.js';
import { searchTxs } from '../../../src/adapters/pages/browser/data/recent.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Answers each path with the first entry whose key its URL contains. */
function answerWith(answers: readonly (readonly [part: string, status: number, body: string])[]): void {
  vi.stubGlobal('fetch', (path: string) => {
    const [, status = 500, body = ''] = answers.find(([part]) => path.includes(part)) ?? [];
    return Promise.resolve(new Response(body, { headers: { 'x-status': `${status}` } }));
  });
}

it('transactions are searched by REST when the consensus RPC is disabled', async () => {
  const events = [{ type: 'message', attributes: [{ key: 'action', value: '/cosmos.bank.v1beta1.MsgSend' }] }];
  const found = { txhash: 'AB', height: '7', code: 5, gas_used: '9', events };
  answerWith([
    ['/comet/', 404, '{"message":"this face of the node is not open"}'],
    [
      '/txs?query=tx.height%20%3E%200&order_by=ORDER_BY_DESC&page=2&limit=3',
      200,
      JSON.stringify({ tx_responses: [found], total: '4' }),
    ],
  ]);
  const { rows, total } = await searchTxs('tx.height > 0', 2, 3, 'achr');
  expect([total, rows]).toEqual([
    4,
    [expect.objectContaining({ hash: '0xab', world: 'cosmos', height: '7', ok: false, what: 'MsgSend', gasUsed: '9' })],
  ]);
});

it('an error of the consensus RPC is not retried over REST', async () => {
  answerWith([['/comet/', 200, '{"error":{"code":-32603,"message":"no","data":"bad query"}}']]);
  await expect(searchTxs('x', 1, 3, 'achr')).rejects.toThrow('bad query');
});

it('a name without a REST route is absent, and a pruned height is an error', async () => {
  answerWith([
    ['/token_pairs/x%2F%2F', 301, ''],
    ['/supply', 500, '{"code":2,"message":"height 3 is not available"}'],
  ]);
  expect(await restOrNull('/cosmos/evm/erc20/v1/token_pairs/x%2F%2F')).toBeNull();
  await expect(restOrNull('/supply')).rejects.toThrow('not available');
});
