/** Genesis transactions: from the key of a home to the first validators of a chain. */
import { expect, test } from 'vitest';
import { chainOfGenesis, readGenesis } from '../../src/core/app/chain-of-genesis.js';
import { ed25519Address } from '../../src/core/comet/address.js';
import { devGenesis } from '../../src/core/genesis/dev-genesis.js';
import { toTimeNs } from '../../src/core/primitives.js';
import { createPureCrypto } from '../../src/runtime/host/crypto.js';
import { DEV_MNEMONIC } from '../../src/core/keys/dev-mnemonic.js';
import { devAccounts } from '../support/accounts.js';
import { runCli } from './support.js';
import { chronicle } from '../../src/core/app/presets.js';

const crypto = createPureCrypto();
const HOME = '/test-home';
const KEY = Buffer.alloc(32, 9).toString('base64');
const accounts = devAccounts({ mnemonic: DEV_MNEMONIC, count: 10, bech32Prefix: 'chron' });

/** Files of a home as `init` writes them. */
function initialised(): Map<string, string> {
  const genesis = devGenesis(crypto, {
    chainId: 'gen_77-1',
    time: toTimeNs(1_700_000_000_000_000_000n),
    accounts: accounts.map(({ bech32 }) => bech32),
    validators: [{ publicKey: new Uint8Array(32).fill(9), power: 1_000n, name: 'first' }],
    unsignedTransactions: false,
  });
  return new Map([
    [`${HOME}/config/genesis.json`, JSON.stringify(genesis)],
    [`${HOME}/config/node_key.json`, JSON.stringify({ id: 'ab'.repeat(20) })],
    [`${HOME}/config/priv_validator_key.json`, JSON.stringify({ pub_key: { value: KEY } })],
  ]);
}

const command = (texts: Map<string, string>, ...words: readonly string[]) =>
  runCli(['genesis', ...words, '--home', HOME], { texts });
const gentxFile = `${HOME}/config/gentx/gentx-${'ab'.repeat(20)}.json`;

test('collect-gentxs replaces the validators of init by that of the genesis transaction', async () => {
  const texts = initialised();
  const written = await command(texts, 'gentx', 'dev3', '500chr', '--moniker', 'mine', '--commission-rate', '0.07');
  expect(written).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Genesis transaction written to "${gentxFile}"`),
  });
  const [message] = JSON.parse(texts.get(gentxFile) ?? '').body.messages;
  expect(message).toMatchObject({
    '@type': '/cosmos.staking.v1beta1.MsgCreateValidator',
    description: { moniker: 'mine' },
    commission: { rate: '0.070000000000000000' },
    pubkey: { key: KEY },
    value: { denom: 'achr', amount: `500${'0'.repeat(18)}` },
  });
  expect(await command(texts, 'collect-gentxs')).toMatchObject({ code: 0 });
  const { begun } = chainOfGenesis({
    document: readGenesis(new TextEncoder().encode(texts.get(`${HOME}/config/genesis.json`))),
    version: chronicle,
    evmChainId: undefined,
    minGasPrice: 0n,
    crypto,
  });
  expect(
    begun.validators.map(({ power, pubKey }) => [
      power,
      pubKey && ed25519Address(crypto, pubKey.sum.value ?? new Uint8Array()),
    ]),
  ).toEqual([[500n, ed25519Address(crypto, new Uint8Array(32).fill(9))]]);
});

test.each([
  ['more than the account has', ['dev3', '10001chr'], /only has 10000000000000000000000achr available to stake/],
  ['another denomination', ['dev3', '5foo'], /not in the bond denomination achr/],
  ['two coins', ['dev3', '5achr,5foo'], /is not one coin/],
  ['an unknown key', ['nobody', '5chr'], /key not found: nobody/],
  ['a rate that is no number', ['dev3', '5chr', '--commission-rate', 'x'], /commission-rate is not a decimal/],
  ['a malformed key', ['dev3', '5chr', '--pubkey', '{'], /pubkey must be/],
])('gentx with %s is refused, and nothing is written', async (_, words, reason) => {
  const texts = initialised();
  const { code, stderr } = await command(texts, 'gentx', ...words);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(reason);
  expect(texts.has(gentxFile)).toBe(false);
});

test.each([
  ['no transactions', '{}', 'readme.txt', /there must be at least one genesis tx/],
  [
    'another message',
    '{"body":{"messages":[{"@type":"/x.Y"}],"memo":"a@b"}}',
    'a.json',
    /holds one MsgCreateValidator/,
  ],
  [
    'no address of a node',
    '{"body":{"messages":[{"@type":"/cosmos.staking.v1beta1.MsgCreateValidator"}],"memo":""}}',
    'a.json',
    /failed to find node's address and IP/,
  ],
])('collect-gentxs refuses a folder with %s', async (_, text, name, reason) => {
  const texts = initialised().set(`${HOME}/config/gentx/${name}`, text);
  const before = texts.get(`${HOME}/config/genesis.json`);
  const { code, stderr } = await command(texts, 'collect-gentxs');
  expect(code).not.toBe(0);
  expect(stderr).toMatch(reason);
  expect(texts.get(`${HOME}/config/genesis.json`)).toBe(before);
});
