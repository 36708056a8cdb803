import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quorum } from '../../../src/core/comet/validator-set.js';
import { blockKey } from '../../../src/core/consensus/block-key.js';
import { BlockIDFlag } from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { propertyRuns } from '../../support/property-runs.js';
import { Network, type NetworkOptions } from './network.js';

const RUNS = propertyRuns(60);
/** Enough for every honest member to propose several times after synchrony. */
const ROUNDS_TO_DECIDE = 30;

const moves = fc.oneof(
  { weight: 8, arbitrary: fc.constant('deliver' as const) },
  { weight: 2, arbitrary: fc.constant('drop' as const) },
  { weight: 1, arbitrary: fc.constant('repeat' as const) },
  { weight: 2, arbitrary: fc.constant('timeout' as const) },
);
const schedule = fc.array(fc.tuple(moves, fc.nat(1_000)), { maxLength: 250, size: 'max' });

/** Up to seven members; the faulty ones have less than a third of the power. */
const networks: fc.Arbitrary<NetworkOptions> = fc
  .record({
    powers: fc.array(fc.oneof(fc.constant(10n), fc.bigInt(1n, 100n)), { minLength: 1, maxLength: 7 }),
    wanted: fc.array(fc.nat(6), { maxLength: 3 }),
    offset: fc.nat(6),
    validFrom: fc.constantFrom(0, 0, 1, 2),
  })
  .map(({ powers, wanted, offset, validFrom }) => {
    const total = powers.reduce((sum, power) => sum + power, 0n);
    const faulty = new Set<number>();
    let power = 0n;
    for (const index of wanted) {
      const more = powers[index];
      if (more === undefined || faulty.has(index) || (power + more) * 3n >= total) continue;
      faulty.add(index);
      power += more;
    }
    return { powers, faulty, offset, validFrom };
  });

/** Agreement, validity, commits with a quorum, and no second vote of a round and type. */
function expectSafe(network: Network): void {
  expect(network.violations).toEqual([]);
  const decisions = [...network.decisions.values()];
  expect(new Set(decisions.map(({ block }) => blockKey(block.blockId))).size).toBeLessThanOrEqual(1);
  const total = network.voters.reduce((sum, { power }) => sum + power, 0n);
  for (const { block, commit } of decisions) {
    expect(block.valid).toBe(true);
    expect(network.blocks).toContain(block);
    const behind = commit.signatures.reduce(
      (sum, { blockIdFlag }, index) =>
        sum + (blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_COMMIT ? (network.voters[index]?.power ?? 0n) : 0n),
      0n,
    );
    expect(behind).toBeGreaterThanOrEqual(quorum(total));
  }
}

describe('consensus at one height with one to seven validators', () => {
  it('is safe under random schedules with less than 1/3 silent, and decides after synchrony', () => {
    let rounds = 0;
    let decidedEarly = 0;
    fc.assert(
      fc.property(networks, schedule, (options, actions) => {
        const network = new Network(options);
        for (const [move, choice] of actions) network.act(move, choice);
        expectSafe(network);
        decidedEarly += network.decisions.size;
        expect(network.synchronise(ROUNDS_TO_DECIDE)).toBe(true);
        expectSafe(network);
        expect(network.decisions.size).toBe(network.honest);
        rounds = Math.max(rounds, network.maxRound);
      }),
      { numRuns: RUNS },
    );
    process.stdout.write(
      `consensus: ${RUNS} schedules, up to round ${rounds}, ${decidedEarly} decisions before synchrony\n`,
    );
  });

  it('is safe when links lose all messages of a step, so that locks differ, and decides after synchrony', () => {
    const link = fc.oneof({ weight: 3, arbitrary: fc.constant(127) }, { weight: 2, arbitrary: fc.nat(127) });
    const exchanges = fc.array(fc.tuple(fc.array(link, { minLength: 7, maxLength: 7 }), fc.boolean()), {
      maxLength: 40,
      size: 'max',
    });
    let [rounds, alone] = [0, 0];
    const four = fc.record({
      powers: fc.constant([10n, 10n, 10n, 10n]),
      faulty: fc.constant(new Set<number>()),
      offset: fc.nat(3),
      validFrom: fc.constant(0),
    });
    fc.assert(
      fc.property(fc.oneof(four, networks), exchanges, (options, actions) => {
        const network = new Network(options);
        for (const [links, timersEnd] of actions) network.exchange(links, timersEnd);
        expectSafe(network);
        if (network.decisions.size > 0 && network.decisions.size < network.honest) alone += 1;
        expect(network.synchronise(ROUNDS_TO_DECIDE)).toBe(true);
        expectSafe(network);
        rounds = Math.max(rounds, network.maxRound);
      }),
      { numRuns: 3 * RUNS },
    );
    // Without members that decide alone, no lock would differ.
    expect(alone).toBeGreaterThan(RUNS / 10);
    process.stdout.write(
      `consensus: ${3 * RUNS} schedules of lossy exchanges, up to round ${rounds}, in ${alone} only some had decided\n`,
    );
  });

  it('keeps agreement by locks when one validator decided unseen and another proposes a new block', () => {
    const network = new Network({ powers: [10n, 10n, 10n, 10n], faulty: new Set(), offset: 2, validFrom: 0 });
    const all = 0b1111;
    network.exchange([], true);
    network.exchange([all, all, all, 0], true);
    network.exchange([all, all, all, 0b1110], true);
    network.exchange([all, 0b1011, 0b1101, 0b1011], true);
    expect([...network.decisions.keys()]).toEqual([0]);
    for (let times = 0; times < 3; times++) network.exchange([0, 0b1110, 0b1110, 0b1110], false);
    expect(network.blocks).toHaveLength(2);
    expectSafe(network);
    expect(network.synchronise(ROUNDS_TO_DECIDE)).toBe(true);
    expectSafe(network);
  });

  it('is safe when less than 1/3 equivocates, with votes sent to single members', () => {
    let decided = 0;
    const lies = fc.array(
      fc.tuple(
        fc.oneof({ weight: 3, arbitrary: moves }, { weight: 1, arbitrary: fc.constant('lie' as const) }),
        fc.nat(65_535),
      ),
      { maxLength: 400, size: 'max' },
    );
    fc.assert(
      fc.property(networks, lies, (options, actions) => {
        const network = new Network(options);
        for (const [move, choice] of actions) {
          if (move === 'lie') network.lie(choice);
          else network.act(move, choice);
        }
        expectSafe(network);
        // May end without a decision: members keep the first vote of a liar, so some may never see the polka that made
        // another lock (CometBFT asks its peers for the other votes, `types/vote_set.go` SetPeerMaj23).
        network.synchronise(ROUNDS_TO_DECIDE);
        expectSafe(network);
        decided += network.decisions.size;
      }),
      { numRuns: RUNS },
    );
    // Without decisions, agreement would hold trivially.
    expect(decided).toBeGreaterThan(RUNS);
    process.stdout.write(`consensus: ${RUNS} schedules with liars, ${decided} decisions\n`);
  });
});
