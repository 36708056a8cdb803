import { describe, expect, test } from 'vitest';
import { fakeNode, runCli } from './support.js';

const HASH = '5B'.repeat(32);
const unknown = { error: { code: -32603, message: 'Internal error', data: `tx (${HASH}) not found` } };

describe('query wait-tx without a hash', () => {
  test.each([
    ['JSON', `{"height":"0","txhash":"${HASH}","code":0}\n`],
    ['indented JSON', `{\n  "txhash": "${HASH}"\n}\n`],
    ['YAML', `code: 0\nraw_log: ""\ntxhash: ${HASH}\n`],
  ])('takes the hash from piped output in %s', async (_, answer) => {
    const node = await fakeNode({ tx: () => unknown });
    const line = ['query', 'wait-tx', '--timeout', '1ms', '--node', node.address];
    expect(await runCli(line, { input: answer.split('\n') })).toMatchObject({
      code: 10,
      stderr: `Error: timed out waiting for transaction ${HASH} to be included in a block\n`,
    });
    expect(node.asked[0]).toMatchObject({ method: 'tx', params: { hash: 'W1tb'.repeat(10) + 'W1s=' } });
  });

  test.each([[''], ['{"code":0}'], ['txhash of it'], ['{"txhash":5}']])('refuses the input %j', async (answer) => {
    const { code, stderr } = await runCli(['query', 'wait-tx'], { input: [answer] });
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'Error: txhash not found in standard input\n' });
  });
});
