import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { COMET_BODY_TOO_LARGE, createCometRpc } from '../../../src/adapters/comet-rpc/index.js';
import { type Cacheable, method } from '../../../src/adapters/comet-rpc/method.js';
import { int64 } from '../../../src/adapters/comet-rpc/params.js';
import { rpcErrorOf } from '../../../src/adapters/comet-rpc/errors.js';
import type { DomainError } from '../../../src/core/errors.js';
import { goJson } from '../../../src/adapters/raw-json.js';
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { blockResultsToJson } from '../../../src/core/comet/json/results-json.js';
import { DEFAULT_LIMITS, type Limits } from '../../../src/core/limits/limits.js';
import type { CommitEvents, NodeApi, StoredTx } from '../../../src/core/node-api.js';
import { toHeight, toPosition, toTimeNs } from '../../../src/core/primitives.js';
import { ExecTxResultSchema, ResponseCheckTxSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { VirtualTime } from '../../support/simulated-time.js';
import { sha256 } from '@noble/hashes/sha2.js';

const never = (): never => {
  throw new Error('secret /root/key');
};

/** A node at height 3 without blocks; a call that a test does not need throws. */
function emptyNode(): NodeApi & {
  readonly listeners: Set<(commit: CommitEvents) => void>;
  stored: StoredTx | undefined;
} {
  const listeners = new Set<(commit: CommitEvents) => void>();
  const node = {
    listeners,
    stored: undefined as StoredTx | undefined,
    commands: {
      broadcastTx: async () => ({ ok: true as const, value: create(ResponseCheckTxSchema, { gasWanted: 7n }) }),
      checkTx: never,
      broadcastEvidence: never,
    },
    queries: {
      chain: {
        tip: () => toHeight(3n),
        head: () => ({
          height: toHeight(3n),
          position: toPosition(1n),
          blockHash: new Uint8Array(32),
          appHash: new Uint8Array(),
          time: toTimeNs(0n),
        }),
        earliestHeight: () => toHeight(2n),
        earliestState: () => toHeight(2n),
        genesis: () => ({ json: new TextEncoder().encode('{"a":"<"}'), chainId: 'x', initialHeight: toHeight(1n) }),
        block: () => undefined,
        heightByHash: () => undefined,
        results: () => undefined,
        touched: () => [],
        commit: never,
        validators: never,
        consensusParams: never,
        tx: () => node.stored,
        place: () => node.stored,
        txAt: never,
        searchTxs: async () => ({ ok: true as const, value: { total: 0, items: [] } }),
        searchBlocks: async () => ({ ok: true as const, value: { total: 0, items: [] } }),
      },
      app: { paths: new Set<string>(), query: never, simulate: never },
      status: never,
      abciQuery: never,
      unconfirmedTxs: never,
      roundState: never,
    },
    feeds: {
      onCommit(listener: (commit: CommitEvents) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
  return node;
}

function rpcOver(
  api: NodeApi,
  more: { readonly limits?: Partial<Limits>; readonly time?: VirtualTime } = {},
): ReturnType<typeof createCometRpc> & {
  readonly post: (
    body: string,
  ) => Promise<{ status: number; json: unknown; text: string; headers: Readonly<Record<string, string>> }>;
  readonly get: (target: string) => Promise<{ status: number; json: unknown; text: string }>;
  readonly defects: unknown[];
} {
  const defects: unknown[] = [];
  const rpc = createCometRpc({
    api,
    limits: { ...DEFAULT_LIMITS, ...more.limits },
    timers: more.time ?? new VirtualTime(),
    application: { name: 'app', version: '1' },
    onDefect: (error) => defects.push(error),
  });
  const ask = async (
    method: string,
    target: string,
    body: string,
  ): Promise<{ status: number; json: unknown; text: string; headers: Readonly<Record<string, string>> }> => {
    const [path = '', query = ''] = target.split('?');
    const answer = await rpc.http({
      method,
      path,
      query,
      headers: new Map([['host', 'a']]),
      body: new TextEncoder().encode(body),
    });
    const text = String(answer.body);
    return {
      status: answer.status,
      text,
      headers: answer.headers,
      json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined,
    };
  };
  return { ...rpc, defects, post: (body) => ask('POST', '/', body), get: (target) => ask('GET', target, '') };
}

const result = (json: unknown): unknown => json;

describe('JSON-RPC over POST', () => {
  it('echoes an id with all its digits and its spelling', async () => {
    const { post } = rpcOver(emptyNode());
    expect((await post('{"id":90071992547409931234,"method":"health"}')).text).toBe(
      '{"jsonrpc":"2.0","id":90071992547409931234,"result":{}}',
    );
    expect((await post(String.raw`{"id":"\u0041<","method":"health"}`)).text).toBe(
      String.raw`{"jsonrpc":"2.0","id":"\u0041\u003c","result":{}}`,
    );
    expect((await post('{"id":-1.9e3,"method":"health"}')).text).toBe('{"jsonrpc":"2.0","id":-1900,"result":{}}');
  });

  it('refuses a request deeper than the limit with a parse error that names it', async () => {
    const deep = `{"id":1,"method":"health","params":${'['.repeat(40)}${']'.repeat(40)}}`;
    expect(await rpcOver(emptyNode()).post(deep)).toMatchObject({
      status: 500,
      json: { error: { code: -32700, data: 'error unmarshaling request: exceeded max depth (32)' } },
    });
  });

  it.each(['null', '"x"', '12', 'true'])('survives the body %s', async (body) => {
    const { status, text } = await rpcOver(emptyNode()).post(body);
    expect(body === 'null' ? [status, text] : status).toEqual(body === 'null' ? [200, ''] : 500);
  });

  it.each(['__proto__', 'constructor', 'toString', 'subscribe'])(
    'answers that the method %s does not exist',
    async (method) => {
      expect(await rpcOver(emptyNode()).post(JSON.stringify({ id: 1, method }))).toMatchObject({
        status: 200,
        json: { id: 1, error: { code: -32601, message: 'Method not found' } },
      });
    },
  );

  it('answers a batch up to the limit in order, and refuses one more request without an id', async () => {
    const { post } = rpcOver(emptyNode(), { limits: { batchRequests: 2 } });
    const call = (id: number): string => `{"id":${id},"method":"health"}`;
    expect((await post(`[${call(2)},${call(1)}]`)).json).toEqual(
      [2, 1].map((id) => ({ jsonrpc: '2.0', id, result: {} })),
    );
    expect((await post(`[${call(1)},${call(2)},${call(3)}]`)).json).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32600,
        message: 'Invalid Request',
        data: 'batch request exceeds maximum (2) allowed number of requests',
      },
    });
  });

  it('refuses calls of a batch above the limit of its answers, and lets others run between large answers', async () => {
    const time = new VirtualTime();
    const turns: number[] = [];
    let calls = 0;
    const api = emptyNode();
    const genesis = api.queries.chain.genesis();
    const genesisOf = (): typeof genesis => ({
      ...genesis,
      json: new TextEncoder().encode(`"${'g'.repeat(++calls * 50)}"`),
    });
    const node = { ...api, queries: { ...api.queries, chain: { ...api.queries.chain, genesis: genesisOf } } };
    const rest = time.yield.bind(time);
    time.yield = () => {
      turns.push(calls);
      return rest();
    };
    const limits = { cometBatchResponseBytes: 240, cometBytesPerTurn: 100 };
    const { post } = rpcOver(node, { time, limits });
    const answering = post(`[${[1, 2, 3, 4].map((id) => `{"id":${id},"method":"genesis"}`).join(',')}]`);
    await time.advance(0);
    const error = { code: -32603, message: 'Internal error', data: 'limit cometBatchResponseBytes (240) exceeded' };
    expect([(await answering).json, turns]).toEqual([
      [
        { jsonrpc: '2.0', id: 1, result: { genesis: 'g'.repeat(50) } },
        { jsonrpc: '2.0', id: 2, result: { genesis: 'g'.repeat(100) } },
        { jsonrpc: '2.0', id: 3, error },
        { jsonrpc: '2.0', id: 4, error },
      ],
      [2, 2],
    ]);
  });

  it('lists waiting transactions in turns of the event loop', async () => {
    const [api, time] = [emptyNode(), new VirtualTime()];
    const txs = [1, 2, 3].map((byte) => new Uint8Array(60).fill(byte));
    const node = { ...api, queries: { ...api.queries, unconfirmedTxs: () => ({ txs, totalBytes: 180n }) } };
    const answering = rpcOver(node, { time, limits: { cometBytesPerTurn: 100 } }).get('/unconfirmed_txs');
    await Promise.resolve();
    expect(time.waiting).toBe(1);
    await time.runUntilIdle();
    expect((await answering).json).toMatchObject({
      result: { n_txs: '3', total: '3', total_bytes: '180', txs: txs.map((tx) => Buffer.from(tx).toString('base64')) },
    });
  });

  it('net_info shows no listeners and no peers', async () => {
    expect((await rpcOver(emptyNode()).get('/net_info')).json).toMatchObject({
      result: { listening: false, listeners: [], n_peers: '0', peers: [] },
    });
  });

  it('takes defaults for absent params', async () => {
    expect((await rpcOver(emptyNode()).post('{"id":1,"method":"tx_search","params":null}')).json).toEqual(
      result({ jsonrpc: '2.0', id: 1, result: { txs: [], total_count: '0' } }),
    );
    expect((await rpcOver(emptyNode()).post('{"id":1,"method":"tx_search"}')).json).toEqual(
      result({ jsonrpc: '2.0', id: 1, result: { txs: [], total_count: '0' } }),
    );
  });

  it('answers an oversized body with the text of CometBFT', () => {
    expect(COMET_BODY_TOO_LARGE.status).toBe(400);
    expect(COMET_BODY_TOO_LARGE.body).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request","data":"error reading request body: http: request body too large"}}',
    );
  });

  it('answers a defect without its text, and reports it', async () => {
    const rpc = rpcOver(emptyNode());
    expect((await rpc.post('{"id":1,"method":"status"}')).json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'Internal error', data: 'internal error' },
    });
    expect(rpc.defects).toHaveLength(1);
  });

  it('inserts the genesis bytes unchanged', async () => {
    expect((await rpcOver(emptyNode()).post('{"id":1,"method":"genesis"}')).text).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"genesis":{"a":"<"}}}',
    );
  });
});

