/** The answers of the gateway, compared with the recorded answers of a Go node. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createRest } from '../../../src/adapters/rest/index.js';
import type { HttpHandler } from '../../../src/adapters/transport/index.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { comparable } from '../services/recorded-calls.js';
import { recordedServices } from '../services/recorded-services.js';
import { ask } from './ask.js';
import { skippedExchange, type Exchange } from './recorded-exchanges.js';

const HEIGHT = 'grpc-metadata-x-cosmos-block-height';
const exchanges = hasGolden ? goldenLines<Exchange>('faces/rest.jsonl') : [];

describe.skipIf(!hasGolden)('recorded REST exchanges', () => {
  const compared = exchanges.filter((exchange) => skippedExchange(exchange) === undefined);
  const reasons = new Map<string, number>();
  for (const exchange of exchanges) {
    const why = skippedExchange(exchange);
    if (why !== undefined) reasons.set(why, (reasons.get(why) ?? 0) + 1);
  }
  for (const [why, count] of reasons) it.skip(`${count} exchanges (reason: ${why})`);

  const faces = new Map<bigint, HttpHandler>();
  beforeAll(async () => {
    for (const head of new Set(compared.map(headOf)))
      faces.set(head, createRest((await recordedServices(head)).services, { version: '0.0.0' }));
  }, 120_000);

  it('most exchanges with modules that exist are compared', () => expect(compared.length).toBeGreaterThan(350));

  it.each(
    compared.map((exchange, index) => ({
      title: `${index} ${exchange.name} ${exchange.req.method} ${exchange.req.path.slice(0, 140)}`,
      exchange,
    })),
  )('$title', async ({ exchange }) => {
    const face = faces.get(headOf(exchange));
    if (face === undefined) throw new Error('no node');
    const answer = await ask(face, exchange.req);
    expect(shown(answer, exchange)).toEqual(shown(exchange.res, exchange));
  });
});

/** The head of the Go node when it answered. */
function headOf({ req, res }: Exchange): bigint {
  const height = res.headers[HEIGHT];
  return height === undefined || req.headers['x-cosmos-block-height'] !== undefined ? 557n : BigInt(height);
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SHOWN = ['location', 'content-type'];
const HEIGHTS = [HEIGHT, 'x-cosmos-block-height'];

function shown({ status, headers, body }: Answer, { req }: Exchange): unknown {
  // The Go node's gateway broadcasts without gRPC, so that this answer alone has no height.
  const names = req.path === '/cosmos/tx/v1beta1/txs' && req.method === 'POST' ? SHOWN : [...SHOWN, ...HEIGHTS];
  const kept = Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  return { status, headers: kept, body: body === '' ? '' : normalised(JSON.parse(body)) };
}

function normalised(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('message' in body) || typeof body.message !== 'string')
    return body;
  return { ...body, message: comparable(body.message) };
}
