/** The names `dev0` to `dev9`: accounts of the configured mnemonic, else of the well-known test mnemonic. */
import { expect, test } from 'vitest';
import { devAccounts } from '../support/accounts.js';
import { fakeNode, runCli, statusMethod, txServices } from './support.js';

const OWN = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const [own0, own1] = devAccounts({ mnemonic: OWN, count: 2, bech32Prefix: 'chron' });
const ABSENT = 'rpc error: code = NotFound desc = account not found: key not found';
const withoutAccounts = { ...txServices(), '/cosmos.auth.v1beta1.Query/Account': ABSENT };

test.each([
  ['the environment', { env: { CHRONICLED_MNEMONIC: OWN } }],
  ['the file of the home', { files: new Map([['/h/config/chronicled.toml', `mnemonic = "${OWN}"\n`]]) }],
])('dev0 and dev1 are accounts of the mnemonic in %s', async (_, options) => {
  const shown = await runCli(['keys', 'show', 'dev0', '-a', '--home', '/h'], options);
  expect(shown).toMatchObject({ code: 0, stdout: `${own0?.bech32}\n` });
  const { address } = await fakeNode(statusMethod, txServices());
  const line = ['tx', 'bank', 'send', 'dev0', 'dev1', '5achr', '--generate-only', '--gas', '1'];
  const made = await runCli([...line, '--home', '/h', '--node', address], options);
  expect(made.stderr).toBe('');
  expect(JSON.parse(made.stdout)).toMatchObject({
    body: { messages: [{ from_address: own0?.bech32, to_address: own1?.bech32 }] },
  });
});

test.each([
  ['tx bank send dev0 dev1 5achr -y', 'dev0'],
  [`tx bank send ${own0?.bech32} dev1 5achr --generate-only --gas 1`, 'dev1'],
  ['tx ibc-transfer transfer transfer channel-0 dev3 5achr --from dev0 -y', 'dev3'],
  ['query bank balances dev2', 'dev2'],
])('%s is refused on a chain without accounts of the test mnemonic', async (line, name) => {
  const { address, asked } = await fakeNode(statusMethod, withoutAccounts);
  const { code, stdout, stderr } = await runCli([...line.split(' '), '--node', address]);
  expect({ code, stdout }).toEqual({ code: 10, stdout: '' });
  expect(stderr).toContain(`Error: ${name} is an account of the well-known test mnemonic, and the chain`);
  expect(stderr).toContain('CHRONICLED_MNEMONIC');
  expect(asked.filter(({ method }) => method.startsWith('broadcast'))).toEqual([]);
});

test.each(['fund', 'set-balance'])(
  'dev %s refuses a name whose account belongs to another mnemonic than that of the node',
  async (command) => {
    const methods = { eth_accounts: () => ({ result: [own0?.hex] }), anvil_setBalance: () => ({ result: null }) };
    const { address, asked } = await fakeNode({ ...methods, eth_getBalance: () => ({ result: '0x1' }) });
    const run = (env: Readonly<Record<string, string>>) =>
      runCli(['dev', command, 'dev0', '5chr', '--eth-node', address], { env });
    expect((await run({})).stderr).toContain('dev0 is an account of the well-known test mnemonic');
    expect(asked.map(({ method }) => method)).toEqual(['eth_accounts']);
    expect(JSON.parse((await run({ CHRONICLED_MNEMONIC: OWN })).stdout)).toMatchObject({ address: own0?.hex });
  },
);
