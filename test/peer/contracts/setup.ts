/** Chain for the calls: three validators of which one was jailed, delegations, proposals, votes and allowances. */
import type { Hex } from 'viem';
import type { Pair } from '../pair.js';
import { blockDifferences } from '../differences.js';
import { encodedCall } from './encode.js';
import { type Account, GAS } from './play.js';
import { KINDS, type Kind, relayCode, relayed } from './relay.js';
import { COIN, FIRST, SECOND, THIRD, WRAPPED } from './table.js';
import { operator, text, type Value } from './values.js';

const STAKING: Hex = '0x0000000000000000000000000000000000000800';
const GOV: Hex = '0x0000000000000000000000000000000000000805';
const ONE = 10n ** 18n;

export type Relays = Readonly<Record<Kind, Hex>>;

/** Executes a block in both programs; all results must be equal and successful. */
async function all(pair: Pair, txs: readonly Uint8Array[], seconds = 1, absent?: ReadonlySet<string>): Promise<void> {
  const { ours, theirs } = await pair.block(txs, { seconds, ...(absent && { absent }) });
  const found = blockDifferences(ours, theirs);
  if (found.length > 0) throw new Error(`setup: ${JSON.stringify(found.slice(0, 3))}`);
  const failed = theirs.txResults.find(
    ({ code, events }) =>
      code !== 0 || events.some(({ attributes }) => attributes.some(({ key }) => key === 'ethereumTxFailed')),
  );
  if (failed !== undefined) throw new Error(`setup: ${failed.log} ${JSON.stringify(failed.events.at(-1))}`);
}

const PROPOSAL = text('{"messages":[],"title":"t","summary":"s","metadata":"m"}');

export async function setUp(pair: Pair, accounts: readonly Account[]): Promise<Relays> {
  const [first, second, third, fourth] = accounts;
  if (first === undefined || second === undefined || third === undefined || fourth === undefined)
    throw new Error('there are four accounts');
  const relays = {} as Record<Kind, Hex>;
  const transactions: Uint8Array[] = [];
  for (const kind of KINDS) {
    relays[kind] = first.made();
    transactions.push(first.send({ to: undefined, input: relayCode(kind), value: 1000n * ONE }));
  }
  transactions.push(first.send({ to: fourth.address, input: new Uint8Array(0), value: 1000n * ONE }));
  await all(pair, transactions);

  const relay = relays.call;
  const call = (account: Account, to: Hex, signature: string, ...values: readonly Value[]): Uint8Array =>
    account.send({ to, input: encodedCall(signature, values, account.address) });
  const relayedCall = (to: Hex, signature: string, ...values: readonly Value[]): Uint8Array =>
    first.send({ to: relay, input: relayed(to, encodedCall(signature, values, relay)), gas: 2n * GAS });
  const created = (account: Account, key: string): Uint8Array =>
    call(
      account,
      STAKING,
      'createValidator((string,string,string,string,string),(uint256,uint256,uint256),uint256,address,string,uint256)',
      ['v', '', '', '', ''].map(text),
      [ONE / 10n, ONE / 5n, ONE / 100n],
      1n,
      account.address,
      text(key),
      20n * ONE,
    );
  await all(pair, [
    created(second, 'Ly3XXMuhyMsKAIv7q2pFMjQKCR7SLRWNd0rQbGXE/H0='),
    created(third, 'dCE0pQDFxt8x9R5B1TtH5QDJFbNyrlFIcqQTcKXGqqo='),
  ]);
  await all(pair, [
    call(first, STAKING, 'delegate(address,string,uint256)', FIRST, operator(FIRST), 100n * ONE),
    call(first, STAKING, 'delegate(address,string,uint256)', FIRST, operator(SECOND), 50n * ONE),
    call(first, STAKING, 'delegate(address,string,uint256)', FIRST, operator(THIRD), 5n * ONE),
    relayedCall(STAKING, 'delegate(address,string,uint256)', relay, operator(FIRST), 100n * ONE),
    relayedCall(STAKING, 'delegate(address,string,uint256)', relay, operator(SECOND), 50n * ONE),
  ]);
  await all(pair, [
    call(first, STAKING, 'undelegate(address,string,uint256)', FIRST, operator(FIRST), 40n * ONE),
    relayedCall(STAKING, 'undelegate(address,string,uint256)', relay, operator(FIRST), 40n * ONE),
    call(first, STAKING, 'redelegate(address,string,string,uint256)', FIRST, operator(FIRST), operator(SECOND), ONE),
    relayedCall(STAKING, 'redelegate(address,string,string,uint256)', relay, operator(FIRST), operator(SECOND), ONE),
    call(first, STAKING, 'redelegate(address,string,string,uint256)', FIRST, operator(FIRST), operator(THIRD), ONE),
  ]);
  const submit = 'submitProposal(address,bytes,(string,uint256)[])';
  const deposit = (amount: bigint): Value => [[text('aoak'), amount]];
  await all(pair, [
    call(first, GOV, submit, FIRST, PROPOSAL, deposit(5_000_000n)),
    relayedCall(GOV, submit, relay, PROPOSAL, deposit(600_000n)),
    call(first, GOV, submit, FIRST, PROPOSAL, deposit(600_000n)),
    relayedCall(GOV, submit, relay, PROPOSAL, deposit(5_000_000n)),
    call(first, GOV, 'vote(address,uint64,uint8,string)', FIRST, 1n, 1n, text('')),
    call(
      second,
      GOV,
      'voteWeighted(address,uint64,(uint8,string)[],string)',
      SECOND,
      1n,
      [
        [1n, text('0.5')],
        [4n, text('0.5')],
      ],
      text('split'),
    ),
    relayedCall(GOV, 'vote(address,uint64,uint8,string)', relay, 1n, 3n, text('relay')),
    ...[WRAPPED, COIN].flatMap((token) => [
      call(first, token, 'approve(address,uint256)', SECOND, 1000n),
      call(second, token, 'approve(address,uint256)', FIRST, 10n ** 24n),
      call(second, token, 'approve(address,uint256)', relay, 1_000_000n),
      call(first, token, 'transfer(address,uint256)', relay, 100_000n),
    ]),
  ]);
  await missBlocks(pair);
  return relays;
}

/** The third validator misses blocks until it is jailed, and its jail time passes. */
async function missBlocks(pair: Pair): Promise<void> {
  const weakest = [...pair.validators()].toSorted(([, a], [, b]) => (a.power < b.power ? -1 : 1))[0]?.[0];
  if (weakest === undefined) throw new Error('there are validators');
  for (let block = 0; block < 14; block += 1) await all(pair, [], 1, new Set([weakest]));
  if (pair.validators().has(weakest)) throw new Error('a validator that misses blocks is jailed');
  await all(pair, [], 70);
}
