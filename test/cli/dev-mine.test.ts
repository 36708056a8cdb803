/** `dev mine` of many blocks, which are requested in parts, and `dev time`. */
import { expect, test, vi } from 'vitest';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../src/core/limits/limits.js';
import { fakeNode, runCli, statusMethod } from './support.js';

async function miningNode() {
  const { address, asked } = await fakeNode({
    anvil_mine: () => ({ result: null }),
    eth_blockNumber: () => ({ result: '0x7' }),
  });
  const mine = (...words: readonly string[]) => runCli(['dev', 'mine', ...words, '--eth-node', address]);
  const counts = () => asked.filter(({ method }) => method === 'anvil_mine').map(({ params }) => Number(params[0]));
  return { mine, counts };
}

test('dev mine requests many blocks in several calls', async () => {
  const part = FIXED_LIMITS.cliMinedBlocks;
  for (const [words, expected] of [
    [[], [1]],
    [['0'], [0]],
    [[`${part}`], [part]],
    [[`${2 * part + 3}`], [part, part, 3]],
  ] as const) {
    const { mine, counts } = await miningNode();
    expect(await mine(...words)).toMatchObject({ code: 0, stdout: '7\n' });
    expect(counts()).toEqual(expected);
  }
});

test('dev mine refuses more blocks than the limit devMineBlocks', async () => {
  const { mine, counts } = await miningNode();
  const most = DEFAULT_LIMITS.devMineBlocks;
  expect(await mine(`${most + 1}`)).toMatchObject({
    code: 2,
    stderr: `Error: count: at most ${most} blocks, got ${most + 1}\n`,
  });
  expect(counts()).toEqual([]);
});

test.each([
  [['dev', 'mine'], '--eth-node', 'anvil_mine'],
  [['status'], '--node', 'status'],
])('a timeout of %j is reported as a slow node, not as an absent one', async (words, flag, method) => {
  const { address } = await fakeNode({ ...statusMethod, anvil_mine: () => ({ result: null }) });
  const expired = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(expired);
  const { code, stderr } = await runCli([...words, flag, address]);
  timeout.mockRestore();
  expect({ code, stderr }).toEqual({
    code: 8,
    stderr: expect.stringMatching(
      new RegExp(`^Error: E_UNREACHABLE: ${method} of ${address}: no answer within [36]0 s\\. The node may be busy`),
    ),
  });
});

test.each([
  ['61', 61],
  ['90s', 90],
  ['1h30m', 5_400],
])('dev time increase accepts seconds or a duration: %s', async (text, seconds) => {
  const { address, asked } = await fakeNode({ evm_increaseTime: () => ({ result: seconds }) });
  expect(await runCli(['dev', 'time', 'increase', text, '--eth-node', address])).toMatchObject({ code: 0 });
  expect(asked.map(({ params }) => Number(params[0]))).toEqual([seconds]);
});

test.each(['1day', '1ms', '-5', ''])('dev time increase refuses %j', async (text) => {
  const { address, asked } = await fakeNode({});
  expect(await runCli(['dev', 'time', 'increase', '--eth-node', address, '--', text])).toMatchObject({ code: 2 });
  expect(asked).toEqual([]);
});
