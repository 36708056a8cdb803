/**
 * Every view of the explorer on chains of many kinds, at desktop and phone size, light and dark.
 * `node scripts/walk-views.js` runs it; other runs skip it.
 */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeDeployData, encodeFunctionData, parseEther } from 'viem';
import { describe, expect, it } from 'vitest';
import { MsgSendSchema } from '../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgDelegateSchema, MsgUndelegateSchema } from '../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { Liar, Token, Worker } from '../contracts/index.js';
import { makeNetwork, startApplication, startComet, until } from '../network/cometbft.js';
import { hasCometbft } from '../network/comet-process.js';
import { BROWSER, openPage, type Page } from '../support/browser.js';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { BLOCKS, LONG_CHAIN } from '../support/long-chain.js';
import { askNode, fillChain } from '../support/mixed-chain.js';
import { anyOf } from '../support/sign-tx.js';
import { temporaryFolder } from '../support/temporary.js';
import { findings, keyFindings, LOOKS, openView } from '../support/view-walk.js';
import { ACCOUNTS, signed, signedEthereum, signedSend } from './load.js';

const asked = process.env['CHRONICLED_WALK'];
const isAsked = asked !== undefined && BROWSER !== undefined;
const HOME = process.env['CHRONICLED_WALK_HOME'];
const MINUTES = 60_000;
/** Text that runs a script if it is rendered as markup. */
const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
/** Text without break opportunities, left-to-right and right-to-left. */
const LONG = `${'W'.repeat(120)}\u202e${'<b>&amp;'.repeat(10)}`;
const DEV1 = ACCOUNTS[1]?.hex ?? '';
const GOV = 'chron10d07y265gmmuvt4z0w9aw880jnsr700jwg2t4s';

const COMMON: readonly string[] = [
  '/',
  '/blocks',
  '/block/0',
  '/block/1',
  '/txs',
  `/address/${DEV1}`,
  `/address/${DEV1}/history`,
  `/address/${DEV1}/contract`,
  '/denom/achr',
  '/denom/nothing',
  '/validators',
  '/proposals',
  '/proposal/1',
  '/proposal/999',
  '/upgrades',
  '/api',
  '/api/eth_getBalance',
  '/health',
  '/log',
  '/inside',
  '/changes',
  '/changes/0/1',
  '/search/nothing%20of%20that%20name',
  '/tx/0x12',
  `/tx/0x${'12'.repeat(32)}`,
  '/address/0x12',
  '/block/99999999',
  '/nowhere/at/all',
  '/?at=1',
  '/validators?at=1',
  `/address/${DEV1}?at=1`,
];

interface Walked {
  readonly root: string;
  readonly page: Page;
  readonly problems: unknown[];
}

/** Walks the views; every finding becomes a row of `problems`. */
async function walk(daemon: DaemonProcess, paths: readonly string[], before = ''): Promise<Walked> {
  const root = daemon.endpoints.eth_http ?? '';
  const page = await openPage(root, before);
  const problems: unknown[] = [];
  await page.until(`document.querySelector('h1') !== null`);
  for (const path of paths) {
    for (const [width, scheme] of LOOKS) {
      await page.resize(width);
      await page.scheme(scheme);
      if (width === 1360 && scheme === 'light') await openView(page, path);
      for (const found of await findings(page)) problems.push([path, width, scheme, found]);
      if (scheme === 'light') for (const found of await keyFindings(page)) problems.push([path, width, found]);
      const hacked = await page.evaluate(`typeof window.hacked + document.images.length`);
      if (hacked !== 'undefined0') problems.push([path, 'markup ran', hacked]);
    }
    for (const refusal of (await page.evaluate(
      `[...document.querySelectorAll('main .callout.bad, main .outcome.bad')].map((one) => one.textContent)`,
    )) as readonly string[])
      if (refusal !== '') process.stdout.write(`refusal ${path}: ${refusal.slice(0, 200)}\n`);
  }
  problems.push(...page.problems);
  problems.push(
    ...page.requests
      .filter((url) => !url.startsWith(`${root}/`) && !url.startsWith('data:'))
      .map((url) => `left the origin: ${url}`),
  );
  for (const problem of problems) process.stdout.write(`finding ${JSON.stringify(problem)}\n`);
  return { root, page, problems };
}

