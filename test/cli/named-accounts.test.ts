/**
 * Every argument and flag that names an account, from the tables of the program: it takes a name, a bech32 and a 0x
 * address, and refuses everything else before a question about it is asked or a signature made.
 */
import { expect, test } from 'vitest';
import { optionSet } from '../../src/cli/table/option-sets.js';
import { everyCommand } from './every-command.js';
import { fromHex } from '../../src/core/bytes/hex.js';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { fakeNode, runCli, statusMethod, txServices } from './support.js';

const COMMANDS = await everyCommand();
const DEV0 = 'chron17w0adeg64ky0daxwd2ugyuneellmjgnxhhzugr';
const DEV1 = 'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9';
const HEX1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OPERATOR1 = encodeAddress('chronvaloper', fromHex(HEX1.slice(2)));
const TWENTY = new Uint8Array(20).fill(9);
const FOREIGN = encodeAddress('cosmos', TWENTY);
const FOREIGN_OPERATOR = encodeAddress('cosmosvaloper', TWENTY);

/** Words of arguments that name an account, and those that name a validator by its operator. */
const ACCOUNTS =
  /^(address|account|addresses|from|to|granter|grantee|depositor|voter|delegator|recipient|receiver|participant|relayers)(\.\.\.)?$/;
const OPERATORS = /^(validator|source|destination|addresses)$/;
/** Words that name no account, or only a key of the keyring. */
const OTHERS =
  /^(hash|folders?|url|port|format|height|height\|hash|type|query|events|number|count|order|(hash\|address\/sequence\|signatures)|duration|dir|name|names|key|denoms?|contracts?|proposal-id|status|module|file|files|amount|amount\|auto|factor|price|coins?|text|mode|id|signatures|hex|params|json|send-enabled|deposit|option|weights|creation-height|rate|subspace|start-height|end-height|module-name|invariant-route|msg-type-url|urls?|seconds|time|end-time|token|tokens|client-id|boolean|revision-height|connection-id|port-id|channel-id|sequence|list|hash-or-denom|trace|source-port|source-channel|nanoseconds|kind|path|form|prefix|bytes|interface|preset|key-file|value|words|ip|peers|allocations|epochs|identifier|client-state|consensus-state|client-message|misbehaviour|client-proof|consensus-proof|subject-client-id|substitute-client-id|counterparty-client-id|merkle-prefix)(\.\.\.)?$/;

/** Arguments whose word looks like an account, and why they name no account of this chain. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'query auth address-string-to-bytes <address>': 'a conversion of one spelling',
  'query evm 0x-to-bech32 <address>': 'a conversion of one spelling',
  'query evm bech32-to-0x <address>': 'a conversion of one spelling',
  'keys parse <address>': 'a conversion of one spelling',
  'debug addr <address>': 'a conversion of one spelling',
  'tx ibc-transfer transfer <receiver>': 'an account of another chain, of which names alone are read (ibc.test.ts)',
  'keys rename <from>': 'a name of the keyring alone',
  'keys rename <to>': 'a name of the keyring alone',
  'comet init --proxy-app': 'an address of a socket',
  'comet init --rpc-laddr': 'an address of a socket',
  'comet init --p2p-laddr': 'an address of a socket',
  'genesis gentx --ip': 'an address of a machine',
  'genesis add-genesis-account <address>': 'read by its own test, for it writes a file',
  'query slashing signing-info <validator>': 'a key that signs blocks (signing-info.test.ts)',
  '--node': 'an address of a socket',
};

/** Values of the other arguments of a command while one of them is tried. */
const SAMPLES: Readonly<Record<string, string>> = {
  amount: '5achr',
  denom: 'achr',
  'proposal-id': '1',
  type: 'send',
  'msg-type-url': '/cosmos.bank.v1beta1.MsgSend',
  'start-height': '1',
  'end-height': '2',
  'creation-height': '3',
  'end-time': '5',
  coin: '5achr',
  contract: '0x00000000000000000000000000000000000000aa',
  key: '0x01',
  coins: '5achr',
};
const CLIENT_STATE = '{"@type":"/ibc.lightclients.tendermint.v1.ClientState"}';
/** Samples of single commands. */
const OWN_SAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'tx sign': { file: 'tx.json' },
  'tx sign-batch': { files: 'tx.json' },
  'tx vesting create-periodic-vesting-account': { file: 'periods.json' },
  'tx erc20 convert-erc20': { amount: '5' },
  'tx ibc client schedule-ibc-upgrade': { name: 'p', height: '9', 'client-state': CLIENT_STATE },
};
/** Flags without which a command does nothing. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'tx authz grant': ['--spend-limit', '5achr'],
  'tx authz grant --allowed-validators': ['--spend-limit', '5achr'],
  'tx distribution community-pool-spend-proposal': ['--title', 't'],
  'tx ibc client recover-client': ['--title', 't'],
  'tx ibc client schedule-ibc-upgrade': ['--title', 't'],
  'tx upgrade software-upgrade': ['--title', 't', '--height', '+5'],
  'tx upgrade cancel-software-upgrade': ['--title', 't'],
  'tx vesting create-clawback-vesting-account': ['--vesting', 'periods.json'],
};

interface Place {
  readonly path: string;
  /** `<to>` or `--fee-payer`. */
  readonly place: string;
  readonly kind: 'account' | 'operator';
  line(value: string): readonly string[];
}

