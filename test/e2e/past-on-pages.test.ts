/**
 * The past of a random chain as the data functions of the explorer read it: equal to the answers of the faces when
 * each height was the head. The differences between two heights lead from the first state to the second.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { historyOf } from '../../src/adapters/pages/browser/data/account-history.js';
import { type Change, changesBetween } from '../../src/adapters/pages/browser/data/changes.js';
import { addressOf } from '../../src/adapters/pages/browser/data/crypto.js';
import { coinsOf, delegationsOf, infoOf } from '../../src/adapters/pages/browser/data/holdings.js';
import { blocksFrom, searchTxs } from '../../src/adapters/pages/browser/data/recent.js';
import { validatorsAt } from '../../src/adapters/pages/browser/data/staking.js';
import { tokensOf } from '../../src/adapters/pages/browser/data/tokens.js';
import { MsgDelegateSchema } from '../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import { Token } from '../contracts/index.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { askNode } from '../support/mixed-chain.js';
import { propertyRuns } from '../support/property-runs.js';
import { anyOf } from '../support/sign-tx.js';
import { call } from './comet-client.js';
import { ACCOUNTS, signed, signedSend } from './load.js';

type Step =
  | { readonly kind: 'set' | 'send' | 'token'; readonly account: number; readonly amount: bigint }
  | { readonly kind: 'bank' | 'delegate'; readonly amount: bigint }
  | { readonly kind: 'empty' };

const SHOWN = ACCOUNTS.slice(0, 6).map(({ hex, bech32 }) => ({ hex, bech32 }));
/** These accounts sign with sequences that this test counts; the others are unlocked accounts of the node. */
const SENDER = 4;
const DELEGATOR = 5;

const amount = fc.bigInt({ min: 1n, max: 10n ** 18n });
const account = fc.integer({ min: 1, max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('set', 'send', 'token'), account, amount }),
  fc.record({ kind: fc.constantFrom('bank', 'delegate'), amount }),
  fc.record({ kind: fc.constant('empty') }),
);
const seed = Date.now() % 2 ** 31;
const STEPS = 10;

let daemon: DaemonProcess;
/** Address of the token, and of the validator. */
let chain: { readonly token: string; readonly operator: string };
/** Answers of the faces about each height while it was the head. */
const seen = new Map<bigint, Awaited<ReturnType<typeof present>>>();
let first = 0n;

/** Answers of the faces about the head, without the functions under test. */
async function present() {
  const rest = async (path: string): Promise<never> =>
    (await (await fetch(`${daemon.endpoints.rest}${path}`)).json()) as never;
  const accounts = await Promise.all(
    SHOWN.map(async ({ hex, bech32 }) => {
      const { balances }: { readonly balances: unknown } = await rest(`/cosmos/bank/v1beta1/balances/${bech32}`);
      const { delegation_responses: delegations }: { readonly delegation_responses: unknown } = await rest(
        `/cosmos/staking/v1beta1/delegations/${bech32}`,
      );
      return {
        balance: await askNode<string>(daemon, 'eth_getBalance', hex, 'latest'),
        nonce: await askNode<string>(daemon, 'eth_getTransactionCount', hex, 'latest'),
        token: BigInt(
          await askNode<string>(
            daemon,
            'eth_call',
            {
              to: chain.token,
              data: encodeFunctionData({ abi: Token.abi, functionName: 'balanceOf', args: [hex as Hex] }),
            },
            'latest',
          ),
        ),
        balances,
        delegations,
      };
    }),
  );
  const { validators }: { readonly validators: readonly { readonly tokens: string }[] } = await rest(
    '/cosmos/staking/v1beta1/validators',
  );
  const { total_count: txs } = await call<{ readonly total_count: string }>(daemon.endpoints.comet, 'tx_search', {
    query: 'tx.height > 0',
  });
  const block = await askNode<{ readonly hash: string }>(daemon, 'eth_getBlockByNumber', 'latest', false);
  return { accounts, tokens: validators.map(({ tokens }) => tokens), txs: Number(txs), hash: block.hash };
}

async function found(): Promise<typeof chain> {
  const data = encodeDeployData({ ...Token, args: ['GLD', 'GLD', 10n ** 21n] });
  const hash = await askNode<string>(daemon, 'eth_sendTransaction', { from: SHOWN[0]?.hex, data });
  await askNode(daemon, 'evm_mine');
  const receipt = await askNode<{ readonly contractAddress: string }>(daemon, 'eth_getTransactionReceipt', hash);
  const answer = await fetch(`${daemon.endpoints.rest}/cosmos/staking/v1beta1/validators`);
  const { validators } = (await answer.json()) as {
    readonly validators: readonly { readonly operator_address: string }[];
  };
  return { token: receipt.contractAddress, operator: validators[0]?.operator_address ?? '' };
}

async function broadcast(tx: string): Promise<void> {
  expect(await call(daemon.endpoints.comet, 'broadcast_tx_sync', { tx })).toMatchObject({ code: 0 });
}

const sequences = new Map<number, bigint>();