describe('lenient spellings of parameters', () => {
  const hash = 'ab'.repeat(32);
  const notFound = { error: { code: -32603, data: `tx (${hash.toUpperCase()}) not found` } };
  it.each([`"${hash}"`, `"0x${hash}"`, `"${hash.toUpperCase()}"`, `"${Buffer.from(hash, 'hex').toString('base64')}"`])(
    'accepts the JSON hash %s',
    async (spelling) => {
      expect(
        (await rpcOver(emptyNode()).post(`{"id":1,"method":"tx","params":{"hash":${spelling}}}`)).json,
      ).toMatchObject(notFound);
    },
  );
  it.each([hash, `0x${hash}`, `"${hash}"`, `%22${hash}%22`])('accepts the URI hash %s', async (spelling) => {
    expect((await rpcOver(emptyNode()).get(`/tx?hash=${spelling}`)).json).toMatchObject(notFound);
  });
  it('accepts unquoted text in a URI, and numbers in JSON only as strings', async () => {
    expect(await rpcOver(emptyNode()).get('/tx_search?query=tx.height%3D20&order_by=desc&page=1')).toMatchObject({
      status: 200,
      json: { result: { total_count: '0' } },
    });
    expect(
      (await rpcOver(emptyNode()).post('{"id":1,"method":"tx_search","params":{"query":"a=1","page":"1"}}')).json,
    ).toMatchObject({ result: { total_count: '0' } });
  });
  it.each([
    ['"page":1', 'invalid 64-bit integer encoding "1", expected string'],
    ['"page":true', 'invalid 64-bit integer encoding "true", expected string'],
    ['"prove":"true"', 'json: cannot unmarshal string into Go value of type bool'],
    ['"prove":1', 'json: cannot unmarshal number into Go value of type bool'],
  ])('refuses %s in a POST call', async (member, reason) => {
    expect(
      (await rpcOver(emptyNode()).post(`{"id":1,"method":"tx_search","params":{"query":"a=1",${member}}}`)).json,
    ).toMatchObject({ error: { code: -32602, data: `error converting json params to arguments: ${reason}` } });
  });
});