/** Flags that many commands share are tried with one that has no signer among its arguments. */
const SHARING = 'tx distribution set-withdraw-addr';
const SHARED = new Set(['--fee-payer', '--fee-granter', '--from']);

function locationsOf({ path, args = '', options = [], sets }: (typeof COMMANDS)[number]): readonly Place[] {
  const words = Array.from(args.matchAll(/[<[]([^>\]]+)[>\]]/g), ([, word = '']) => word);
  const isTx = sets.includes('tx');
  const line = (position: number, value: string): readonly string[] =>
    words
      .filter((word, at) => at === position || args.includes(`<${word}>`))
      .map((word) => (words.indexOf(word) === position ? value : sample(word)));
  const sample = (word: string): string =>
    OWN_SAMPLES[path]?.[word.replace('...', '')] ??
    SAMPLES[word.replace('...', '')] ??
    (OPERATORS.test(word) ? OPERATOR1 : 'dev2');
  const more = [
    ...(NEEDED[path] ?? []),
    ...(isTx && !/^(from|granter)$/.test(words[0] ?? '') ? ['--from', 'dev0'] : []),
  ];
  const tail = path.endsWith('multi-send') ? ['5achr'] : [];
  const ofArguments = words.flatMap((word, position): Place[] => {
    const kind = kindOf(word, `${path} <${word}>`);
    const at = (value: string) => [...path.split(' '), ...line(position, value), ...tail, ...more];
    return kind === undefined ? [] : [{ path, place: `<${word}>`, kind, line: at }];
  });
  const shared = path === SHARING ? optionSet('tx', {}, 'json') : [];
  const ofFlags = [...options, ...shared].flatMap(({ flag }): Place[] => {
    const [, name = '', word = ''] = /(--[a-z0-9-_]+)[^-]*<([^>]+)>$/.exec(flag) ?? [];
    if (name === '' || (SHARED.has(name) && path !== SHARING)) return [];
    const kind = kindOf(name === '--from' ? 'account' : word, `${path} ${name}`, name);
    const type = name.endsWith('-validators') ? 'delegate' : undefined;
    const begun = type === undefined ? line(-1, '') : ['dev2', type];
    const at = (value: string) => [...path.split(' '), ...begun, ...tail, ...more, name, value];
    return kind === undefined ? [] : [{ path, place: name, kind, line: at }];
  });
  return [...ofArguments, ...ofFlags];
}

