/**
 * Mempools of two nodes of cosmos/evm v0.6.0. Their blocks were not recorded, but their senders are those of golden
 * chain-a: a node of ours executes chain-a until the senders have the recorded nonces, is asked the same, and makes
 * blocks of the transactions that wait.
 */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { compareLines, parsed, type Pair } from './answers.js';
import { RecordedPlay } from './play.js';

/** A request, or a look into the mempool of CometBFT, which has no method here. */
interface Asked {
  readonly height?: number;
  readonly note: string;
  readonly method?: string;
  readonly params?: readonly unknown[];
  readonly res: unknown;
}

/** A raw transaction and what its sending answered, or the mempool between them. */
interface Step {
  readonly step: string;
  readonly raw?: string;
  readonly send?: unknown;
  readonly content?: unknown;
  readonly inspect?: unknown;
  readonly status?: unknown;
  readonly first?: unknown;
  readonly second?: unknown;
  /** Not null where the recorder waited for the block of the transaction. */
  readonly receipt?: object | null;
}

/** The sender of the first recording sends its fifth transaction in the next block. */
const FIFTH_NONCE = 62n;
/** The senders of the second recording have their nonces. */
const BEFORE_GAPS = 135n;

describe.skipIf(!hasGolden)('a mempool that keeps transactions for later nonces', () => {
  const asked = hasGolden ? goldenLines<Asked>('faces/eth-mempool-on.jsonl') : [];
  const lines = asked.flatMap(({ method, note }, index) =>
    method === undefined ? [] : [[index + 1, `${method}, ${note}`] as const],
  );
  const pairs = new Map<number, Pair>();
  let play: RecordedPlay;

  beforeAll(async () => {
    play = await RecordedPlay.begin();
    await play.to(FIFTH_NONCE);
    let height = asked[0]?.height ?? 0;
    for (const [index, { method, params, res, height: at = height }] of asked.entries()) {
      if (method === undefined) continue;
      for (; height < at; height += 1) await play.mine();
      const [ours, recorded] = [await call(play, method, params), parsed(JSON.stringify(res))];
      pairs.set(index + 1, { ours, recorded: withoutId(recorded) });
    }
  }, 120_000);

  afterAll(async () => {
    expect(await play.end()).toEqual([]);
  });

  compareLines('eth-mempool-on', lines, pairs);
});

describe.skipIf(!hasGolden)('a mempool that takes only the next nonce', () => {
  const steps = hasGolden ? goldenLines<Step>('faces/eth-mempool-off.jsonl') : [];
  const pairs = new Map<number, Pair>();
  let play: RecordedPlay;

  beforeAll(async () => {
    play = await RecordedPlay.begin();
    await play.to(BEFORE_GAPS);
    for (const [index, { raw, send, content, inspect, status, first, second, receipt }] of steps.entries()) {
      const sent = (): Promise<unknown> => call(play, 'eth_sendRawTransaction', [raw]);
      const line = index + 1;
      if (first !== undefined)
        pairs.set(line, { ours: [await sent(), await sent()], recorded: [withoutId(first), withoutId(second)] });
      else if (raw !== undefined) pairs.set(line, { ours: await sent(), recorded: outcomeOf(send) });
      else {
        const seen = {
          content: await resultOf(play, 'txpool_content'),
          ...(inspect !== undefined && { inspect: await resultOf(play, 'txpool_inspect') }),
          ...(status !== undefined && { status: await resultOf(play, 'txpool_status') }),
        };
        pairs.set(line, { ours: seen, recorded: { content, inspect, status } });
      }
      if (receipt !== undefined && receipt !== null) await play.mine();
    }
  }, 120_000);

  afterAll(async () => {
    expect(await play.end()).toEqual([]);
  });

  compareLines(
    'eth-mempool-off',
    steps.map(({ step }, index) => [index + 1, step]),
    pairs,
  );
});

async function call(play: RecordedPlay, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const { body } = await play.ask({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
  await play.settle();
  return withoutId(parsed(body));
}

async function resultOf(play: RecordedPlay, method: string): Promise<unknown> {
  const answer = await call(play, method);
  return typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : answer;
}

/** A recorded sending: the hash, or the error object. */
function outcomeOf(send: unknown): unknown {
  return typeof send === 'string' ? { jsonrpc: '2.0', result: send } : { jsonrpc: '2.0', error: send };
}

/** The id of a request counts the recorder's requests. */
function withoutId(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null ? { ...answer, id: undefined } : answer;
}
