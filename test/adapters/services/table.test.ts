/** Rules of the service table: names, aliases, and how failures become codes and texts. */
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import type { NodeApi } from '../../../src/core/node-api.js';
import {
  GetBlockWithTxsRequestSchema,
  GetBlockWithTxsResponseSchema,
  GetTxsEventRequestSchema,
  GetTxsEventResponseSchema,
  TxDecodeRequestSchema,
  TxEncodeRequestSchema,
} from '../../../src/core/proto/cosmos/tx/v1beta1/service_pb.js';
import { equal } from '../../../src/core/bytes/bytes.js';
import { getBlockWithTxs } from '../../../src/adapters/services/tx/block-with-txs.js';
import { getTxsEvent } from '../../../src/adapters/services/tx/search.js';
import { create, fromBinary, getOption, toBinary, type DescMethod } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { aliasedPath, createServices, pathOf, servedFiles, STATUS } from '../../../src/adapters/services/index.js';
import type { DomainError } from '../../../src/core/errors.js';
import type { QueryResult } from '../../../src/core/application-requests.js';
import { http } from '../../../src/core/proto/google/api/annotations_pb.js';
import { txReader } from '../../../src/adapters/services/tx/tx-response.js';
import { toHeight } from '../../../src/core/primitives.js';
import { ResponseFinalizeBlockSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import { BlockIDSchema } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { TxBodySchema, TxRawSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { encode } from '../../support/encode.js';
import { smallNode } from '../grpc/support.js';
import { createHostTimers } from '../../../src/runtime/host/time.js';

const timers = createHostTimers();
const BALANCE = '/cosmos.bank.v1beta1.Query/Balance';
const facts = {
  application: { name: 'chronicled', version: '0' },
  bech32Prefix: 'chron',
  minimumGasPrice: '',
  pruning: { keepRecent: 0n, interval: 0n },
};
const table = (query: () => Promise<{ ok: true; value: QueryResult } | { ok: false; error: DomainError }>) =>
  createServices({ api: smallNode({ query }), facts, timers });
const failing = (code: number, codespace: string, log: string) =>
  table(() => Promise.resolve({ ok: true, value: { ok: false, code, codespace, log } }));

describe('service aliases', () => {
  const methods = servedFiles().services.flatMap((service) => service.methods);
  const byPath = new Map(methods.map((method) => [pathOf(method), method]));
  const aliases = methods.filter((method) => aliasedPath(pathOf(method)) !== pathOf(method));
  const route = (method: DescMethod | undefined): unknown => method && getOption(method, http).pattern.value;

  it('cover every method of the service that they stand for', () => {
    for (const [alias, name] of [
      ['sdk.upgrade.v1beta1.Query', 'cosmos.upgrade.v1beta1.Query'],
      ['ethermint.evm.v1.Query', 'cosmos.evm.vm.v1.Query'],
      ['ethermint.feemarket.v1.Query', 'cosmos.evm.feemarket.v1.Query'],
    ]) {
      const of = (typeName = '') =>
        aliases
          .concat(methods)
          .filter((method) => method.parent.typeName === typeName)
          .map((method) => method.name);
      expect(new Set(of(alias))).toEqual(new Set(of(name)));
    }
  });

  it.each(aliases.map((alias) => [pathOf(alias), alias] as const))(
    '%s has the messages of its method, and its own route',
    (path, alias) => {
      const named = byPath.get(aliasedPath(path));
      expect([alias.input.typeName, alias.output.typeName]).toEqual([named?.input.typeName, named?.output.typeName]);
      expect(route(alias)).toMatch(/^\/(sdk|ethermint)\//);
      expect(String(route(alias)).split('/').slice(4)).toEqual(
        String(route(named))
          .split('/')
          .slice(path.includes('ethermint') ? 5 : 4),
      );
    },
  );
});

describe('failures of services', () => {
  it.each([
    [
      'a status',
      [22, 'sdk', 'rpc error: code = NotFound desc = account x: y not found: key not found'],
      STATUS.notFound,
      'account x: y not found',
    ],
    [
      'an invalid argument',
      [18, 'sdk', 'rpc error: code = InvalidArgument desc = empty request: invalid request'],
      STATUS.invalidArgument,
      'empty request',
    ],
    [
      'a registered error',
      [9, 'sdk', 'unknown address format: x: unknown address'],
      STATUS.unknown,
      'codespace sdk code 9: unknown address: unknown address format: x',
    ],
    [
      'a registered error without a detail',
      [9, 'sdk', 'unknown address'],
      STATUS.unknown,
      'codespace sdk code 9: unknown address',
    ],
    ['an unregistered error', [1, 'undefined', 'some text: of Go'], STATUS.unknown, 'some text: of Go'],
    [
      'an undecodable request',
      [
        18,
        'sdk',
        'rpc error: code = InvalidArgument desc = cannot decode cosmos.bank.v1beta1.QueryBalanceRequest: invalid request',
      ],
      STATUS.internal,
      'grpc: error unmarshalling request: cannot decode cosmos.bank.v1beta1.QueryBalanceRequest',
    ],
  ] as const)('%s', async (_name, [code, codespace, log], status, message) => {
    expect(await failing(code, codespace, log).call(BALANCE, new Uint8Array(), 3n)).toMatchObject({
      ok: false,
      code: status,
      message,
      height: 3n,
    });
  });

  it.each<[DomainError, number]>([
    [{ code: 'busy', what: 'ranges' }, STATUS.unavailable],
    [{ code: 'limit-exceeded', limit: 'searchRows', maximum: 5 }, STATUS.resourceExhausted],
    [{ code: 'height-pruned', height: 2n, lowest: 5n }, STATUS.unknown],
    [{ code: 'state-pruned', height: 2n, lowest: 5n }, STATUS.unknown],
    [{ code: 'timeout', milliseconds: 5 }, STATUS.deadlineExceeded],
  ])('$code', async (error, code) => {
    expect(await table(() => Promise.resolve({ ok: false, error })).call(BALANCE, new Uint8Array(), 0n)).toMatchObject({
      ok: false,
      code,
    });
  });

  it('a height is checked before the application is called', async () => {
    const services = table(() => Promise.reject(new Error('asked')));
    for (const height of [-1n, 8n, 2n ** 63n - 1n])
      expect(await services.call(BALANCE, new Uint8Array(), height)).toMatchObject({
        ok: false,
        code: STATUS.unknown,
        height: undefined,
      });
  });

  it('only methods of the application are served', () => {
    const services = createServices({ api: smallNode({}), facts, timers });
    expect([...services.methods.values()].filter(({ nodeLevel }) => !nodeLevel).map(({ path }) => path)).toEqual([
      BALANCE,
    ]);
    expect(services.services.map(({ typeName }) => typeName)).not.toContain('ethermint.evm.v1.Query');
  });
});

describe('a request with very many parts', () => {
  const messageParts = 1_000;
  const refused = {
    ok: false,
    code: STATUS.resourceExhausted,
    message: `limit messageParts (${messageParts}) exceeded`,
  };
  const services = createServices({ api: smallNode({}), facts, timers, limits: { ...DEFAULT_LIMITS, messageParts } });
  const signatures = (count: number): Uint8Array =>
    toBinary(TxRawSchema, create(TxRawSchema, { signatures: Array.from({ length: count }, () => new Uint8Array()) }));

  it('is not decoded', async () => {
    const encode = (count: number) =>
      services.call(
        '/cosmos.tx.v1beta1.Service/TxEncode',
        toBinary(
          TxEncodeRequestSchema,
          create(TxEncodeRequestSchema, { tx: { signatures: Array.from({ length: count }, () => new Uint8Array()) } }),
        ),
        0n,
      );
    expect(await encode(messageParts - 1)).toMatchObject({ ok: true });
    expect(await encode(messageParts)).toMatchObject(refused);
  });

  it('is refused also when its transaction has the parts', async () => {
    const decode = (count: number) =>
      services.call(
        '/cosmos.tx.v1beta1.Service/TxDecode',
        toBinary(TxDecodeRequestSchema, create(TxDecodeRequestSchema, { txBytes: signatures(count) })),
        0n,
      );
    expect(await decode(messageParts)).toMatchObject({ ok: true });
    expect(await decode(messageParts + 1)).toMatchObject(refused);
  });
});

describe('a transaction search', () => {
  it('reads the results of a block once, however many of its transactions it shows', () => {
    let reads = 0;
    const none = {
      block: create(BlockSchema, { data: { txs: [Uint8Array.of(1), Uint8Array.of(2)] } }),
      blockId: create(BlockIDSchema),
      size: 0,
    };
    const chain = {
      ...smallNode({}).queries.chain,
      block: () => none,
      results: () => {
        reads++;
        return EncodedResults.of(create(ResponseFinalizeBlockSchema, { txResults: [{ code: 1 }, { code: 2 }] }));
      },
    };
    const read = txReader(chain);
    const places = [
      [3n, 0],
      [3n, 1],
      [4n, 1],
      [4n, 2],
    ] as const;
    expect(places.map(([height, index]) => read(toHeight(height), index)?.result.code)).toEqual([1, 2, 2, undefined]);
    expect(reads).toBe(2);
  });

  it('is encoded one large transaction in a turn, and the answers are those of the whole', async () => {
    const memo = 'm'.repeat(20_000);
    const raw = encode(TxRawSchema, { bodyBytes: encode(TxBodySchema, { memo }) });
    const block = {
      block: create(BlockSchema, { header: { height: 3n, time: { seconds: 1n } }, data: { txs: [raw, raw, raw] } }),
      blockId: create(BlockIDSchema),
      size: 0,
    };
    const node = smallNode({});
    const items = [0, 1, 2].map((index) => ({ height: toHeight(3n), index }));
    const chain: NodeApi['queries']['chain'] = {
      ...node.queries.chain,
      tip: () => toHeight(3n),
      block: () => block,
      results: () => EncodedResults.of(create(ResponseFinalizeBlockSchema, { txResults: [{}, {}, {}] })),
      searchTxs: () => Promise.resolve({ ok: true, value: { total: 3, items } }),
    };
    let turns = 0;
    const counted = { yield: () => Promise.resolve(void (turns += 1)) };
    const api = { ...node, queries: { ...node.queries, chain } };
    const context = { api, facts, timers: counted, limits: DEFAULT_LIMITS, height: toHeight(3n) };
    const found = await getTxsEvent.run(encode(GetTxsEventRequestSchema, { query: 'tx.height=3' }), context);
    const whole = await getBlockWithTxs.run(encode(GetBlockWithTxsRequestSchema, { height: 3n }), context);
    expect(turns).toBe(6);
    if (!found.ok || !whole.ok) throw new Error('refused');
    const [searched, listed] = [
      fromBinary(GetTxsEventResponseSchema, found.value),
      fromBinary(GetBlockWithTxsResponseSchema, whole.value),
    ];
    for (const { txs } of [searched, listed]) expect(txs).toMatchObject([{ body: { memo } }, { body: { memo } }, {}]);
    expect(equal(toBinary(GetTxsEventResponseSchema, searched), found.value)).toBe(true);
    expect(equal(toBinary(GetBlockWithTxsResponseSchema, listed), whole.value)).toBe(true);
  });

  it('whose transactions do not fit into an answer is refused before it reads the first one too many', async () => {
    const block = {
      block: create(BlockSchema, { data: { txs: [new Uint8Array(60)] } }),
      blockId: create(BlockIDSchema),
      size: 0,
    };
    const node = smallNode({});
    const chain: NodeApi['queries']['chain'] = {
      ...node.queries.chain,
      block: () => block,
      results: () => EncodedResults.of(create(ResponseFinalizeBlockSchema, { txResults: [{ code: 1 }] })),
      searchTxs: () => Promise.resolve({ ok: true, value: { total: 1, items: [{ height: toHeight(3n), index: 0 }] } }),
    };
    const context = { api: { ...node, queries: { ...node.queries, chain } }, facts, timers, height: toHeight(3n) };
    const request = toBinary(GetTxsEventRequestSchema, create(GetTxsEventRequestSchema, { query: 'tx.height=3' }));
    const search = (grpcAnswerBytes: number) =>
      getTxsEvent.run(request, { ...context, limits: { ...DEFAULT_LIMITS, grpcAnswerBytes } });
    expect(await search(119)).toMatchObject({ ok: false, code: STATUS.resourceExhausted });
    // Within the limit the bytes are decoded, and these are not a transaction.
    expect(await search(120)).not.toMatchObject({ code: STATUS.resourceExhausted });
  });
});
