/** Requests of methods by other clients, as the explorer's view of the API shows them. */
import { expect, it } from 'vitest';
import { consensusMethods, restMethods, rpcMethods } from '../../../src/adapters/pages/browser/data/catalogue.js';
import { requestsOf } from '../../../src/adapters/pages/browser/data/method-requests.js';

const AT = {
  ethereum: 'http://127.0.0.1:1',
  consensus: 'http://127.0.0.1:2',
  rest: 'http://127.0.0.1:3',
  grpc: '127.0.0.1:4',
};

function textsOf(method: Parameters<typeof requestsOf>[0] | undefined, texts: readonly string[]) {
  if (method === undefined) throw new Error('no method');
  return requestsOf(method, texts, AT).map(({ client, text }) => [client, text.split('\n').at(-1)]);
}

it('example requests of each API use its clients, with quotes that a shell accepts', () => {
  const [call] = rpcMethods({ methods: [{ name: 'eth_x', params: [{ name: 'a', schema: {} }] }] });
  expect(textsOf(call, [`it's`])).toEqual([
    [
      'curl',
      `curl -s http://127.0.0.1:1 -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"eth_x","params":["it'\\''s"]}'`,
    ],
    ['cast', `cast rpc eth_x '"it'\\''s"' --rpc-url http://127.0.0.1:1`],
    ['viem', `await client.request({ method: 'eth_x', params: ["it's"] });`],
  ]);
  const [block] = consensusMethods('<a href="x">//127.0.0.1:2/tx?hash=_&prove=_</a>');
  expect(textsOf(block, ['"AB"', 'true'])).toEqual([
    ['curl', `curl -s 'http://127.0.0.1:2/tx?hash=%22AB%22&prove=true'`],
    ['cosmjs', `await client.execute({ jsonrpc: '2.0', id: 1, method: 'tx', params: {"hash":"AB","prove":true} });`],
  ]);
  const parameters = [
    { name: 'address', in: 'path', schema: {} },
    { name: 'pagination.limit', in: 'query', schema: {} },
    { name: 'x-cosmos-block-height', in: 'header', schema: {} },
  ];
  const operation = { operationId: 'cosmos.bank.v1beta1.Query.AllBalances', parameters };
  const [balances] = restMethods({ paths: { '/bank/{address}': { get: operation } } });
  expect(textsOf(balances, ['dev1', '5', '7'])).toEqual([
    ['curl', `curl -s -H 'x-cosmos-block-height: 7' 'http://127.0.0.1:3/bank/dev1?pagination.limit=5'`],
    [
      'gRPC',
      `grpcurl -plaintext -H 'x-cosmos-block-height: 7' -d '{"address":"dev1","pagination":{"limit":"5"}}' 127.0.0.1:4 cosmos.bank.v1beta1.Query/AllBalances`,
    ],
  ]);
});