function kind(name: string, test: () => Promise<void>): void {
  const isKind = asked === 'all' ? name !== 'home' : asked?.split(',').includes(name) === true;
  it.skipIf(!isKind)(name, test, 30 * MINUTES);
}

async function rest<Value>({ endpoints }: DaemonProcess, path: string): Promise<Value> {
  return (await (await fetch(`${endpoints.rest}${path}`)).json()) as Value;
}

async function raw({ endpoints }: DaemonProcess, tx: string): Promise<string> {
  const answer = await fetch(`${endpoints.rest}/cosmos/tx/v1beta1/txs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tx_bytes: tx, mode: 'BROADCAST_MODE_SYNC' }),
  });
  const { tx_response: response } = (await answer.json()) as {
    readonly tx_response?: { readonly txhash: string; readonly code: number; readonly raw_log: string };
  };
  if (response?.code !== 0) throw new Error(JSON.stringify(response));
  return response.txhash;
}

async function cli(daemon: DaemonProcess, ...args: readonly string[]): Promise<string> {
  const ended = await chronicledHere([...args, '-y', '--node', daemon.endpoints.comet]);
  const hash = /"txhash":"([0-9A-F]{64})"/.exec(ended.stdout)?.[1];
  if (hash === undefined) process.stdout.write(`cli ${args.join(' ').slice(0, 200)}: ${ended.stdout}${ended.stderr}\n`);
  return hash ?? '';
}

function proposalFile(title: string, summary: string, messages: readonly unknown[], deposit = '10chr'): string {
  const file = join(temporaryFolder(), 'proposal.json');
  writeFileSync(file, JSON.stringify({ messages, metadata: title, deposit, title, summary }));
  return file;
}

/**
 * Sends Ethereum and Cosmos transactions, contracts, failures, governance and staking. Returns paths of their views.
 */
async function fillMixed(daemon: DaemonProcess, count: number, name: string): Promise<readonly string[]> {
  const chain = await fillChain(daemon, name.slice(0, 250), name);
  const spend = {
    '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
    authority: GOV,
    recipient: ACCOUNTS[3]?.bech32,
    amount: [{ denom: 'achr', amount: '5' }],
  };
  const paths: string[] = [];
  const txs = [
    await cli(daemon, 'tx', 'staking', 'delegate', chain.operator, '7chr', '--from', 'dev1'),
    await cli(daemon, 'tx', 'gov', 'submit-proposal', proposalFile(name, name, []), '--from', 'dev1'),
    await cli(
      daemon,
      'tx',
      'gov',
      'submit-proposal',
      proposalFile(`${name} 2`, name, [spend], '1chr'),
      '--from',
      'dev2',
    ),
    await cli(daemon, 'tx', 'gov', 'vote', '1', 'yes', '--from', 'dev0'),
    await cli(daemon, 'tx', 'gov', 'weighted-vote', '1', 'yes=0.6,no=0.4', '--from', 'dev1'),
    await cli(daemon, 'tx', 'staking', 'unbond', chain.operator, '2chr', '--from', 'dev1'),
    await cli(daemon, 'tx', 'feegrant', 'grant', 'dev1', ACCOUNTS[4]?.bech32 ?? '', '--spend-limit', '5achr'),
    await cli(
      daemon,
      'tx',
      'authz',
      'grant',
      ACCOUNTS[5]?.bech32 ?? '',
      'generic',
      '--msg-type',
      '/cosmos.gov.v1.MsgVote',
      '--from',
      'dev1',
    ),
  ];
  paths.push(...txs.filter((hash) => hash !== '').map((hash) => `/tx/${hash}`));
  const deploy = async (data: string): Promise<string> => {
    const hash = await askNode<string>(daemon, 'eth_sendTransaction', { from: ACCOUNTS[9]?.hex, data });
    await askNode(daemon, 'evm_mine');
    const receipt = await askNode<{ readonly contractAddress: string } | null>(
      daemon,
      'eth_getTransactionReceipt',
      hash,
    );
    return receipt?.contractAddress ?? '';
  };
  const worker = await deploy(encodeDeployData({ ...Worker }));
  const sequences = new Map<number, bigint>();
  for (const account of [4, 5, 6, 7])
    sequences.set(
      account,
      BigInt(await askNode<string>(daemon, 'eth_getTransactionCount', ACCOUNTS[account]?.hex, 'pending')),
    );
  await askNode(daemon, 'evm_setAutomine', false);
  for (let made = 0; made < count; made += 1) {
    const account = 4 + (made % 4);
    const sequence = sequences.get(account) ?? 0n;
    if (made % 5 === 4) {
      // a call that fails, and one that logs
      const data =
        made % 2 === 0
          ? encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [DEV1, parseEther('9')] })
          : encodeFunctionData({ abi: Worker.abi, functionName: 'emitMany', args: [3n] });
      await askNode(daemon, 'eth_sendTransaction', {
        from: ACCOUNTS[8]?.hex,
        to: made % 2 === 0 ? chain.token : worker,
        data,
        gas: '0x30d40',
      });
    } else {
      sequences.set(account, sequence + 1n);
      const from = ACCOUNTS[account]?.bech32 ?? '';
      const amount = { denom: 'achr', amount: '1000' };
      const staking = made % 8 === 1;
      if (staking)
        await raw(
          daemon,
          signed(
            account,
            sequence,
            [
              anyOf(MsgDelegateSchema, { delegatorAddress: from, validatorAddress: chain.operator, amount }),
              anyOf(MsgUndelegateSchema, {
                delegatorAddress: from,
                validatorAddress: chain.operator,
                amount: { ...amount, amount: '1' },
              }),
            ],
            'two messages',
            900_000n,
          ).tx,
        );
      else if (made % 40 === 2)
        await raw(
          daemon,
          signed(
            account,
            sequence,
            [
              anyOf(MsgSendSchema, {
                fromAddress: from,
                toAddress: ACCOUNTS[0]?.bech32 ?? '',
                amount: [{ denom: 'achr', amount: '9'.repeat(30) }],
              }),
            ],
            'fails',
          ).tx,
        );
      else if (made % 2 === 0) await raw(daemon, signedSend(account, sequence).tx);
      else await askNode(daemon, 'eth_sendRawTransaction', signedEthereum(account, sequence).ethereum?.raw);
    }
    if (made % 25 === 24) await askNode(daemon, 'evm_mine');
  }
  await askNode(daemon, 'evm_mine');
  await askNode(daemon, 'evm_setAutomine', true);
  const liar = await deploy(encodeDeployData({ ...Liar }));
  const head = Number(await askNode<string>(daemon, 'eth_blockNumber'));
  return [
    ...paths,
    `/tx/${chain.transfer}`,
    `/tx/${chain.reverted}`,
    `/tx/${chain.send}`,
    `/address/${chain.token}`,
    `/address/${chain.token}/contract`,
    `/address/${chain.token}/events`,
    `/address/${chain.token}/storage`,
    `/address/${chain.token}/history`,
    `/address/${worker}/events`,
    `/address/${liar}`,
    `/validator/${chain.operator}`,
    `/validator/${chain.operator}?at=5`,
    `/block/${head - 1}`,
    `/block/${head - 5}`,
    `/changes/${head - 3}/${head}`,
    `/changes/1/${head}`,
    `/proposal/2`,
    `/proposal/1?at=2`,
    `/txs?at=9`,
    `/log?at=9`,
    `/inside?at=9`,
    `/tx/${chain.send}?at=2`,
    `/search/${encodeURIComponent(name.slice(0, 30))}`,
  ];
}

describe.skipIf(!isAsked)(
  'a walk of the explorer (skipped unless CHRONICLED_WALK is set and there is a Chromium)',
  () => {
    kind('fresh', async () => {
      const daemon = await startDaemonProcess();
      const { problems } = await walk(daemon, COMMON);
      expect(problems).toEqual([]);
    });

    kind('mixed', async () => {
      const daemon = await startDaemonProcess();
      const own = await fillMixed(daemon, 1_000, 'rent of May');
      const { problems } = await walk(daemon, [...COMMON, ...own]);
      expect(problems).toEqual([]);
    });

    kind('halted', async () => {
      const daemon = await startDaemonProcess();
      const own = await fillChain(daemon);
      await cli(daemon, 'upgrade', 'schedule', 'v9', '--height', '15', '--info', 'notes');
      for (let turn = 0; turn < 20; turn += 1)
        await askNode(daemon, 'evm_mine').catch((error: unknown) => process.stdout.write(`${String(error)}\n`));
      const { problems } = await walk(daemon, [...COMMON, `/tx/${own.transfer}`]);
      expect(problems).toEqual([]);
    });

    kind('hostile', async () => {
      const folder = temporaryFolder();
      const first = await startDaemonProcess({ home: folder });
      const { result } = (await (await fetch(`${first.endpoints.comet}/genesis`)).json()) as {
        readonly result: { readonly genesis: { readonly app_state: HostileState } };
      };
      await first.kill('SIGTERM');
      const { bank } = result.genesis.app_state;
      const [metadata] = bank.denom_metadata;
      if (metadata === undefined) throw new Error('the dev genesis has metadata of its coin');
      metadata.symbol = HOSTILE;
      metadata.name = HOSTILE;
      metadata.description = LONG;
      const odd = [
        'javascript:window.hacked=1'.replace(/[^a-zA-Z0-9/:._-]/g, '.'),
        `x${'/'.repeat(126)}`,
        `ibc/${'F'.repeat(64)}`,
      ];
      const rich = bank.balances[1];
      if (rich === undefined) throw new Error('the dev genesis has accounts');
      for (const denom of odd) {
        rich.coins.push({ denom, amount: '9'.repeat(60) });
        bank.supply.push({ denom, amount: '9'.repeat(60) });
      }
      const order = (one: { denom: string }, other: { denom: string }): number => (one.denom < other.denom ? -1 : 1);
      rich.coins.sort(order);
      bank.supply.sort(order);
      const file = join(folder, 'hostile.json');
      writeFileSync(file, JSON.stringify(result.genesis));
      const home = temporaryFolder();
      cpSync(join(folder, 'config'), join(home, 'config'), { recursive: true });
      const daemon = await startDaemonProcess({ home, args: ['--genesis', file, '--moniker', HOSTILE] });
      const own = [...(await fillMixed(daemon, 20, HOSTILE)), ...(await fillMixed(daemon, 5, LONG))];
      const { problems } = await walk(daemon, [
        ...COMMON,
        ...own,
        '/proposal/3',
        `/address/${(rich as unknown as { address: string }).address}`,
        ...odd.map((denom) => `/denom/${encodeURIComponent(denom)}`),
      ]);
      expect(problems).toEqual([]);
    });

    kind('long', async () => {
      const daemon = await startDaemonProcess();
      const own = await fillChain(daemon);
      const { problems } = await walk(
        daemon,
        [
          ...['/', '/blocks', '/block/1', `/block/${BLOCKS - 5}`, '/txs', '/validators', '/proposals', '/upgrades'],
          ...[
            '/health',
            '/inside',
            '/log',
            `/tx/${own.transfer}`,
            `/address/${DEV1}`,
            `/address/${own.token}/contract`,
          ],
          ...['/?at=500000', '/blocks?at=500000', `/block/${BLOCKS / 2}`, `/?at=${BLOCKS - 1}`],
        ],
        LONG_CHAIN,
      );
      expect(problems).toEqual([]);
    });

    kind('home', async () => {
      if (HOME === undefined) throw new Error('CHRONICLED_WALK_HOME names no home');
      const daemon = await startDaemonProcess({ home: HOME, args: ['--mining', 'manual'] });
      const head = Number(await askNode<string>(daemon, 'eth_blockNumber'));
      const found = await Promise.all(
        ['ASC', 'DESC'].map((order) =>
          rest<{ readonly tx_responses: readonly { readonly txhash: string }[] }>(
            daemon,
            `/cosmos/tx/v1beta1/txs?query=${encodeURIComponent('tx.height > 0')}&order_by=ORDER_BY_${order}&limit=2`,
          ),
        ),
      );
      const txs = found.flatMap(({ tx_responses: list }) => list);
      const half = Math.floor(head / 2);
      const { problems } = await walk(daemon, [
        ...['/', '/blocks', '/block/1', `/block/${half}`, `/block/${head}`, '/txs', '/validators', '/proposals'],
        ...['/upgrades', '/health', '/inside', '/log', `/address/${DEV1}`, `/address/${DEV1}/history`],
        ...txs.map(({ txhash }) => `/tx/${txhash}`),
        ...['/?at=1', `/?at=${half}`, `/?at=${head - 1}`, `/blocks?at=${half}`, `/address/${DEV1}?at=${half}`],
        ...[`/changes/${head - 1}/${head}`, `/changes/${head - 10_000}/${head}`, `/changes/1/${head}`],
      ]);
      expect(problems).toEqual([]);
    });

    kind('evmd', async () => {
      const home = temporaryFolder();
      await chronicledHere(['init', '--home', home, '--preset', 'evmd']);
      const daemon = await startDaemonProcess({ home });
      const facts = (await (await fetch(`${daemon.endpoints.eth_http}/_page/node.json`)).json()) as {
        readonly denom: { readonly base: string };
      };
      const hash = await askNode<string>(daemon, 'eth_sendTransaction', {
        from: ACCOUNTS[1]?.hex,
        to: ACCOUNTS[2]?.hex,
        value: '0x5',
      });
      const data = encodeDeployData({ ...Token, args: ['GLD', 'GLD', parseEther('1000')] });
      const deployment = await askNode<string>(daemon, 'eth_sendTransaction', { from: ACCOUNTS[1]?.hex, data });
      await askNode(daemon, 'evm_mine');
      const { validators } = await rest<{ readonly validators: readonly { readonly operator_address: string }[] }>(
        daemon,
        '/cosmos/staking/v1beta1/validators',
      );
      const { problems } = await walk(daemon, [
        ...COMMON,
        `/denom/${facts.denom.base}`,
        `/tx/${hash}`,
        `/tx/${deployment}`,
        `/validator/${validators[0]?.operator_address}`,
      ]);
      expect(problems).toEqual([]);
    });

    kind('comet', async () => {
      expect(hasCometbft()).toBe(true);
      const [machine] = await makeNetwork(1);
      if (machine === undefined) throw new Error('no machine');
      const app = await startApplication(machine);
      startComet(machine);
      await until(async () => Number(await askNode<string>(app, 'eth_blockNumber')) >= 3);
      const one = signedEthereum(1, 0n);
      await askNode(app, 'eth_sendRawTransaction', one.ethereum?.raw);
      const two = await raw(app, signedSend(2, 0n).tx);
      await until(() => askNode(app, 'eth_getTransactionReceipt', one.ethereum?.hash));
      const { problems } = await walk(app, [...COMMON, `/tx/${one.ethereum?.hash}`, `/tx/${two}`]);
      expect(problems).toEqual([]);
    });
  },
);

interface HostileState {
  readonly bank: {
    readonly denom_metadata: { symbol: string; name: string; description: string }[];
    readonly balances: { coins: { denom: string; amount: string }[] }[];
    readonly supply: { denom: string; amount: string }[];
  };
}
