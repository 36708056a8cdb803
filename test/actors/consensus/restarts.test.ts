/** Restarts of block production, requested or after failures, at any moment between commands. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lease } from '../../../src/actors/consensus/index.js';
import type { Mining } from '../../../src/core/chain/mining.js';
import { DEFAULT_TIMEOUTS, SOLE_VALIDATOR_TIMEOUTS } from '../../../src/core/consensus/timeouts.js';
import type { Outcome } from '../../../src/core/errors.js';
import { toHeight } from '../../../src/core/primitives.js';
import { BlockIDFlag } from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { propertyRuns } from '../../support/property-runs.js';
import { ConsensusHarness, textsOf, type Failing, type HarnessOptions } from './consensus-harness.js';

const RUNS = propertyRuns(60);
const DONE = { ok: true, value: undefined };

type Move =
  | { readonly kind: 'submit' | 'mine' | 'pause' | 'release' | 'leasedMine' | 'apply' | 'restart' }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'fail'; readonly at: Failing }
  | { readonly kind: 'goBack'; readonly by: number }
  | { readonly kind: 'setMining'; readonly mining: Mining };

/** A client of block production: makes moves, and remembers the promises that it was given. */
class Client {
  readonly node: ConsensusHarness;
  readonly mined: Outcome<undefined>[] = [];
  #asked = 0;
  #submitted = 0;
  #lease: Lease | undefined;

  constructor(options: HarnessOptions) {
    this.node = new ConsensusHarness({ restarts: Number.MAX_SAFE_INTEGER, ...options });
  }

  async make(move: Move): Promise<void> {
    const { node } = this;
    switch (move.kind) {
      case 'submit':
        node.submit(`tx ${(this.#submitted += 1)}`);
        break;
      case 'mine':
        this.#promised(node.consensus.mine());
        break;
      case 'pause':
        if (node.pausing === 0 && node.leases === 0) this.#pause();
        break;
      case 'release':
        this.#release();
        break;
      case 'leasedMine':
        if (this.#lease !== undefined && node.leased === 0) this.#mineLeased(this.#lease);
        break;
      case 'apply':
        node.apply();
        break;
      case 'restart':
        void node.supervisor.restart('consensus').catch(() => undefined);
        break;
      case 'wait':
        await node.time.advance(move.milliseconds);
        break;
      case 'fail':
        node.failing = move.at;
        break;
      case 'goBack':
        if (this.#lease === undefined || node.leased > 0) break;
        node.goBack(toHeight(BigInt(Math.max(0, node.chain.length - move.by))));
        break;
      case 'setMining':
        void node.consensus.setMining(move.mining);
        break;
    }
    await node.time.settle();
  }

  /** Releases and applies until every promise is kept and every transaction is in a block. */
  async settle(): Promise<void> {
    const { node } = this;
    node.failing = undefined;
    void node.consensus.setMining({ kind: 'instant', heartbeatMs: undefined });
    for (let turns = 0; turns < 200; turns++) {
      this.#release();
      node.apply();
      await node.time.advance(500);
      const isKept = this.mined.length === this.#asked && node.leases + node.pausing === 0;
      if (isKept && node.inFlight === undefined && node.txs.length === 0) return;
    }
    throw new Error(
      `in ${node.mode}: ${this.mined.length} of ${this.#asked} blocks, ${node.txs.length} transactions wait`,
    );
  }

  #pause(): void {
    const { node } = this;
    node.pausing += 1;
    void node.consensus.pause().then((granted) => {
      node.pausing -= 1;
      if (!granted.ok) throw new Error('a lease is granted');
      if (node.inFlight !== undefined) node.violations.push('a lease is granted while a block is in flight');
      node.leases += 1;
      this.#lease = granted.value;
    });
  }

  #mineLeased(lease: Lease): void {
    const { node } = this;
    node.leased += 1;
    this.#promised(lease.mine().finally(() => (node.leased -= 1)));
  }

  #release(): void {
    const { node } = this;
    if (this.#lease === undefined || node.leased > 0) return;
    node.leases -= 1;
    this.#lease.release();
    this.#lease = undefined;
  }

  #promised(block: Promise<Outcome<undefined>>): void {
    this.#asked += 1;
    const before = this.node.heightsMade;
    void block.then((outcome) => {
      if (this.node.heightsMade === before) this.node.violations.push('answered without a block');
      this.mined.push(outcome);
    });
  }
}

const weighted = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) => ({ weight, arbitrary });
const minings: fc.Arbitrary<Mining> = fc.constantFrom<Mining>(
  { kind: 'manual' },
  { kind: 'instant', heartbeatMs: undefined },
  { kind: 'instant', heartbeatMs: 50 },
  { kind: 'interval', intervalMs: 20 },
);
const disturbances = [
  weighted(3, fc.constant<Move>({ kind: 'restart' })),
  weighted(
    3,
    fc.constantFrom<Failing>('build', 'sign', 'view').map((at): Move => ({ kind: 'fail', at })),
  ),
];
const moves = [
  weighted(3, fc.constant<Move>({ kind: 'submit' })),
  weighted(3, fc.constant<Move>({ kind: 'mine' })),
  weighted(4, fc.constant<Move>({ kind: 'apply' })),
  weighted(
    3,
    fc.constantFrom(0, 0, 1, 5, 60, 700).map((milliseconds): Move => ({ kind: 'wait', milliseconds })),
  ),
  weighted(2, fc.constant<Move>({ kind: 'pause' })),
  weighted(2, fc.constant<Move>({ kind: 'leasedMine' })),
  weighted(2, fc.constant<Move>({ kind: 'release' })),
  weighted(
    1,
    fc.nat(3).map((by): Move => ({ kind: 'goBack', by })),
  ),
  weighted(
    1,
    minings.map((mining): Move => ({ kind: 'setMining', mining })),
  ),
];
/** Decisions are applied by moves, at once, or after a while. */
const applying = fc.constantFrom(undefined, undefined, 0, 3);
const sets = fc.constantFrom(
  { validators: 1, local: 1, timeouts: SOLE_VALIDATOR_TIMEOUTS },
  { validators: 3, local: 3, timeouts: DEFAULT_TIMEOUTS },
  { validators: 4, local: 3, timeouts: DEFAULT_TIMEOUTS },
);