describe('tx_search and block_search', () => {
  it.each(['tx_search', 'block_search'])('%s bounds the bytes of a query, not its characters', async (name) => {
    const rpc = rpcOver(emptyNode());
    const query = (letter: string, count: number): string => `a.b='${letter.repeat(count)}'`;
    expect(await rpc.call(name, { query: query('a', 506) })).toMatchObject({ ok: true });
    for (const long of [query('a', 507), query('ü', 254)])
      expect(await rpc.call(name, { query: long })).toMatchObject({
        ok: false,
        error: { data: 'maximum query length exceeded' },
      });
  });
});

it('block_search yields a turn of the event loop between two blocks', async () => {
  const node = emptyNode();
  const time = new VirtualTime();
  let turns = 0;
  time.yield = async () => void (turns += 1);
  const items = [toHeight(1n), toHeight(2n), toHeight(3n)];
  const searchBlocks = async () => ({ ok: true as const, value: { total: 3, items } });
  const queries = { ...node.queries, chain: { ...node.queries.chain, searchBlocks } };
  const rpc = rpcOver({ ...node, queries }, { time });
  // The blocks are missing.
  expect(await rpc.get('/block_search?query="a.b=1"')).toMatchObject({
    json: { result: { blocks: [], total_count: '3' } },
  });
  expect(turns).toBe(3);
});

