/** Executes one block of a random history and checks the rules that hold after it. */
import { expect } from 'vitest';
import type { BlockFacts } from '../../../../src/core/application-requests.js';
import { toHex } from '../support.js';
import type { Action } from './actions.js';
import type { Executed, Offence, PropertyChain } from './chain.js';
import { messageOf } from './messages.js';
import { person } from './people.js';

export interface Step {
  readonly seconds: bigint;
  readonly absent: number;
  readonly offences: readonly Offence[];
  readonly txs: readonly {
    readonly from: number;
    readonly actions: readonly Action[];
    readonly granter: number | null;
  }[];
}

const FOUNDATION = [0, 1, 2, 3].map((from) => ({
  from,
  actions: [{ kind: 'create validator' as const, key: from, amount: BigInt(300 + from) * 10n ** 18n }],
  granter: null,
}));

/** Sum of achr in the events of a type. */
function sumOf({ events, results }: Executed, type: string): bigint {
  const all = [...events, ...results.flatMap((result) => result.events)];
  return all
    .filter((event) => event.type === type)
    .flatMap(({ attributes }) => attributes.filter(({ key }) => key === 'amount'))
    .reduce((sum, { value }) => sum + BigInt(/^(\d+)achr$/.exec(value)?.[1] ?? 0), 0n);
}

/** Executes a block; `told` counts how often each kind of transaction ended with which code. */
export function play(chain: PropertyChain, step: Step, told: Map<string, number>): void {
  const sent = new Map<number, bigint>();
  const context = chain.context();
  const txs = (chain.height === 0n ? FOUNDATION : step.txs).map(({ from, actions, granter }) => {
    const offset = sent.get(from) ?? 0n;
    sent.set(from, offset + 1n);
    const messages = actions.map((act) => messageOf(context, act.kind === 'create validator' ? from % 4 : from, act));
    return chain.tx(from, messages, offset, granter === null ? '' : person(granter));
  });
  const supply = chain.supply();
  const facts = chain.facts(step.seconds, step.absent, step.offences);
  const executed = chain.block(facts, txs);
  expect(chain.broken()).toEqual([]);
  expect(chain.supply() - supply).toBe(sumOf(executed, 'coinbase') - sumOf(executed, 'burn'));
  executed.results.forEach(({ code, codespace, log }, index) => {
    const kinds = step.txs[index]?.actions.map(({ kind }) => kind).join('+') ?? 'foundation';
    const name = `${kinds.includes('+') ? 'two' : kinds}: ${code === 0 ? 'ok' : `${codespace} ${code} ${log.replace(/chron\w+|\d{2,}/g, '_').slice(0, 90)}`}`;
    told.set(name, (told.get(name) ?? 0) + 1);
  });
  if (chain.height % 3n === 0n) expectOnlyFeeOfFailure(chain, facts, txs, executed);
  for (const { type } of executed.events)
    if (/slash|complete|liveness|propos/.test(type)) told.set(`event ${type}`, (told.get(`event ${type}`) ?? 0) + 1);
}

/** The first failed transaction of a block changed only the fee and its payer's sequence. */
function expectOnlyFeeOfFailure(
  chain: PropertyChain,
  facts: BlockFacts,
  txs: readonly Uint8Array[],
  block: Executed,
): void {
  const index = block.results.findIndex(({ code }) => code !== 0);
  if (index < 0) return;
  const [without, having] = [index, index + 1].map((end) => {
    const { writes } = chain.dryRun(facts, txs.slice(0, end), chain.before);
    return new Map(writes.map(({ store, key, value }) => [`${store} ${toHex(key)}`, toHex(value ?? new Uint8Array())]));
  });
  const names = new Set([...(without?.keys() ?? []), ...(having?.keys() ?? [])]);
  const differing = [...names].filter((name) => without?.get(name) !== having?.get(name));
  const isPaid = block.results[index]?.events.some(({ type }) => type === 'tx') ?? false;
  const allowed = isPaid ? FEE_ROWS : BLOCK_GAS;
  expect(differing.filter((name) => !allowed.test(name))).toEqual([]);
}

const BLOCK_GAS = /^feemarket 01$/;
/** Rows that charging a fee may write: block gas, accounts, balances of achr and their index, fee allowances. */
export const FEE_ROWS =
  /^(feemarket 01$|acc (01|6163636f756e744e756d626572)|bank 02.{42}61636872$|bank 036163687200|feegrant )/;