describe('block production with restarts at any moment', () => {
  it('never signs twice, makes no block under a lease of others, decides a height once, answers every command', async () => {
    await fc.assert(
      fc.asyncProperty(
        sets,
        minings,
        applying,
        fc.array(fc.oneof(...moves, ...disturbances), { maxLength: 60, size: 'max' }),
        async (set, mining, delay, script) => {
          const client = new Client({ ...set, mining, applying: () => delay });
          for (const move of script) await client.make(move);
          await client.settle();
          expect(client.node.violations).toEqual([]);
          expect(client.node.failures).toEqual([]);
          expect(client.mined.every(({ ok }) => ok)).toBe(true);
          expect(client.node.heights).toEqual(client.node.heights.map((_, index) => BigInt(index + 1)));
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('makes the same chain as production without restarts', async () => {
    const plain = fc.constantFrom<Move>(
      { kind: 'submit' },
      { kind: 'mine' },
      { kind: 'apply' },
      { kind: 'wait', milliseconds: 0 },
    );
    const disturbed = fc.array(fc.tuple(plain, fc.option(fc.oneof(...disturbances), { nil: undefined })), {
      maxLength: 40,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(1, 3, 4), disturbed, async (validators, script) => {
        const options: HarnessOptions = { validators, mining: { kind: 'manual' }, applying: () => undefined };
        const [undisturbed, restarted] = [new Client(options), new Client(options)];
        for (const [move, disturbance] of script) {
          await undisturbed.make(move);
          if (disturbance !== undefined) await restarted.make(disturbance);
          await restarted.make(move);
          restarted.node.failing = undefined;
        }
        await undisturbed.settle();
        await restarted.settle();
        const shownOf = ({ chain }: ConsensusHarness) =>
          chain.map(({ height, round, block, commit, trace }) => ({
            height,
            round,
            txs: textsOf(block),
            signatures: commit.signatures.map(({ blockIdFlag }) => BlockIDFlag[blockIdFlag]),
            lastSignatures: block.block.lastCommit?.signatures.map(({ blockIdFlag }) => BlockIDFlag[blockIdFlag]),
            trace: trace.map(({ type }) => type),
          }));
        expect(shownOf(restarted.node)).toEqual(shownOf(undisturbed.node));
        expect(restarted.node.violations).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('an actor that fails during a block', () => {
  it.each(['build', 'sign', 'view'] as const)(
    '%s: its next incarnation makes the block and answers the command',
    async (at) => {
      const client = new Client({ mining: { kind: 'manual' } });
      await client.make({ kind: 'submit' });
      client.node.failing = at;
      await client.make({ kind: 'mine' });
      await client.make({ kind: 'wait', milliseconds: 0 });
      expect(client.node.supervisor.restarts()).toBe(1);
      expect(client.mined).toEqual([DONE]);
      expect(client.node.contents).toEqual([['tx 1']]);
    },
  );

  it('after publishing a proposal: its next incarnation proposes the same block without publishing it again', async () => {
    const client = new Client({ mining: { kind: 'manual' } });
    const { node } = client;
    node.proposed.heard.subscribe(() => {
      node.txs.push('behind the proposal');
      node.failing = 'sign';
    });
    await client.make({ kind: 'submit' });
    await client.make({ kind: 'mine' });
    await client.make({ kind: 'wait', milliseconds: 0 });
    expect(node.supervisor.restarts()).toBe(1);
    expect(node.contents).toEqual([['tx 1']]);
    expect(node.proposals).toEqual([node.chain[0]?.block]);
  });

  it('after publishing a decision: its next incarnation waits for that decision and makes no other', async () => {
    const client = new Client({ mining: { kind: 'instant', heartbeatMs: 10 }, applying: () => undefined });
    const { node } = client;
    await client.make({ kind: 'mine' });
    await client.make({ kind: 'wait', milliseconds: 0 });
    expect(node.mode).toBe('commit');
    for (let times = 0; times < 3; times++) {
      node.failing = 'view';
      // The view is read when the decided block is applied, and by the next incarnation after the failure.
      node.apply();
      await node.time.settle();
      await client.make({ kind: 'wait', milliseconds: 10 });
      expect(node.mode).toBe('commit');
    }
    await client.settle();
    expect(node.violations).toEqual([]);
    expect(node.heights.length).toBeGreaterThanOrEqual(4);
  });

  it('a requested restart during a long round continues in that round', async () => {
    const client = new Client({
      validators: 4,
      local: 2,
      mining: { kind: 'manual' },
      timeouts: DEFAULT_TIMEOUTS,
    });
    const { node } = client;
    await client.make({ kind: 'mine' });
    await client.make({ kind: 'wait', milliseconds: 0 });
    for (let times = 0; times < 8; times++) {
      await node.time.advance(2_000);
      const { round, step } = node.consensus.view.roundState() ?? { round: -1, step: 'none' };
      const { mode } = node;
      await node.supervisor.restart('consensus');
      expect(node.consensus.view.roundState()).toMatchObject({ round, step });
      expect(node.mode).toBe(mode);
    }
    expect(node.violations).toEqual([]);
  });
});