function kindOf(word: string, place: string, flag = ''): Place['kind'] | undefined {
  if (place in EXCEPTIONS || flag in EXCEPTIONS) return undefined;
  if (flag.endsWith('-validators') || (flag === '' && OPERATORS.test(word))) return 'operator';
  if (ACCOUNTS.test(word)) return 'account';
  if (OTHERS.test(word) || /^(keys|config|debug|comet|upgrade|genesis) /.test(place)) return undefined;
  throw new Error(`${place}: is it an account? Name its word in this test`);
}

const PLACES = COMMANDS.flatMap(locationsOf);
const message = { '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: DEV0, to_address: DEV1, amount: [] };
const texts = new Map([
  [
    'tx.json',
    JSON.stringify({ body: { messages: [message] }, auth_info: { fee: { gas_limit: '1' } }, signatures: [] }),
  ],
  ['periods.json', JSON.stringify({ start_time: 7, periods: [{ coins: '3achr', length_seconds: 60 }] })],
]);

test('the command table has many account and operator arguments', () => {
  for (const kind of ['account', 'operator'])
    expect(PLACES.filter((place) => place.kind === kind).length).toBeGreaterThan(20);
});

/** Queries that resolve a name: the address prefix of the chain, and whether the account exists. */
const READING: readonly string[] = ['/cosmos.auth.v1beta1.Query/Bech32Prefix', '/cosmos.auth.v1beta1.Query/Account'];

/** Output of a command, and its requests to the node except those that resolve names. */
async function outcome(node: Awaited<ReturnType<typeof fakeNode>>, place: Place, value: string, send: boolean) {
  const before = node.asked.length;
  const isTx = place.path.startsWith('tx ') || place.path === 'upgrade schedule';
  const flags = isTx ? (send ? ['-y'] : ['--generate-only', '--gas', '1']) : [];
  const isEthereum = place.path.startsWith('dev ');
  const line = place.line(value);
  const where = isEthereum ? ['--eth-node', node.address.replace('tcp', 'http')] : ['--node', node.address];
  const { code, stdout, stderr } = await runCli([...line, ...flags, ...where], { texts });
  const asked = node.asked
    .slice(before)
    .filter(
      ({ params, method }) =>
        method !== 'status' && method !== 'eth_accounts' && !READING.includes(String(params['path'])),
    );
  return { line: line.join(' '), code, stdout, stderr, asked };
}

async function inTurn<Value>(tasks: readonly (() => Promise<Value>)[]): Promise<readonly Value[]> {
  const all: Value[] = [];
  for (const task of tasks) all.push(await task());
  return all;
}

test.each(PLACES.map((one, index) => ({ ...one, index })))(
  '$path $place accepts a name, a bech32 and a 0x address, and nothing else',
  async ({ index, ...place }) => {
    const node = await fakeNode(statusMethod, txServices());
    const right = place.kind === 'operator' ? [OPERATOR1, DEV1, HEX1, 'dev1'] : [DEV1, HEX1, 'dev1'];
    const [first, ...others] = await inTurn(right.map((value) => () => outcome(node, place, value, false)));
    expect(first?.code === 0 || (first?.asked.length ?? 0) > 0, first?.stderr).toBe(true);
    for (const { asked, stdout } of others)
      expect({ asked, stdout }).toEqual({ asked: first?.asked, stdout: first?.stdout });
    const mistyped = ['nobody', `${HEX1.slice(0, -2)}c8`, place.kind === 'operator' ? FOREIGN_OPERATOR : FOREIGN];
    // the node itself refuses what a query names of another chain
    const value = mistyped[index % (place.path.startsWith('query ') ? 2 : 3)] ?? '';
    const { code, asked, stderr } = await outcome(node, place, value, true);
    expect(code).not.toBe(0);
    expect(asked.filter(({ method }) => method !== 'abci_query')).toEqual([]);
    expect(stderr).toContain(value);
  },
);