describe('block_results', () => {
  const txResults = Array.from({ length: 40 }, (_, index) =>
    create(ExecTxResultSchema, {
      code: index % 2,
      data: new Uint8Array(index * 500),
      log: `<${index}>`,
      gasUsed: 7n,
      events: [{ type: 'a&b', attributes: [{ key: 'k', value: 'v', index: true }] }],
    }),
  );
  const asked = async (results: EncodedResults): Promise<readonly [text: string, turns: number]> => {
    const node = emptyNode();
    const time = new VirtualTime();
    let turns = 0;
    time.yield = async () => void (turns += 1);
    const queries = { ...node.queries, chain: { ...node.queries.chain, results: () => results } };
    return [(await rpcOver({ ...node, queries }, { time }).get('/block_results?height=3')).text, turns];
  };
  const answer = (results: EncodedResults): string =>
    `{"jsonrpc":"2.0","id":-1,"result":${goJson(blockResultsToJson(3n, results))}}`;

  it('yields a turn of the event loop after each 128 KiB of results', async () => {
    const results = EncodedResults.of({ events: [], txResults, validatorUpdates: [] });
    expect(await asked(results)).toEqual([answer(results), 3]);
  });

  it('shows null for results and events that are absent', async () => {
    const results = EncodedResults.of({ events: [], txResults: [], validatorUpdates: [] });
    expect(await asked(results)).toEqual([answer(results), 0]);
    expect(answer(results)).toContain('"txs_results":null,"finalize_block_events":null');
  });
});

describe('URI calls', () => {
  it.each([
    ['//status', '/status'],
    ['/x/../status?a=//b', '/status?a=//b'],
    ['/./status/', '/status/'],
    ['//evil.example/..', '/'],
    ['//', '/'],
    ['/..', '/'],
    ['//a%20b!', '/a%2520b%21'],
  ])('%s is redirected to %s', async (target, location) => {
    const { get } = rpcOver(emptyNode());
    expect(await get(target)).toMatchObject({
      status: 301,
      headers: { location, 'content-type': 'text/html; charset=utf-8' },
      text: `<a href="${location}">Moved Permanently</a>.\n\n`,
    });
  });

  it('a redirect has a body for GET alone, in which the query is escaped', async () => {
    const { http, get } = rpcOver(emptyNode());
    expect((await get(`//x?a=1&b="<'>`)).text).toBe(
      '<a href="/x?a=1&amp;b=&#34;&lt;&#39;&gt;">Moved Permanently</a>.\n\n',
    );
    const request = { path: '//status', query: '', headers: new Map(), body: new Uint8Array() };
    expect(await http({ ...request, method: 'POST' })).toEqual({
      status: 301,
      headers: { location: '/status' },
      body: '',
    });
    expect(await http({ ...request, method: 'HEAD' })).toEqual({
      status: 301,
      headers: { location: '/status', 'content-type': 'text/html; charset=utf-8' },
      body: '',
    });
  });

  it('accept an escaped method name', async () => {
    const { get } = rpcOver(emptyNode());
    expect((await get('/%62lock?height=-1')).text).toContain('height must be greater than 0');
    expect((await get('/%2Fblock')).status).toBe(404);
    expect((await get('/%zzblock')).status).toBe(400);
  });

  it("use the first value of a name, and the form's value when the query has none", async () => {
    const { http } = rpcOver(emptyNode());
    const asked = async (query: string, form: string): Promise<string> =>
      String(
        (
          await http({
            method: 'POST',
            path: '/block',
            query,
            headers: new Map([['content-type', 'application/x-www-form-urlencoded']]),
            body: new TextEncoder().encode(form),
          })
        ).body,
      );
    expect(await asked('height=-1&height=x', 'height=y')).toContain('height must be greater than 0');
    expect(await asked('', 'height=-1&height=x')).toContain('height must be greater than 0');
    expect(await asked('height=', 'height=-1')).toContain('height must be greater than 0');
  });

  it('show an index page that escapes everything except host characters', async () => {
    const { http } = rpcOver(emptyNode());
    const page = String(
      (
        await http({
          method: 'GET',
          path: '/',
          query: '',
          headers: new Map([['host', `[::1]:80"><script>'&`]]),
          body: new Uint8Array(),
        })
      ).body,
    );
    expect(page).toContain('"//[::1]:80script/status?"');
    expect(page).not.toContain('<script');
  });
});

