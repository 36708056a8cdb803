import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRest, REST_BODY_TOO_LARGE } from '../../../src/adapters/rest/index.js';
import { createServer, type Server } from '../../../src/adapters/transport/index.js';
import { createHostTimers } from '../../../src/runtime/host/time.js';
import { recordedServices } from '../services/recorded-services.js';
import { hasGolden } from '../../support/golden.js';

const ORIGIN = 'http://localhost:5173';

describe.skipIf(!hasGolden).each(['uws', 'node'] as const)('REST through the %s transport', (preferred) => {
  const servers: Server[] = [];
  const urls: string[] = [];
  const defects: unknown[] = [];
  beforeAll(async () => {
    const http = createRest((await recordedServices(20n)).services, { version: '0.0.0' });
    // The two ports of the default configuration, 1317 and 9091.
    for (let port = 0; port < 2; port++) {
      const server = await createServer({
        http,
        preferred,
        exposure: { hosts: [], origins: [ORIGIN] },
        limits: { bodyBytes: 4_096, messageBytes: 1, webSockets: 1 },
        tooLarge: REST_BODY_TOO_LARGE,
        timers: createHostTimers(),
        onDefect: (error) => defects.push(error),
      });
      const listening = await server.listen('127.0.0.1', 0);
      if (!listening.ok) throw new Error(listening.code);
      servers.push(server);
      urls.push(`http://127.0.0.1:${listening.port}`);
    }
  }, 60_000);
  afterAll(async () => {
    for (const server of servers) await server.close(false);
    expect(defects).toEqual([]);
  });

  it('serves one handler on two ports', async () => {
    const answers = await Promise.all(
      urls.map(async (url) => (await fetch(`${url}/sdk/upgrade/v1beta1/current_plan`)).json()),
    );
    expect(answers).toEqual([{ plan: null }, { plan: null }]);
  });

  it('passes paths unchanged', async () => {
    const answer = await fetch(`${urls[0]}/cosmos/upgrade/v1beta1/applied_plan/a%2Fb`);
    expect([answer.status, await answer.json()]).toEqual([200, { height: '0' }]);
  });

  it('redirects a double slash', async () => {
    const answer = await fetch(`${urls[0]}//cosmos/bank/v1beta1/params?x=1`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([301, '/cosmos/bank/v1beta1/params?x=1']);
  });

  it('answers HEAD without a body, as no route has this verb', async () => {
    const answer = await fetch(`${urls[0]}/cosmos/bank/v1beta1/params`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([501, '']);
  });

  it('refuses a body above the limit in the form of every other error', async () => {
    const answer = await fetch(`${urls[0]}/cosmos/tx/v1beta1/simulate`, {
      method: 'POST',
      body: `{"tx_bytes":"${'A'.repeat(8_192)}"}`,
    });
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { code: 8, message: 'request body too large (limit httpBodyBytes)', details: [] },
    ]);
  });

  it('lets a listed origin send a height and read the height of the answer', async () => {
    const preflight = await fetch(`${urls[0]}/cosmos/bank/v1beta1/params`, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-cosmos-block-height',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'x-cosmos-block-height',
    ]);
    const answer = await fetch(`${urls[0]}/cosmos/bank/v1beta1/params`, {
      headers: { origin: ORIGIN, 'x-cosmos-block-height': '5' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-cosmos-block-height');
    expect(answer.headers.get('grpc-metadata-x-cosmos-block-height')).toBe('5');
  });

  it('serves gRPC-web on the same port', async () => {
    const answer = await fetch(`${urls[1]}/cosmos.upgrade.v1beta1.Query/CurrentPlan`, {
      method: 'POST',
      headers: { 'content-type': 'application/grpc-web+proto' },
      body: new Uint8Array(5),
    });
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1')).toBe(
      '\0\0\0\0\0\u0080\0\0\0\u0010grpc-status: 0\r\n',
    );
  });
});
