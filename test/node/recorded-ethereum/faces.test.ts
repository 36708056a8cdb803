/**
 * Answers of a node of cosmos/evm v0.6.0 on its Ethereum face over golden chain-a, compared at the same heights:
 * the blocks are executed by this node, and each answer is the recorded one or is listed in docs/interfaces/eth-rpc.md.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { comparable, compareLines, DIFFERENT_MEMBERS, parsed, type Pair } from './answers.js';
import { RecordedPlay, type Request } from './play.js';
import { answerFrames, framesOf, type Frame } from './sockets.js';

interface Exchange {
  readonly name: string;
  readonly req: Request;
  readonly res: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

/** The height of the recorded node from a line on: what its answers name (`eth_blockNumber`, heads, errors). */
const HEIGHTS: ReadonlyMap<number, bigint> = new Map([
  [1, 415n],
  [232, 416n],
  [275, 417n],
  [282, 419n],
]);
/** The recorded node signed and sent a transaction itself: the first one of block 417. */
const SENT_BY_NODE = 232;

/** Bodies that the recording only describes. */
const DESCRIBED: ReadonlyMap<string, string> = new Map([
  [
    '(1001 eth_chainId calls)',
    JSON.stringify(Array.from({ length: 1_001 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }))),
  ],
  ['(6 MiB of spaces)', ' '.repeat(6 * 1_024 * 1_024)],
]);

describe.skipIf(!hasGolden)('recorded answers of the Ethereum JSON-RPC', () => {
  const exchanges = hasGolden ? goldenLines<Exchange>('faces/eth-http.jsonl') : [];
  const frames = hasGolden ? goldenLines<Frame>('faces/eth-ws.jsonl') : [];
  const http = new Map<number, Pair>();
  const webSocket = new Map<number, Pair>();
  let play: RecordedPlay;

  beforeAll(async () => {
    play = await RecordedPlay.begin();
    /** Random ids of filters, as recorded and as given here. */
    const filters = new Map<string, string>();
    for (const [index, { name, req, res }] of exchanges.entries()) {
      const line = index + 1;
      await play.to(HEIGHTS.get(line) ?? play.height);
      if (line === SENT_BY_NODE) await play.hearOf(1);
      let body = DESCRIBED.get(req.body ?? '') ?? req.body;
      for (const [recorded, ours] of filters) body = body?.replace(recorded, ours);
      const answer = await play.ask({ ...req, ...(body !== undefined && { body }) });
      await play.settle();
      const [id, recordedId] = [idOf(answer.body), idOf(res.body)];
      if (name.includes('Filter') && id !== undefined && recordedId !== undefined) filters.set(recordedId, id);
      let text = answer.body;
      for (const [recorded, ours] of filters) text = text.replace(ours, recorded);
      http.set(line, {
        ours: { status: answer.status, type: answer.type, body: parsed(text) },
        recorded: { status: res.status, type: res.headers['content-type'], body: parsed(res.body) },
      });
    }
    await answerFrames(play, frames, webSocket);
  }, 120_000);

  afterAll(async () => {
    expect(await play.end()).toEqual([]);
  });

  describe('over HTTP', () => {
    compareLines(
      'eth-http',
      exchanges.map(({ name }, index) => [index + 1, name]),
      http,
    );

    test.each(DIFFERENT_MEMBERS)('the excluded member %s differs somewhere', (member) => {
      const others = DIFFERENT_MEMBERS.filter((other) => other !== member);
      const differs = [...http.values()].some(
        ({ ours, recorded }) =>
          isDeepStrictEqual(comparable(ours), comparable(recorded)) &&
          !isDeepStrictEqual(comparable(ours, others), comparable(recorded, others)),
      );
      expect(differs).toBe(true);
    });
  });

  describe('over websockets', () => compareLines('eth-ws', framesOf(frames), webSocket));
});

/** The random id that an answer gives. */
function idOf(body: string): string | undefined {
  return /"result":"(0x[0-9a-f]{20,32})"/.exec(body)?.[1];
}
