/** Every command below `query` prints, with `-o text`, the YAML of what it prints with `-o json`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { yamlOf } from '../../src/cli/table/output.js';
import type { CommandRow } from '../../src/cli/table/command-table.js';
import { everyCommand } from './every-command.js';
import { hasGolden } from '../support/golden.js';
import { type RecordedRpc, serveRecorded } from './recorded-node.js';
import { runCli } from './support.js';

const VALIDATOR = 'cosmosvaloper10jmp6sgh4cc6zt3e8gw05wavvejgr5pw4xyrql';
const ACCOUNT = 'cosmos1jcltmuhplrdcwp7stlr4hlhlhgd4htqhnu0t2g';
const GRANTER = 'cosmos1cml96vmptgw99syqrrz8az79xer2pcgp95srxm';
const GRANTEE = 'cosmos183zvmhdk4yq0526cthffncpaztay9yaumk4e6c';
const CONTRACT = '0x411a113d3e8ba7cdc38e103a95bfb7193135de64';
const TRANSACTION = 'EE7340A1F09AC62362EE6BF9BE393237080DF36368C165BA6E35815227720069';

/** An argument for each placeholder of the tables, of the recorded chain. */
const SAMPLES: Readonly<Record<string, string>> = {
  address: ACCOUNT,
  'channel-id': 'channel-0',
  'client-id': '07-tendermint-0',
  'connection-id': 'connection-localhost',
  contract: CONTRACT,
  delegator: ACCOUNT,
  denom: 'atest',
  denoms: 'atest',
  depositor: ACCOUNT,
  destination: 'cosmosvaloper1wzvhjux9rqfdcwspp37srdgwp5tac7wgwztcn4',
  'end-height': '600',
  grantee: GRANTEE,
  granter: GRANTER,
  hash: TRANSACTION,
  'hash|address/sequence|signatures': TRANSACTION,
  height: '20',
  'hash-or-denom': 'ibc/27A6394C3F9FF9C9DCF5DFFADF9BB5FE9A37C7E92B006199894CF1824DF9AC7C',
  'height|hash': '20',
  hex: 'c6fe5d33615a1c52c08018c47e8bc53646a0e101',
  key: '0x0',
  module: 'bank',
  'msg-type-url': '/cosmos.bank.v1beta1.MsgSend',
  name: 'gov',
  number: '1',
  'port-id': 'transfer',
  'proposal-id': '1',
  'revision-height': '1-5',
  sequence: '1',
  source: VALIDATOR,
  'start-height': '1',
  subspace: 'staking',
  token: CONTRACT,
  trace: 'transfer/channel-0/uatom',
  validator: VALIDATOR,
  voter: ACCOUNT,
};

/** Commands for which the recorded chain has nothing. */
const FAIL: ReadonlySet<string> = new Set([
  'query gov deposit',
  'query gov vote',
  'query upgrade plan',
  'query upgrade applied',
  'query staking redelegation',
  'query staking unbonding-delegation',
  'query params subspace',
  'query params subspaces',
  'query evidence evidence',
  // the recorded chain has no counterparties
  'query ibc client state',
  'query ibc client consensus-state',
  'query ibc client counterparty-info',
  'query ibc connection path',
  'query ibc channel client-state',
  'query ibc channel end',
  'query ibc channel next-sequence-receive',
  'query ibc channel next-sequence-send',
  'query ibc channel packet-ack',
  'query ibc channel packet-commitment',
  'query ibc channel packet-commitments',
  'query ibc channel packet-receipt',
  'query ibc channel unreceived-acks',
  'query ibc channel unreceived-packets',
  'query ibc channelv2 next-sequence-send',
  'query ibc channelv2 packet-acknowledgement',
  'query ibc channelv2 packet-commitment',
  'query ibc-transfer denom',
  'query ibc-transfer denom-hash',
]);

/** Modules that the recorded chain does not have. */
const ABSENT = /^query (claims|epochs|incentives|inflation|recovery|vesting) /;

/** Commands that print one address and nothing else in both formats, as those of cosmos/evm. */
const PLAIN: ReadonlySet<string> = new Set([
  'query evm 0x-to-bech32',
  'query evm bech32-to-0x',
  'query ibc-transfer escrow-address',
]);

/** Arguments of commands that the samples do not fit, and options that a command needs. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'query slashing signing-info': ['cosmosvalcons19cw2jv596ky59w3wyt7cj0x2clyjfsapgmwnjd'],
  'query bank denom-metadata-by-query-string': ['--denom', 'atest'],
  'query bank denom-owners-by-query': ['--denom', 'atest'],
  'query distribution delegator-validators': ['--delegator-address', ACCOUNT],
  'query distribution delegator-withdraw-address': ['--delegator-address', ACCOUNT],
  'query evm 0x-to-bech32': [CONTRACT],
  'query txs': ['--query', 'tx.height=20'],
  'query blocks': ['--query', 'block.height<3'],
};

const ROWS = (await everyCommand()).filter(({ path }) => path.startsWith('query '));

function argumentsOf({ path, args = '', options = [] }: CommandRow): readonly string[] {
  const names = [...args.matchAll(/[<[]([^>\]]+)[>\]]/g)].map(([, name = '']) => name);
  const samples = ARGUMENTS[path] ?? names.map((name) => SAMPLES[name] ?? `no sample of ${name}`);
  // a recorded chain has no trees for proofs
  return options.some(({ flag }) => flag.startsWith('--prove')) ? [...samples, '--prove=false'] : samples;
}

describe.skipIf(!hasGolden)('text output of each query command', () => {
  let node: RecordedRpc;
  beforeAll(async () => {
    node = await serveRecorded(658n);
  }, 120_000);
  afterAll(() => void node.server.close());

  const run = (row: CommandRow, output: string) =>
    runCli([...row.path.split(' '), ...argumentsOf(row), '--node', node.address, '-o', output], {
      env: { CHRONICLED_BECH32_PREFIX: 'cosmos' },
    });

  test('more than 90 query commands exist', () => expect(ROWS.length).toBeGreaterThan(90));

  test.each(ROWS.map((row) => ({ path: row.path, row })))('$path', async ({ path, row }) => {
    const json = await run(row, 'json');
    const text = await run(row, 'text');
    expect(text.code).toBe(json.code);
    expect(text.stderr).toBe(json.stderr);
    expect({ path, fails: json.code !== 0 }, json.stderr).toEqual({ path, fails: FAIL.has(path) || ABSENT.test(path) });
    if (json.code === 0) expect(text.stdout).toBe(PLAIN.has(path) ? json.stdout : yamlOf(JSON.parse(json.stdout)));
  });
});