async function take(one: Step): Promise<void> {
  const next = (sender: number): bigint => {
    const sequence = sequences.get(sender) ?? 0n;
    sequences.set(sender, sequence + 1n);
    return sequence;
  };
  const to = 'account' in one ? SHOWN[one.account] : undefined;
  switch (one.kind) {
    case 'set':
      await askNode(daemon, 'anvil_setBalance', to?.hex, `0x${(one.amount + 10n ** 20n).toString(16)}`);
      break;
    case 'send':
      await askNode(daemon, 'eth_sendTransaction', {
        from: SHOWN[0]?.hex,
        to: to?.hex,
        value: `0x${one.amount.toString(16)}`,
      });
      break;
    case 'token':
      await askNode(daemon, 'eth_sendTransaction', {
        from: SHOWN[0]?.hex,
        to: chain.token,
        data: encodeFunctionData({
          abi: Token.abi,
          functionName: 'transfer',
          args: [to?.hex as Hex, one.amount],
        }),
      });
      break;
    case 'bank':
      await broadcast(signedSend(SENDER, next(SENDER), one.amount).tx);
      break;
    case 'delegate': {
      const message = anyOf(MsgDelegateSchema, {
        delegatorAddress: SHOWN[DELEGATOR]?.bech32 ?? '',
        validatorAddress: chain.operator,
        amount: { denom: 'achr', amount: String(one.amount) },
      });
      const { tx } = signed(DELEGATOR, next(DELEGATOR), [message], '', 500_000n);
      await broadcast(tx);
      break;
    }
    case 'empty':
      break;
  }
  await askNode(daemon, 'evm_mine');
}

beforeAll(async () => {
  process.stdout.write(`past of pages: seed ${seed}\n`);
  daemon = await startDaemonProcess();
  chain = await found();
  await askNode(daemon, 'evm_setAutomine', false);
  for (const one of fc.sample(step, { seed, numRuns: STEPS })) {
    await take(one);
    const height = BigInt(await askNode<string>(daemon, 'eth_blockNumber'));
    if (first === 0n) first = height;
    seen.set(height, await present());
  }
  // the pages request the origin that served them
  const origin = daemon.endpoints.eth_http ?? '';
  const ask = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => ask(new URL(path, origin), init));
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await daemon.kill('SIGTERM');
});

const aHeight = (): fc.Arbitrary<bigint> => fc.constantFrom(...seen.keys());

it('the explorer shows each past height as the faces answered it when it was the head', async () => {
  await fc.assert(
    fc.asyncProperty(aHeight(), fc.nat(SHOWN.length - 1), async (height, index) => {
      const then = seen.get(height);
      const known = then?.accounts[index];
      const { hex = '', bech32 = '' } = SHOWN[index] ?? {};
      expect(await infoOf(hex, height)).toMatchObject({ balance: known?.balance, nonce: known?.nonce });
      expect(await coinsOf(bech32, height)).toEqual(known?.balances);
      expect(await delegationsOf(bech32, height)).toEqual(known?.delegations);
      const tokens = await tokensOf(hex, height);
      expect(tokens.find(({ token }) => token.toLowerCase() === chain.token.toLowerCase())?.balance ?? 0n).toBe(
        known?.token,
      );
      expect((await validatorsAt(height, 'chron')).map((one) => one.tokens)).toEqual(then?.tokens);
      expect((await searchTxs(`tx.height <= ${height}`, 1, 1, 'achr')).total).toBe(then?.txs);
      expect((await blocksFrom(height, 1)).map(({ hash }) => hash)).toEqual([then?.hash]);
      const address = addressOf(bech32, 'chron');
      if (address === undefined) throw new Error(bech32);
      const { rows } = await historyOf(address, 100, height, 'achr');
      expect(rows.filter((row) => BigInt(row.height) > height)).toEqual([]);
    }),
    { seed, numRuns: propertyRuns(12) },
  );
});

/** Values of fields by the names of their rows; absent ones are null. */
type Named = ReadonlyMap<string, string | null>;

async function allChanges(from: bigint, to: bigint): Promise<readonly Change[]> {
  const changes: Change[] = [];
  let cursor: string | undefined;
  do {
    const page = await changesBetween(from, to, 40, cursor);
    changes.push(...page.changes);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return changes;
}

const fieldsOf = (changes: readonly Change[]) =>
  changes.flatMap(({ module, row, key, fields }) =>
    fields.map(({ name, before, after }) => ({
      name: JSON.stringify([module, row, key.map(({ text }) => text), name]),
      before,
      after,
    })),
  );

it('the differences of two heights, applied to one state, give the other, forwards and backwards', async () => {
  // Named fields that changed at least once, with their values at each height.
  const toThere = new Map<bigint, ReturnType<typeof fieldsOf>>();
  const base = new Map<string, string | null>();
  for (const height of seen.keys()) {
    const fields = fieldsOf(await allChanges(first, height));
    toThere.set(height, fields);
    for (const { name, before } of fields) base.set(name, before);
  }
  const at = (height: bigint): Named =>
    new Map([...base, ...(toThere.get(height) ?? []).map(({ name, after }) => [name, after] as const)]);
  await fc.assert(
    fc.asyncProperty(aHeight(), aHeight(), async (from, to) => {
      const start = at(from);
      const difference = fieldsOf(await allChanges(from, to));
      expect(difference.map(({ name, before }) => [name, before])).toEqual(
        difference.map(({ name }) => [name, start.get(name)]),
      );
      const applied = new Map([...start, ...difference.map(({ name, after }) => [name, after] as const)]);
      expect(applied).toEqual(at(to));
    }),
    { seed, numRuns: propertyRuns(20) },
  );
  // They agree with the balances that the faces answered.
  const balances = [...base.keys()].filter((name) => /^\["bank","balance"/.test(name) && name.includes('achr'));
  expect(balances.length).toBeGreaterThan(0);
  for (const [height, { accounts }] of seen)
    for (const [index, { bech32, hex }] of SHOWN.entries()) {
      const name = balances.find((one) => one.includes(bech32) || one.toLowerCase().includes(hex.toLowerCase()));
      if (name === undefined) continue;
      expect([height, at(height).get(name)]).toEqual([height, BigInt(accounts[index]?.balance ?? 0).toString()]);
    }
});
