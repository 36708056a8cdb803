import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { EXIT } from '../../src/config/exit-codes.js';
import { createRpcClient } from '../../src/cli/client/rpc-client.js';

test.each([
  ['/cosmos.slashing.v1beta1.Query/Params', 'slashing'],
  ['/ibc.core.client.v1.Query/ClientStates', 'ibc'],
  ['/ibc.applications.transfer.v1.Query/Params', 'transfer'],
])('a query of %s on a chain without it names the missing module %s', async (path, module) => {
  const response = { code: 6, codespace: 'sdk', log: 'unknown query path: unknown request' };
  const server = createServer((request, answer) => {
    request.resume().on('end', () => answer.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { response } })));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createRpcClient(`tcp://127.0.0.1:${port}`);
  await expect(client.abciQuery(path, new Uint8Array())).rejects.toMatchObject({
    exitCode: EXIT.notAvailable,
    message: `the chain of this node has no module ${module}`,
  });
});
