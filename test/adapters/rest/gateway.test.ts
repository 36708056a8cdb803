import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRest } from '../../../src/adapters/rest/index.js';
import type { ServiceTable } from '../../../src/adapters/services/index.js';
import type { HttpHandler } from '../../../src/adapters/transport/index.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { TxBodySchema, TxRawSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { recordedServices } from '../services/recorded-services.js';
import { encode } from '../../support/encode.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { propertyRuns } from '../../support/property-runs.js';
import { ask, type Answered } from './ask.js';

const ACCOUNT = 'cosmos1cml96vmptgw99syqrrz8az79xer2pcgp95srxm';
const BALANCE = `/cosmos/bank/v1beta1/balances/${ACCOUNT}/by_denom?denom=atest`;
const NOT_IMPLEMENTED = { code: 12, message: 'Not Implemented', details: [] };

describe.skipIf(!hasGolden)('the REST gateway', () => {
  let services: ServiceTable;
  let face: HttpHandler;
  beforeAll(async () => {
    services = (await recordedServices(20n)).services;
    face = createRest(services, { version: '1.2.3' });
  }, 120_000);

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answered> =>
    ask(face, { method: 'GET', path, headers });

  describe('upgrade queries under their older name', () => {
    it.each([
      ['/sdk/upgrade/v1beta1/current_plan', { plan: null }],
      ['/sdk/upgrade/v1beta1/applied_plan/v4', { height: '0' }],
      ['/sdk/upgrade/v1beta1/module_versions?module_name=bank', { module_versions: [{ name: 'bank', version: '4' }] }],
      ['/cosmos/upgrade/v1beta1/current_plan', { plan: null }],
      ['/cosmos/upgrade/v1beta1/applied_plan/a%2Fb', { height: '0' }],
    ])('%s', async (path, body) => {
      const answer = await get(path, { accept: 'application/json' });
      expect({ status: answer.status, type: answer.headers['content-type'], body: JSON.parse(answer.body) }).toEqual({
        status: 200,
        type: 'application/json',
        body,
      });
    });
  });

  describe('the height of a REST query', () => {
    it.each([
      ['in the header', BALANCE, { 'x-cosmos-block-height': '7' }],
      ['in the header of gRPC metadata', BALANCE, { 'grpc-metadata-x-cosmos-block-height': '7' }],
      ['in the query', `${BALANCE}&height=7`, {}],
    ])('is accepted %s and answered in two headers', async (_where, path, headers) => {
      const [then, now] = [await get(path, headers), await get(BALANCE)];
      expect(then.headers).toMatchObject({ 'grpc-metadata-x-cosmos-block-height': '7', 'x-cosmos-block-height': '7' });
      expect(now.headers).toMatchObject({ 'grpc-metadata-x-cosmos-block-height': '20', 'x-cosmos-block-height': '20' });
      expect(then.body).not.toBe(now.body);
    });

    it("in the query is the request's own height field, if it has one", async () => {
      const answer = await get(
        '/cosmos/base/tendermint/v1beta1/abci_query?path=%2Fstore%2Fupgrade%2Fkey&data=Aw%3D%3D&height=5',
      );
      expect(answer.headers['x-cosmos-block-height']).toBe('20');
      expect(JSON.parse(answer.body)).toMatchObject({ height: '5' });
    });

    it.each([
      [
        '99',
        'codespace sdk code 26: invalid height: cannot query with height in the future; please provide a valid height',
      ],
      ['-1', 'codespace sdk code 18: invalid request: cannot query with height < 0; please provide a valid height'],
      [
        '9223372036854775808',
        'codespace sdk code 18: invalid request: Baseapp.RegisterGRPCServer: invalid height header "x-cosmos-block-height": strconv.ParseInt: parsing "9223372036854775808": value out of range',
      ],
    ])('%s is refused', async (height, message) => {
      const answer = await get(BALANCE, { 'x-cosmos-block-height': height });
      expect([answer.status, JSON.parse(answer.body)]).toEqual([500, { code: 2, message, details: [] }]);
    });
  });

  describe('numbers of 64 bits that are negative as int64 in Go', () => {
    const MOST = '18446744073709551615';
    const SETS = '/cosmos/base/tendermint/v1beta1/validatorsets';
    it.each([
      [`${SETS}/latest?pagination.limit=${MOST}`, 'limit must greater than 0'],
      [`${SETS}/2?pagination.limit=9223372036854775808`, 'limit must greater than 0'],
      [`${SETS}/latest?pagination.offset=${MOST}`, 'offset must greater than 0'],
      [`/cosmos/tx/v1beta1/txs?events=tx.height%3E0&pagination.limit=${MOST}`, 'limit must greater than 0'],
    ])('%s is refused', async (path, message) => {
      const answer = await get(path);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([400, { code: 3, message, details: [] }]);
    });

    it.each([
      [`/cosmos/tx/v1beta1/txs?query=tx.height%3E0&page=${MOST}`, '/cosmos/tx/v1beta1/txs?query=tx.height%3E0'],
      [`/cosmos/tx/v1beta1/txs?query=tx.height%3E0&limit=${MOST}`, '/cosmos/tx/v1beta1/txs?query=tx.height%3E0'],
      [`/cosmos/bank/v1beta1/supply?pagination.limit=${MOST}`, '/cosmos/bank/v1beta1/supply?pagination.limit=1000'],
    ])('%s is answered as %s', async (path, other) => {
      const [answer, expected] = [await get(path), await get(other)];
      expect([answer.status, answer.body]).toEqual([200, expected.body]);
    });

    it('the transactions of a block have at most 100 per page', async () => {
      const path = '/cosmos/tx/v1beta1/txs/block/20?pagination.offset=9&pagination.limit=';
      expect((await get(`${path}${MOST}`)).body).toContain('txs with offset 9 and limit 100');
    });
  });

  describe('sending a transaction', () => {
    const send = (body: string): Promise<Answered> =>
      ask(face, { method: 'POST', path: '/cosmos/tx/v1beta1/txs', body });

    it.each(['{"mode":"BROADCAST_MODE_SYNC"}', '{"tx_bytes":null,"mode":"BROADCAST_MODE_SYNC"}'])(
      '%s is refused as an empty transaction',
      async (body) => {
        const answer = await send(body);
        expect([answer.status, JSON.parse(answer.body)]).toEqual([
          400,
          { code: 3, message: 'invalid empty tx', details: [] },
        ]);
      },
    );

    it('empty bytes are a transaction, whose mode is checked first', async () => {
      const sent = await send('{"tx_bytes":"","mode":"BROADCAST_MODE_SYNC"}');
      expect([sent.status, JSON.parse(sent.body)]).toMatchObject([
        200,
        { tx_response: { txhash: 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855' } },
      ]);
      expect(JSON.parse((await send('{"tx_bytes":""}')).body)).toEqual({
        code: 2,
        message: 'unsupported return type unspecified; supported types: sync, async',
        details: [],
      });
    });
  });

  describe('REST paths', () => {
    it.each(['/cosmos/bank/v1beta1/paramsx', '/cosmos/bank', '/%00', '/cosmos/bank/v1beta1/params/'])(
      '%s is not a route',
      async (path) => {
        const answer = await get(path);
        expect([answer.status, JSON.parse(answer.body)]).toEqual([501, NOT_IMPLEMENTED]);
      },
    );

    it.each([
      ['/a//b', '/a/b'],
      ['/a/./b/../c/', '/a/c/'],
      ['/..', '/'],
      ['//evil.example/x?y=1', '/evil.example/x?y=1'],
      ['/%2F%2Fevil.example', '/evil.example'],
    ])('%s is redirected to %s', async (path, location) => {
      const answer = await get(path);
      expect([answer.status, answer.headers['location'], answer.body]).toEqual([301, location, '']);
    });

    it.each(['/cosmos/bank/v1beta1/params?x=%zz', '/cosmos/%zz', '/%ff'])(
      'an invalid escape in %s is refused',
      async (path) => {
        const answer = await get(path);
        expect([answer.status, JSON.parse(answer.body)]).toEqual([
          400,
          { code: 3, message: 'invalid URL escape', details: [] },
        ]);
      },
    );

    it('a double wildcard matches slashes', async () => {
      const answer = await get('/cosmos/bank/v1beta1/denoms_metadata/ibc/27394FB0');
      expect(JSON.parse(answer.body)).toMatchObject({ code: 5, message: 'client metadata for denom ibc/27394FB0' });
    });

    it('a literal segment takes precedence over a wildcard', async () => {
      const answer = await get('/cosmos/base/tendermint/v1beta1/blocks/latest');
      expect(JSON.parse(answer.body)).toMatchObject({ block: { header: { height: '20' } } });
    });
  });

  it('every GET path of each service is answered as JSON when its parameters are 1', async () => {
    const paths: string[] = Object.keys(JSON.parse((await get('/openapi.json')).body).paths);
    expect(paths.length).toBeGreaterThan(60);
    for (const path of paths) {
      const answer = await get(path.replace(/\{[^}]*\}/g, '1'));
      expect(answer.status, path).toBeLessThanOrEqual(501);
      expect(typeof JSON.parse(answer.body), path).toBe('object');
    }
  });

  it('a long answer is converted in turns of the event loop, up to the limit of its JSON', async () => {
    const memo = 'm'.repeat(300_000);
    const decode = async (pendingAnswerBytes: number) => {
      let turns = 0;
      const timers = { yield: () => Promise.resolve(void (turns += 1)) };
      const limits = { ...DEFAULT_LIMITS, pendingAnswerBytes };
      const narrow = createRest({ ...services, timers }, { version: '', limits });
      const raw = encode(TxRawSchema, { bodyBytes: encode(TxBodySchema, { memo }) });
      const body = JSON.stringify({ tx_bytes: Buffer.from(raw).toString('base64') });
      const answer = await ask(narrow, { method: 'POST', path: '/cosmos/tx/v1beta1/decode', body });
      return { ...answer, turns };
    };
    const answer = await decode(400_000);
    expect([answer.status, JSON.parse(answer.body).tx.body.memo === memo, answer.turns]).toEqual([200, true, 2]);
    expect(await decode(200_000)).toMatchObject({
      status: 429,
      body: '{"code":8,"message":"limit pendingAnswerBytes (200000) exceeded","details":[]}',
    });
  });

  it('an answer above the limit is refused, in both forms', async () => {
    const narrow = createRest(services, {
      version: '',
      limits: { ...DEFAULT_LIMITS, grpcAnswerBytes: 40, grpcErrorText: 20 },
    });
    const answer = await ask(narrow, { method: 'GET', path: '/cosmos/auth/v1beta1/accounts' });
    expect([answer.status, JSON.parse(answer.body).message]).toEqual([
      429,
      expect.stringMatching(/^trying to send message larger than max \(\d+ vs\. 40\)$/),
    ]);
    const web = await ask(narrow, {
      method: 'POST',
      path: '/cosmos.auth.v1beta1.Query/Accounts',
      headers: { 'content-type': 'application/grpc-web' },
    });
    expect(web).toMatchObject({ headers: { 'grpc-status': '8', 'grpc-message': 'trying to send messa...' }, body: '' });
  });

  it.each([
    ['of an unknown field', (deep: string) => `{"x":${deep}}`],
    ['of a time', (deep: string) => `{"tx":{"body":{"timeout_timestamp":${deep}}}}`],
    ['of an Any', (deep: string) => `{"tx":{"body":{"messages":[{"@type":${deep}}]}}}`],
    ['of the body', (deep: string) => deep],
  ])('endless nesting %s is answered like any other mistake', async (_where, body) => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    const answer = await ask(face, { method: 'POST', path: '/cosmos/tx/v1beta1/simulate', body: body(deep) });
    expect(answer.status).toBe(400);
    expect(answer.body.length).toBeLessThan(500);
  });

  it('pages of other origins may read the height headers', async () => {
    expect(
      (await get(BALANCE, { origin: 'http://localhost:3000' })).headers['access-control-expose-headers'],
    ).toContain('grpc-metadata-x-cosmos-block-height');
    expect((await get(BALANCE)).headers).not.toHaveProperty('access-control-expose-headers');
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'treats %s like any other name in the path of every route',
    async (name) => {
      const paths = Object.keys(JSON.parse((await get('/openapi.json')).body).paths);
      for (const path of paths) {
        const answer = await get(path.replace(/\{[^}]*\}/g, name));
        expect(answer.body, path).not.toMatch(/TypeError|iterable|not a function|native code/);
      }
      expect((await get(`/cosmos/auth/v1beta1/module_accounts/${name}`)).status).toBe(404);
    },
  );

  it('answers any request with JSON or a redirect, and never with a stack', async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'cosmos',
        'bank',
        'auth',
        'tx',
        'evm',
        'vm',
        'v1',
        'v1beta1',
        'txs',
        'balances',
        'simulate',
        'accounts',
        'blocks',
        '..',
        '',
        '%2F',
      ),
      fc.string({ maxLength: 12 }).map(encodeURIComponent),
    );
    const known = Object.keys(JSON.parse((await get('/openapi.json')).body).paths);
    const path = fc.oneof(
      fc.array(segment, { maxLength: 8 }).map((segments) => `/${segments.join('/')}`),
      fc
        .tuple(fc.constantFrom(...known), fc.string({ unit: 'grapheme', maxLength: 20 }))
        .map(([route, text]) => route.replace(/\{[^}]*\}/g, encodeURIComponent(text) || '%20')),
    );
    const query = fc.array(
      fc.tuple(
        fc.constantFrom(
          'pagination.limit',
          'pagination.key',
          'height',
          'query',
          'denom',
          'events',
          'x.y.z',
          '__proto__',
          'constructor',
        ),
        fc.string({ maxLength: 20 }),
      ),
      { maxLength: 4 },
    );
    const body = fc.oneof(
      fc.json(),
      fc.json().map((json) => `{"tx_bytes":${json},"mode":1}`),
      fc.json().map((json) => `{"tx":{"body":${json}}}`),
      fc.uint8Array({ maxLength: 40 }),
    );
    const headers = fc.constantFrom(
      {},
      { 'x-cosmos-block-height': '3' },
      { 'x-cosmos-block-height': 'x' },
      { 'content-type': 'application/grpc-web' },
      { 'content-type': 'application/grpc-web-text' },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'HEAD'),
        path,
        query,
        body,
        headers,
        async (method, to, asked, sent, given) => {
          const answer = await ask(face, {
            method,
            path: asked.length === 0 ? to : `${to}?${new URLSearchParams(asked).toString()}`,
            headers: given,
            body: sent,
          });
          expect([200, 301, 400, 404, 429, 500, 501, 503]).toContain(answer.status);
          expect(answer.body).not.toMatch(/\n\s+at |node_modules|\.ts:\d|\/src\//);
          if (answer.headers['content-type'] === 'application/json' && method !== 'HEAD')
            expect(typeof JSON.parse(answer.body)).toBe('object');
        },
      ),
      { numRuns: propertyRuns(300) },
    );
  }, 60_000);

  it('the viewer path of the SDK gateway redirects to the page, and the root is not one of its routes', async () => {
    expect(await get('/swagger/')).toMatchObject({ status: 302, headers: { location: '/' } });
    expect((await get('/', { accept: 'application/json' })).status).toBe(501);
  });

  it('a JSON body of too many objects, lists and members is not parsed', async () => {
    const jsonParts = 1_000;
    const narrow = createRest(services, { version: '', limits: { ...DEFAULT_LIMITS, jsonParts } });
    const decode = (members: number) =>
      ask(narrow, {
        method: 'POST',
        path: '/cosmos/tx/v1beta1/decode',
        body: `{${Array.from({ length: members }, (_, index) => `"${index}":1`).join(',')}}`,
      });
    expect(JSON.parse((await decode(jsonParts - 1)).body)).toMatchObject({
      code: 3,
      message: 'invalid empty tx bytes',
    });
    expect(JSON.parse((await decode(jsonParts)).body)).toMatchObject({
      code: 3,
      message: `more than ${jsonParts} objects, lists and members (limit jsonParts)`,
    });
  });

  describe('gRPC-web', () => {
    interface Recorded {
      readonly note?: string;
      readonly path: string;
      readonly request_hex: string;
      readonly res: {
        readonly status: number;
        readonly headers: Readonly<Record<string, string>>;
        readonly body_hex: string;
      };
    }
    const recorded = hasGolden
      ? goldenLines<Recorded>('faces/extra.jsonl').filter(({ note }) => note?.startsWith('gRPC-web') === true)
      : [];
    const framed = (hex: string): Buffer =>
      Buffer.concat([
        Buffer.from(`00${(hex.length / 2).toString(16).padStart(8, '0')}`, 'hex'),
        Buffer.from(hex, 'hex'),
      ]);

    it.each(recorded)('answers $path as recorded', async ({ path, request_hex: hex, res }) => {
      const answer = await ask(face, {
        method: 'POST',
        path,
        headers: { 'content-type': 'application/grpc-web+proto' },
        body: framed(hex),
      });
      expect(answer).toMatchObject({
        status: res.status,
        headers: res.headers,
        body: Buffer.from(res.body_hex, 'hex').toString('latin1'),
      });
    });

    it('the text form is the same in base64, also when frames are encoded separately', async () => {
      const binary = await ask(face, {
        method: 'POST',
        path: '/cosmos.bank.v1beta1.Query/Params',
        headers: { 'content-type': 'application/grpc-web' },
        body: framed(''),
      });
      const text = await ask(face, {
        method: 'POST',
        path: '/cosmos.bank.v1beta1.Query/Params',
        headers: { 'content-type': 'application/grpc-web-text' },
        body: framed('').toString('base64'),
      });
      expect(text.headers['content-type']).toBe('application/grpc-web-text+proto');
      expect(Buffer.from(text.body, 'base64').toString('latin1')).toBe(binary.body);
      const apart = `${framed('0a0462616e6b').subarray(0, 5).toString('base64')}${Buffer.from('0a0462616e6b', 'hex').toString('base64')}`;
      const versions = await ask(face, {
        method: 'POST',
        path: '/cosmos.upgrade.v1beta1.Query/ModuleVersions',
        headers: { 'content-type': 'application/grpc-web-text+proto' },
        body: apart,
      });
      expect(Buffer.from(versions.body, 'base64').toString('latin1')).toContain('bank');
    });

    it('a text body with more pieces than frames may have is refused', async () => {
      const body = (pieces: number): string => 'AA=='.repeat(pieces);
      const answer = (pieces: number) =>
        ask(face, {
          method: 'POST',
          path: '/cosmos.bank.v1beta1.Query/Params',
          headers: { 'content-type': 'application/grpc-web-text' },
          body: body(pieces),
        });
      expect((await answer(5)).headers['grpc-status']).toBeUndefined();
      expect((await answer(101)).headers).toMatchObject({
        'grpc-status': '13',
        'grpc-message': 'the request is not base64',
      });
    });

    it.each([
      ['a short message', Buffer.from('0000000009aa', 'hex'), '13', 'the message is shorter than its prefix says'],
      ['a compressed message', Buffer.from('010000000100', 'hex'), '12', 'grpc: compressed messages are not supported'],
      ['a cut prefix', Buffer.from('0000', 'hex'), '13', 'the message is shorter than its prefix says'],
    ])('%s is refused', async (_name, body, status, message) => {
      const answer = await ask(face, {
        method: 'POST',
        path: '/cosmos.bank.v1beta1.Query/Params',
        headers: { 'content-type': 'application/grpc-web' },
        body,
      });
      expect(answer).toMatchObject({
        status: 200,
        headers: { 'grpc-status': status, 'grpc-message': message },
        body: '',
      });
    });

    it('texts in headers are percent-encoded', async () => {
      const answer = await ask(face, {
        method: 'POST',
        path: '/no.Such%é/Method',
        headers: { 'content-type': 'application/grpc-web' },
      });
      expect(answer.headers['grpc-message']).toBe('unknown service no.Such%25%C3%A9');
    });
  });
});
