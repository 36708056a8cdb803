/** Mistyped amounts and senders: the command says what is wrong, and sends nothing. */
import { expect, test } from 'vitest';
import {
  QueryDenomsMetadataResponseSchema,
  QuerySupplyOfResponseSchema,
} from '../../src/core/proto/cosmos/bank/v1beta1/query_pb.js';
import { weiOf } from '../../src/cli/values/ethereum-units.js';
import { FIXED_LIMITS } from '../../src/core/limits/limits.js';
import { encoded, fakeNode, runCli, statusMethod, txServices } from './support.js';

const DENOMS = '/cosmos.bank.v1beta1.Query/DenomsMetadata';
const SUPPLY = '/cosmos.bank.v1beta1.Query/SupplyOf';

/** A chain with metadata of achr, and the same supply for every denom that is queried. */
function chainWith(supply: string, simulation?: string) {
  return fakeNode(
    { ...statusMethod, broadcast_tx_sync: () => ({ result: { code: 0, hash: 'AB'.repeat(32) } }) },
    {
      ...txServices(),
      [DENOMS]: encoded(QueryDenomsMetadataResponseSchema, {
        metadatas: [
          {
            base: 'achr',
            denomUnits: [{ denom: 'achr' }, { denom: 'gchr', exponent: 9 }, { denom: 'chr', exponent: 18 }],
          },
        ],
      }),
      [SUPPLY]: encoded(QuerySupplyOfResponseSchema, { amount: { denom: 'x', amount: supply } }),
      ...(simulation !== undefined && { '/cosmos.tx.v1beta1.Service/Simulate': simulation }),
    },
  );
}

const KNOWN = 'it knows achr, gchr, chr';

test.each([
  ['1CHR', `amount: this chain has no coin "CHR"; did you mean chr? ${KNOWN}`],
  ['1ether', `amount: this chain has no coin "ether"; did you mean chr? ${KNOWN}`],
  ['1gwei', `amount: this chain has no coin "gwei"; did you mean gchr? ${KNOWN}`],
  ['1wei', `amount: this chain has no coin "wei"; did you mean achr? ${KNOWN}`],
  ['1foo', `amount: this chain has no coin "foo"; ${KNOWN}`],
  ['1chr,1foo', `amount: this chain has no coin "foo"; ${KNOWN}`],
  ['1e18achr', `amount: this chain has no coin "e18achr"; write the number without an exponent; ${KNOWN}`],
  ['0chr', 'amount: must be positive, got "0chr"'],
  ['0achr', 'amount: must be positive, got "0achr"'],
  ['1', 'amount: invalid coins "1"; expected a denom behind the number, for example 1000achr'],
  ['1achr --fees 1CHR', `--fees: this chain has no coin "CHR"; did you mean chr? ${KNOWN}`],
  ['1achr --gas-prices 1Gwei', `--gas-prices: this chain has no coin "Gwei"; did you mean gchr? ${KNOWN}`],
])('tx bank send dev0 dev1 %s is refused before it is broadcast', async (amount, reason) => {
  const node = await chainWith('0');
  const run = await runCli(['tx', 'bank', 'send', 'dev0', 'dev1', ...amount.split(' '), '-y', '--node', node.address]);
  expect(run).toEqual({ code: 2, stdout: '', stderr: `Error: ${reason}\n`, ran: [] });
  expect(node.asked.some(({ method }) => method.startsWith('broadcast'))).toBe(false);
});

test.each([
  ['15', 15n],
  ['15wei', 15n],
  ['15achr', 15n],
  ['1.5gwei', 1_500_000_000n],
  ['1.5gchr', 1_500_000_000n],
  ['1.5ether', 1_500_000_000_000_000_000n],
  ['0.000000000000000001eth', 1n],
  ['1.5chr', 1_500_000_000_000_000_000n],
])('weiOf converts %s', (text, wei) => {
  expect(weiOf(text)).toBe(wei);
});

const UNITS = 'it may be wei, gwei, eth, ether, achr, gchr, chr';