describe('answers that a client may cache for a day', () => {
  const kept = (cacheable: Cacheable, height: string): boolean => {
    const bound = method('block', { height: int64 }, cacheable, () => result('{}')).bind(
      () => ({ form: 'uri', text: height }),
      { strict: false, limits: DEFAULT_LIMITS },
    );
    return bound.ok && bound.value.cacheable;
  };
  const result = (json: string) => ({ ok: true, json }) as const;

  it.each([
    ['at-height', '5', true],
    ['at-height', '0', false],
    ['never', '5', false],
    ['always', '0', true],
  ] as const)('%s, asked at height %s: %s', (cacheable, height, expected) => {
    expect(kept(cacheable, height)).toBe(expected);
  });
});

describe('height parameters', () => {
  it.each([
    ['0', 'height must be greater than 0, but got 0'],
    ['4', 'height 4 must be less than or equal to the current blockchain height 3'],
    ['1', 'height 1 is not available, lowest height is 2'],
    ['99999999999999999999', undefined],
  ])('refuses height %s', async (height, data) => {
    const { status, json } = await rpcOver(emptyNode()).get(`/block?height=${height}`);
    expect(status).toBe(500);
    expect(json).toMatchObject(data === undefined ? { error: { code: -32602 } } : { error: { code: -32603, data } });
  });
  it('reports missing results', async () => {
    expect((await rpcOver(emptyNode()).get('/block_results?height=3')).json).toMatchObject({
      error: { data: 'could not find results for height #3' },
    });
  });
});

describe('broadcast_tx_commit', () => {
  const call = '{"id":1,"method":"broadcast_tx_commit","params":{"tx":"AQI="}}';

  it('answers when a published commit contains the transaction, and unsubscribes', async () => {
    const node = emptyNode();
    const time = new VirtualTime();
    const pending = rpcOver(node, { time }).post(call);
    await new Promise((resolve) => setImmediate(resolve));
    expect(node.listeners.size).toBe(1);
    const commit = { position: toPosition(1n), events: [] };
    for (const listener of node.listeners) listener(commit);
    node.stored = {
      hash: sha256(Uint8Array.of(1, 2)),
      height: toHeight(9n),
      index: 0,
      tx: Uint8Array.of(1, 2),
      result: create(ExecTxResultSchema, { gasUsed: 5n }),
    };
    for (const listener of node.listeners) listener(commit);
    expect((await pending).json).toMatchObject({
      result: { height: '9', check_tx: { gas_wanted: '7' }, tx_result: { gas_used: '5' } },
    });
    expect([node.listeners.size, time.waiting]).toEqual([0, 0]);
  });

  it("reports a timeout with CometBFT's text", async () => {
    const node = emptyNode();
    const time = new VirtualTime();
    const pending = rpcOver(node, { time }).post(call);
    await time.advance(9_999);
    expect(node.listeners.size).toBe(1);
    await time.advance(1);
    expect((await pending).json).toMatchObject({
      error: { code: -32603, data: 'timed out waiting for tx to be included in a block' },
    });
    expect(node.listeners.size).toBe(0);
  });

  it('limits the number of waiting calls', async () => {
    const time = new VirtualTime();
    const { post } = rpcOver(emptyNode(), { limits: { cometWsClients: 1 }, time });
    const first = post(call);
    await time.settle();
    expect((await post(call)).json).toMatchObject({ error: { data: 'max_subscription_clients 1 reached' } });
    await time.advance(10_000);
    await first;
    const next = post(call);
    await time.advance(10_000);
    expect((await next).json).toMatchObject({ error: { data: 'timed out waiting for tx to be included in a block' } });
  });
});

