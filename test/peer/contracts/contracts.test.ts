/**
 * Every function of every precompile, with valid arguments and with each argument wrong in turn, in transactions,
 * through contracts that go on when the call fails, and in eth_call: evmd and this program give the same results.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVMD } from '../evmd.js';
import { type Pair, startPair } from '../pair.js';
import { type Case, malformedCases, rightCases, wrongCases } from './cases.js';
import { asked, judged, type Step } from './judge.js';
import { type Account, accounts, EVM_CHAIN_ID, GAS, genesis } from './play.js';
import { callingConstructor, KINDS, relayed } from './relay.js';
import { type Relays, setUp } from './setup.js';

/** Runs every nth case of the long lists; 1 runs all. */
const NTH = Number(process.env['CONTRACTS_NTH'] ?? 7);
/** Pattern that selects cases by name. */
const ONLY = new RegExp(process.env['CONTRACTS_ONLY'] ?? '');
const some = (cases: Iterable<Case>): readonly Case[] =>
  [...cases].filter(({ name }, index) => index % NTH === 0 && ONLY.test(name));

describe.skipIf(EVMD === undefined)('precompiles give the results of evmd', { timeout: 600_000 }, () => {
  let pair: Pair;
  let players: readonly Account[];
  let relays: Relays;
  const by = ({ by: index }: Case): Account => {
    const player = players[index];
    if (player === undefined) throw new Error('there is such an account');
    return player;
  };

  beforeAll(async () => {
    pair = await startPair(EVMD ?? '', genesis(), EVM_CHAIN_ID);
    players = accounts();
    await pair.block([]);
    relays = await setUp(pair, players);
  }, 120_000);
  afterAll(() => pair.stop());

  const direct = (one: Case): Step => {
    const player = by(one);
    return { name: `direct: ${one.name}`, tx: player.send({ to: one.to, input: one.input(player.address) }) };
  };
  const through = (one: Case, kind: (typeof KINDS)[number], options = {}, gas = GAS): Step => ({
    name: `${kind} ${JSON.stringify(options, (_, value) => (typeof value === 'bigint' ? String(value) : value))}: ${one.name}`,
    tx: by(one).send({ to: relays[kind], input: relayed(one.to, one.input(relays[kind]), options), gas }),
  });

  test('for valid calls of every kind', async () => {
    const found: string[] = [];
    for (const one of rightCases())
      found.push(...(await asked(pair, one.name, by(one).address, one.to, one.input(by(one).address))));
    found.push(
      ...(await judged(
        pair,
        rightCases().flatMap((one) => [
          direct(one),
          ...KINDS.map((kind) => through(one, kind)),
          through(one, 'call', { value: 5n }),
          {
            name: `value: ${one.name}`,
            tx: by(one).send({ to: one.to, input: one.input(by(one).address), value: 5n }),
          },
          {
            name: `constructor: ${one.name}`,
            tx: by(one).send({ to: undefined, input: callingConstructor(one.to, one.input(by(one).made())) }),
          },
        ]),
      )),
    );
    expect(found.join('\n')).toBe('');
  });

  test('for wrong arguments', async () => {
    const list = some(wrongCases());
    const found = [
      ...(await judged(
        pair,
        list.flatMap((one) => [direct(one), through(one, 'call')]),
      )),
    ];
    for (const one of list)
      found.push(...(await asked(pair, one.name, by(one).address, one.to, one.input(by(one).address))));
    expect(found.join('\n')).toBe('');
  });

  test('for malformed inputs', async () => {
    const found: string[] = [];
    const list = some(malformedCases(players[0]?.address ?? '0x'));
    found.push(
      ...(await judged(
        pair,
        list.flatMap((one) => [direct(one), through(one, 'call')]),
      )),
    );
    expect(found.join('\n')).toBe('');
  });

  test('for calls with too little gas', async () => {
    const gases = [
      0n,
      1n,
      999n,
      1500n,
      2500n,
      4000n,
      8000n,
      12_000n,
      17_000n,
      23_000n,
      30_000n,
      40_000n,
      55_000n,
      75_000n,
      100_000n,
      140_000n,
    ];
    const steps = rightCases().flatMap((one) =>
      gases
        .filter((_, index) => (index + one.name.length) % Math.min(NTH, 4) === 0)
        .map((gas) => through(one, 'call', { gas })),
    );
    const found = await judged(pair, steps);
    expect(found.join('\n')).toBe('');
  });
});
