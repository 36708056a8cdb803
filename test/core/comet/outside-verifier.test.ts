import { describe, expect, it } from 'vitest';
import { hasGolden } from '../../support/golden.js';
import { verifyChain } from './outside-verifier.js';
import { RECORDED_CHAINS, type RecordedHeight, recordedHeights } from './recorded-blocks.js';

/** Serves the verifier's routes from recorded answers; a commit that was not recorded comes from the next block. */
function recordedRoutes(
  heights: readonly RecordedHeight[],
  change: (route: string, answer: unknown) => unknown,
): (route: string) => Promise<unknown> {
  const byHeight = new Map(heights.map((line) => [line.height, line]));
  const validators = new Map<string, RecordedHeight['validators']>();
  for (const line of heights)
    if (line.validators !== undefined) validators.set(line.block.block.header.validators_hash, line.validators);
  return (route) => {
    const url = new URL(route, 'http://recorded');
    const line = byHeight.get(Number(url.searchParams.get('height')));
    if (line === undefined) return Promise.resolve({ error: { code: -32603, message: 'Internal error' } });
    const { block } = line.block;
    const answers: Readonly<Record<string, unknown>> = {
      '/block': line.block,
      '/commit': line.commit ?? {
        signed_header: { header: block.header, commit: byHeight.get(line.height + 1)?.block.block.last_commit },
      },
      '/validators': validators.get(block.header.validators_hash),
    };
    return Promise.resolve({
      jsonrpc: '2.0',
      id: -1,
      result: change(url.pathname, structuredClone(answers[url.pathname])),
    });
  };
}

const unchanged = (_: string, answer: unknown): unknown => answer;

describe.skipIf(!hasGolden)('outside verifier', () => {
  it.each(RECORDED_CHAINS)('accepts every block of %s', async (name) => {
    const heights = recordedHeights(name);
    // No block contains the newest block's commit yet; not every recording has it.
    const last = heights.at(-1)?.commit === undefined ? heights.length - 1 : heights.length;
    const { headers, signatures } = await verifyChain(recordedRoutes(heights, unchanged), 1, last);
    expect(headers).toBe(last);
    expect(signatures).toBeGreaterThanOrEqual(last);
  });

  it.each([
    ['header', '/block', '"app_hash":"0', '"app_hash":"1', /block hash/],
    ['transaction', '/block', '"txs":[', '"txs":["AAAA"', /data_hash/],
    ['commit signature', '/commit', '"signature":"', '"signature":"AAAA', /signature 0 is wrong/],
    ['voting power', '/validators', '"voting_power":"1', '"voting_power":"2', /validators_hash/],
  ])('refuses a changed %s', async (_, path, from, to, reason) => {
    const routes = recordedRoutes(recordedHeights('simple-kv/net4-blocks.jsonl'), (route, answer) =>
      route === path ? JSON.parse(JSON.stringify(answer).replace(from, to)) : answer,
    );
    await expect(verifyChain(routes, 1, 3)).rejects.toThrow(reason);
  });
});