test.each([
  ['1atom', `"1atom": "atom" is no unit of a balance; ${UNITS}`],
  ['1CHR', `"1CHR": "CHR" is no unit of a balance; ${UNITS}`],
  ['1 chr', `"1 chr": " chr" is no unit of a balance; ${UNITS}`],
  ['1e18', `"1e18": "e18" is no unit of a balance; ${UNITS}`],
  ['1.5', '"1.5" is no whole number of wei: a number without a unit has no decimals'],
  ['1.5achr', '"1.5achr" is no whole number of wei: achr has no decimals'],
  ['0.1234567891gwei', '"0.1234567891gwei" is no whole number of wei: gwei has 9 decimals'],
  ['chr', '"chr" is no amount; expected for example 1.5chr or 1000achr'],
  ['1.2.3chr', '"1.2.3chr" is no amount; expected for example 1.5chr or 1000achr'],
])('dev fund dev1 %s is refused without asking a node', async (amount, reason) => {
  for (const command of ['fund', 'set-balance'])
    expect(await runCli(['dev', command, 'dev1', amount, '--eth-node', 'http://127.0.0.1:1'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `Error: ${reason}\n`,
      ran: [],
    });
});

test('a denom without metadata is accepted if the chain has a supply of it, and an ibc/ denom always', async () => {
  const send = async (supply: string, amount: string) => {
    const { address } = await chainWith(supply);
    return (await runCli(['tx', 'bank', 'send', 'dev0', 'dev1', amount, '-y', '--node', address])).code;
  };
  expect(await send('1', '1foo')).toBe(0);
  expect(await send('0', '1ibc/AB')).toBe(0);
  expect(await send('0', '1foo')).toBe(2);
});

test('denoms are not checked if the chain answers no metadata or no supply', async () => {
  const send = async (amount: string, services: Readonly<Record<string, Uint8Array | string>>) => {
    const { address } = await fakeNode(
      { ...statusMethod, broadcast_tx_sync: () => ({ result: { code: 0, hash: 'AB'.repeat(32) } }) },
      { ...txServices(), ...services },
    );
    return (await runCli(['tx', 'bank', 'send', 'dev0', 'dev1', amount, '-y', '--node', address])).code;
  };
  const none = encoded(QuerySupplyOfResponseSchema, { amount: { denom: 'foo', amount: '0' } });
  const metadata = encoded(QueryDenomsMetadataResponseSchema, {
    metadatas: [{ base: 'achr', denomUnits: [{ denom: 'achr' }] }],
  });
  expect(await send('1foo', { [SUPPLY]: none })).toBe(0);
  expect(await send('1foo', { [DENOMS]: metadata })).toBe(0);
  expect(await send('1foo', { [DENOMS]: metadata, [SUPPLY]: none })).toBe(2);
});

test('an amount in the base unit needs no metadata query; supplies are queried up to a limit', async () => {
  const units = Array.from({ length: 30 }, (_, at) => ({ denom: `unit${at}`, exponent: at }));
  const { address, asked } = await fakeNode(statusMethod, {
    ...txServices(),
    [DENOMS]: encoded(QueryDenomsMetadataResponseSchema, { metadatas: [{ base: 'unit0', denomUnits: units }] }),
    [SUPPLY]: encoded(QuerySupplyOfResponseSchema, { amount: { denom: 'x', amount: '1' } }),
  });
  const send = async (amount: string, ...more: readonly string[]): Promise<string> => {
    const words = ['tx', 'bank', 'send', 'dev0', 'dev1', amount, '--generate-only', '--gas', '1', ...more];
    return (await runCli([...words, '--node', address])).stderr;
  };
  const questions = (path: string): number => asked.filter(({ params }) => params['path'] === path).length;
  await send('1achr', '--gas-prices', '2achr');
  expect(questions(DENOMS)).toBe(0);
  expect(await send(Array.from({ length: 30 }, (_, at) => `1coin${at}`).join(','))).toBe('');
  expect(questions(SUPPLY)).toBe(FIXED_LIMITS.listedDenoms);
});

test('the error for an unknown denom lists the known denoms up to a limit', async () => {
  const units = Array.from({ length: 30 }, (_, at) => ({ denom: `unit${at}`, exponent: at }));
  const { address } = await fakeNode(statusMethod, {
    ...txServices(),
    [DENOMS]: encoded(QueryDenomsMetadataResponseSchema, { metadatas: [{ base: 'unit0', denomUnits: units }] }),
    [SUPPLY]: encoded(QuerySupplyOfResponseSchema, { amount: { denom: 'x', amount: '0' } }),
  });
  const { stderr } = await runCli(['tx', 'bank', 'send', 'dev0', 'dev1', '1foo', '-y', '--node', address]);
  const known = units.slice(0, FIXED_LIMITS.listedDenoms).map(({ denom }) => denom);
  expect(stderr).toBe(`Error: amount: this chain has no coin "foo"; it knows ${known.join(', ')}\n`);
});

test.each(['tx staking delegate dev0 0chr --from dev1', 'faucet dev1 0chr'])(
  '%s is refused because the amount is zero',
  async (line) => {
    const { address } = await chainWith('0');
    const run = await runCli([...line.split(' '), '-y', '--node', address]);
    expect(run).toMatchObject({ code: 2, stderr: 'Error: amount: must be positive, got "0chr"\n' });
  },
);

test('the error of a simulation is shown without the wrapping of gRPC and the SDK', async () => {
  const { address } = await chainWith(
    '0',
    "rpc error: code = Unknown desc = failed to execute message; message index: 0: 1achr is smaller than 2achr: insufficient funds with gas used: '69744': unknown request",
  );
  const run = await runCli(['tx', 'bank', 'send', 'dev0', 'dev1', '2achr', '-y', '--node', address]);
  expect(run).toMatchObject({
    code: 9,
    stderr: 'Error: the transaction would fail, and was not sent: 1achr is smaller than 2achr: insufficient funds\n',
  });
});

test.each(['bank send dev0 dev1 1achr', 'bank multi-send dev0 dev1 1achr', 'feegrant grant dev0 dev1'])(
  'tx %s accepts the sender as --from, and refuses another account',
  async (line) => {
    const { address, asked } = await chainWith('0');
    const send = (from: string) => runCli(['tx', ...line.split(' '), '--from', from, '-y', '--node', address]);
    expect(await send('dev2')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Error: --from dev2 is another account than the sender dev0, which signs: leave --from out\n',
    });
    expect(asked.some(({ method }) => method.startsWith('broadcast'))).toBe(false);
    const client = 'keyring-default-keyname = "dev2"\n';
    const files = new Map([['/home/someone/.chronicled/config/client.toml', client]]);
    expect((await runCli(['tx', ...line.split(' '), '-y', '--node', address], { files })).code).toBe(0);
    expect((await send('dev0')).code).toBe(0);
    expect((await send('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).code).toBe(0);
  },
);
