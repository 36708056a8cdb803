/** `comet` and its aliases: the keys of a home (cosmos-sdk v0.53 `server/cmt_cmds.go`; recorded in faces/cli.jsonl). */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { goldenPath, hasGolden } from '../support/golden.js';
import { runCli } from './support.js';

const HOME = '/test-home';
const KEY = Buffer.alloc(32, 9).toString('base64');
const run = (texts: ReadonlyMap<string, string>, ...words: readonly string[]) =>
  runCli([...words, '--home', HOME], { texts: new Map(texts) });

const initialised = new Map([
  [`${HOME}/config/node_key.json`, JSON.stringify({ id: 'ab'.repeat(20) })],
  [`${HOME}/config/priv_validator_key.json`, JSON.stringify({ pub_key: { value: KEY } })],
]);

test('comet, cometbft and tendermint show the keys of a home', async () => {
  for (const tree of ['comet', 'cometbft', 'tendermint']) {
    expect((await run(initialised, tree, 'show-node-id')).stdout).toBe(`${'ab'.repeat(20)}\n`);
    expect((await run(initialised, tree, 'show-validator')).stdout).toBe(
      `{"@type":"/cosmos.crypto.ed25519.PubKey","key":"${KEY}"}\n`,
    );
    const address = (await run(initialised, tree, 'show-address')).stdout;
    expect(address).toMatch(/^chronvalcons1[0-9a-z]{38}\n$/);
    expect((await run(initialised, tree, 'show-address', '--bech32-prefix', 'cosmos')).stdout).toMatch(
      /^cosmosvalcons1[0-9a-z]{38}\n$/,
    );
    expect((await runCli([tree, 'version'])).stdout).toMatch(
      /^ABCI: 2\.0\.0\nBlockProtocol: 11\nCometBFT: 0\.38\.\d+\nP2PProtocol: 8\n\n$/,
    );
  }
});

test('a missing or malformed key file of a home is named in the error', async () => {
  for (const word of ['show-node-id', 'show-validator', 'show-address'])
    expect(await run(new Map(), 'comet', word)).toMatchObject({
      code: 10,
      stdout: '',
      stderr: expect.stringContaining(`${HOME}/config/`),
    });
  for (const text of ['{"pub_key":{"value":"AAAA"}}', '{"pub_key":{"value":"!"}}', '{}', '[]'])
    expect(
      await run(new Map([[`${HOME}/config/priv_validator_key.json`, text]]), 'comet', 'show-validator'),
    ).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('priv_validator_key.json') });
});

test('unsafe-reset-all and reset-state remove the chain of a home without confirmation', async () => {
  for (const word of ['unsafe-reset-all', 'unsafe_reset_all', 'reset-state', 'reset_state']) {
    const { code, ran } = await run(new Map(), 'comet', word, '--keep-addr-book');
    expect(code).toBe(0);
    const keepSnapshots = word.endsWith('state');
    expect(ran).toMatchObject([{ command: 'reset', options: { home: HOME }, args: { yes: true, keepSnapshots } }]);
  }
});

describe.skipIf(!hasGolden)('comet over the files of a recorded home', () => {
  const file = (name: string): readonly [string, string] => [
    `${HOME}/config/${name}`,
    readFileSync(goldenPath(`chain-a/${name}`), 'utf8'),
  ];
  const texts = new Map(['genesis.json', 'node_key.json', 'priv_validator_key.json'].map(file));
  test.each([
    ['show-node-id', '5e0388b493d6010a5817ff3ff5b86125d216d7f1'],
    [
      'show-validator',
      '{"@type":"/cosmos.crypto.ed25519.PubKey","key":"DsS4h53SOQ7NIx2VGT8lvnHOoVOFqIPc+VE+uBPYBXw="}',
    ],
    ['show-address', 'cosmosvalcons19cw2jv596ky59w3wyt7cj0x2clyjfsapgmwnjd'],
  ])('%s prints what the Go node printed', async (word, recorded) => {
    expect((await run(texts, 'comet', word)).stdout).toBe(`${recorded}\n`);
  });
});