describe('broadcast_evidence', () => {
  it.each([
    ['"x"', 'evidence is an object, not a string'],
    ['{}', 'unknown type of evidence ""'],
    ['{"type":"tendermint/Nothing","value":{}}', 'unknown type of evidence "tendermint/Nothing"'],
    ['{"type":"tendermint/DuplicateVoteEvidence"}', 'evidence: a member is missing, or has a value of a wrong kind'],
    [
      '{"type":"tendermint/DuplicateVoteEvidence","value":{"vote_a":{},"vote_b":3}}',
      'evidence: a member is missing, or has a value of a wrong kind',
    ],
    [
      '{"type":"tendermint/LightClientAttackEvidence","value":{"ConflictingBlock":null}}',
      'evidence: a member is missing, or has a value of a wrong kind',
    ],
  ])('refuses %s', async (evidence, reason) => {
    const { post, defects } = rpcOver(emptyNode());
    const { json } = await post(`{"id":1,"method":"broadcast_evidence","params":{"evidence":${evidence}}}`);
    expect(json).toMatchObject({ error: { code: -32602, data: expect.stringContaining(reason) } });
    expect(defects).toEqual([]);
  });

  it('refuses invalid evidence, and returns the refusal of the node', async () => {
    const reason = 'verifying VoteA: invalid signature';
    const node = emptyNode();
    const refusing: NodeApi = {
      ...node,
      commands: { ...node.commands, broadcastEvidence: () => ({ kind: 'refused', reason }) },
    };
    const { post } = rpcOver(refusing);
    const hash = (digit: string) => ({ hash: digit.repeat(64), parts: { total: 1, hash: digit.repeat(64) } });
    const vote = (digit: string) => ({
      ...{ type: 2, height: '3', round: 0, block_id: hash(digit), timestamp: '2026-01-01T00:00:00Z' },
      ...{ validator_address: 'AB'.repeat(20), validator_index: 0, signature: 'AAAA' },
      ...{ extension: null, extension_signature: null },
    });
    const asked = async (voteA: object, voteB: object): Promise<unknown> => {
      const powers = { TotalVotingPower: '9', ValidatorPower: '1', Timestamp: '2026-01-01T00:00:00Z' };
      const value = { vote_a: voteA, vote_b: voteB, ...powers };
      const evidence = { type: 'tendermint/DuplicateVoteEvidence', value };
      return (await post(JSON.stringify({ id: 1, method: 'broadcast_evidence', params: { evidence } }))).json;
    };
    expect(await asked(vote('B'), vote('A'))).toMatchObject({
      error: { code: -32603, data: 'evidence.ValidateBasic failed: duplicate votes in invalid order' },
    });
    const place = '3/00/SIGNED_MSG_TYPE_PRECOMMIT(Precommit)';
    const text = (digit: string) =>
      `Vote{0:ABABABABABAB ${place} ${digit.repeat(12)} 000000000000 000000000000 @ 2026-01-01T00:00:00Z}`;
    expect(await asked(vote('A'), vote('B'))).toMatchObject({
      error: {
        code: -32603,
        data: `failed to add evidence: Invalid evidence: ${reason}. Evidence: DuplicateVoteEvidence{VoteA: ${text('A')}, VoteB: ${text('B')}}`,
      },
    });
  });
});

describe('domain errors', () => {
  it.each<[DomainError, string]>([
    [{ code: 'tx-in-cache' }, 'tx already exists in cache'],
    [{ code: 'tx-too-large', bytes: 9, maximum: 8 }, 'Tx too large. Max size is 8, but got 9'],
    [
      { code: 'mempool-full', txs: 1, bytes: 2, maximumTxs: 3, maximumBytes: 4 },
      'mempool is full: number of txs 1 (max: 3), total txs bytes 2 (max: 4)',
    ],
  ])('%j has the text that clients expect', (error, data) => {
    expect(rpcErrorOf(error)).toEqual({ code: -32603, message: 'Internal error', data });
  });
});
