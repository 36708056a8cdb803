import { CHAIN_HALTED, NO_VALIDATOR } from '../../../src/core/errors.js';
import { describe, expect, it } from 'vitest';
import { type ConsensusNotice, noticeValue } from '../../../src/core/consensus/notices.js';
import { DEFAULT_TIMEOUTS } from '../../../src/core/consensus/timeouts.js';
import { DevChain } from '../../core/app/dev-chain.js';
import { toHeight, toPosition } from '../../../src/core/primitives.js';
import { ConsensusHarness, type HarnessOptions } from './consensus-harness.js';

const instant = { kind: 'instant', heartbeatMs: undefined } as const;
const manual = { kind: 'manual' } as const;
const NO_BLOCKS = { ok: false, error: CHAIN_HALTED };
const DONE = { ok: true, value: undefined };

/**
 * Order of events in one validator's height (CometBFT 0.38 `consensus/state.go`), after the NewHeight of the height
 * before.
 */
const ONE_VALIDATOR = [
  'NewRoundStep NewHeight',
  'NewRound NewRound',
  'NewRoundStep Propose',
  'CompleteProposal Propose',
  'NewRoundStep Prevote',
  'Vote 1',
  'ValidBlock Prevote',
  'Polka Prevote',
  'Lock Prevote',
  'NewRoundStep Precommit',
  'Vote 2',
  'NewRoundStep Commit',
];

function shown(notice: ConsensusNotice): string {
  const { type } = notice;
  const text = JSON.stringify(noticeValue(notice));
  const step = /"step":"RoundStep(\w+)"/.exec(text)?.[1] ?? /"type":(\d)/.exec(text)?.[1];
  return `${type} ${step}`;
}

/** Block production, started. */
async function started(options: HarnessOptions): Promise<ConsensusHarness> {
  const node = new ConsensusHarness(options);
  await node.time.settle();
  return node;
}

describe('a single validator', () => {
  it('decides a height at once, publishes its proposal first, and emits the events in the recorded order', async () => {
    const node = await started({ mining: manual });
    const begun = node.time.now();
    const mined = node.consensus.mine();
    await node.time.advance(0);
    expect(await mined).toEqual(DONE);
    expect(node.heights).toEqual([1n]);
    expect(node.chain[0]?.trace.map(shown)).toEqual(ONE_VALIDATOR);
    expect(node.times).toEqual([begun]);
    expect(node.proposals).toEqual([node.chain[0]?.block]);
  });

  it('signs votes with a time after that of the block, so that block times increase', async () => {
    const node = await started({ mining: manual });
    for (let height = 1; height <= 5; height++) {
      void node.consensus.mine();
      await node.time.advance(0);
    }
    const times = node.chain
      .map(({ block }) => block.block.header?.time)
      .map((time) => (time?.seconds ?? 0n) * 1_000_000_000n + BigInt(time?.nanos ?? 0));
    const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0n));
    expect(steps).toEqual([1_000_000n, 1_000_000n, 1_000_000n, 1_000_000n]);
  });
});

describe('mining rules', () => {
  it('instant: makes a block on a later turn when a transaction comes, and none without a transaction', async () => {
    const node = await started({ mining: instant });
    await node.time.advance(60_000);
    expect(node.heights).toEqual([]);
    node.submit('a');
    expect(node.mode).toBe('newHeight');
    await node.time.advance(0);
    expect(node.contents).toEqual([['a']]);
    await node.time.advance(60_000);
    expect(node.heights).toEqual([1n]);
  });

  it('instant: after a block with several senders, waits as long as that block took before the next block', async () => {
    const node = await started({ mining: instant, applying: () => 3 });
    for (const tx of ['a', 'b']) node.submit(tx);
    await node.time.advance(3);
    node.submit('c');
    await node.time.advance(2);
    expect(node.contents).toEqual([['a', 'b']]);
    node.submit('d');
    await node.time.advance(1);
    await node.time.advance(3);
    expect(node.contents).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    // Long after a block, and after a block of a single sender, the next block begins at once.
    await node.time.advance(4);
    node.submit('e');
    await node.time.advance(3);
    node.submit('f');
    await node.time.advance(3);
    expect(node.contents).toEqual([['a', 'b'], ['c', 'd'], ['e'], ['f']]);
  });

  it('an overfull block is prepared (executed) first, and begins when the preparation ends', async () => {
    const node = await started({ mining: instant });
    const asked: unknown[] = [];
    node.preparations.heard.subscribe((preparation) => asked.push(preparation));
    node.overfull = true;
    node.submit('a');
    await node.time.advance(1_000);
    expect([asked.length, node.heights, node.mode]).toEqual([1, [], 'newHeight']);
    node.submit('b');
    node.prepared.say({ type: 'prepared' });
    await node.time.settle();
    expect(node.contents).toEqual([['a', 'b']]);
    node.overfull = false;
    node.prepared.say({ type: 'prepared' });
    node.submit('c');
    await node.time.advance(1_000);
    expect([asked.length, node.heights]).toEqual([1, [1n, 2n]]);
  });

  it('interval: draws each pause once, between the shortest and the longest', async () => {
    const draws = [0, 2 ** 32 - 1, 2 ** 31];
    let drawn = 0;
    const node = await started({
      mining: { kind: 'interval', intervalMs: 1_000, longestMs: 2_000 },
      drawn: () => draws[drawn++ % draws.length] ?? 0,
    });
    const begun = node.time.now();
    await node.time.advance(7_000);
    expect(node.times.map((time) => (time - begun) / 1_000_000n)).toEqual([1_000n, 2_000n, 4_000n, 5_500n, 6_500n]);
    expect(drawn).toBe(5);
  });

  it.each([
    [undefined, [12_000n, 13_000n]],
    [10_000, [10_000n, 12_000n, 13_000n, 23_000n]],
  ])('interval: makes an empty block after %s ms', async (afterMs, expected) => {
    const node = await started({ mining: { kind: 'interval', intervalMs: 1_000, empty: { afterMs } } });
    const begun = node.time.now();
    await node.time.advance(12_000);
    node.submit('waits for no interval: the last one is over');
    await node.time.advance(400);
    node.submit('waits for the end of the interval');
    await node.time.advance(15_000);
    expect(node.times.map((time) => (time - begun) / 1_000_000n)).toEqual(expected);
  });

  it('interval: counts the time of a preparation as part of the pause', async () => {
    const node = await started({ mining: { kind: 'interval', intervalMs: 1_000 } });
    const asked: bigint[] = [];
    const begun = node.time.now();
    node.preparations.heard.subscribe(() => asked.push((node.time.now() - begun) / 1_000_000n));
    node.overfull = true;
    for (let block = 0; block < 3; block += 1) {
      node.submit(`${block}`);
      await node.time.advance(block === 0 ? 1_000 : 600);
      await node.time.advance(400);
      node.prepared.say({ type: 'prepared' });
      await node.time.settle();
    }
    expect([asked, node.heights]).toEqual([
      [1_000n, 2_000n, 3_000n],
      [1n, 2n, 3n],
    ]);
  });

  it('a lease is granted during a preparation, and the block is prepared again after the lease', async () => {
    const node = await started({ mining: instant });
    let asked = 0;
    node.preparations.heard.subscribe(() => (asked += 1));
    node.overfull = true;
    node.submit('a');
    await node.time.advance(0);
    const lease = await node.consensus.pause();
    node.prepared.say({ type: 'prepared' });
    await node.time.advance(1_000);
    expect([asked, node.heights]).toEqual([1, []]);
    if (lease.ok) lease.value.release();
    await node.time.advance(10);
    node.prepared.say({ type: 'prepared' });
    await node.time.settle();
    expect([asked, node.heights]).toEqual([2, [1n]]);
  });

  it('commands that cannot run during a preparation wait for its block, which is not prepared again', async () => {
    const node = await started({ mining: instant });
    let asked = 0;
    node.preparations.heard.subscribe(() => (asked += 1));
    const lease = await node.consensus.pause();
    node.overfull = true;
    node.submit('a');
    const mined = lease.ok && lease.value.mine();
    await node.time.advance(10);
    const next = node.consensus.pause();
    void node.consensus.mine();
    await node.consensus.setMining(manual);
    if (lease.ok) lease.value.release();
    await node.time.advance(10);
    expect([asked, node.heights]).toEqual([1, []]);
    node.prepared.say({ type: 'prepared' });
    await node.time.settle();
    expect([await mined, (await next).ok, node.contents]).toEqual([DONE, true, [['a']]]);
  });

  it('a change of the rule includes pending transactions, ends a pause, and lets a block in flight finish', async () => {
    let applying: number | undefined = 0;
    const node = await started({ mining: manual, applying: () => applying });
    node.submit('a');
    await node.time.advance(60_000);
    expect(node.heights).toEqual([]);
    await node.consensus.setMining(instant);
    await node.time.advance(100);
    expect(node.contents).toEqual([['a']]);
    await node.consensus.setMining({ kind: 'interval', intervalMs: 1_000 });
    expect(node.consensus.view.mining()).toEqual({ kind: 'interval', intervalMs: 1_000 });
    node.submit('b');
    await node.time.advance(2_500);
    expect(node.contents).toEqual([['a'], ['b'], []]);
    applying = undefined;
    void node.consensus.mine();
    await node.time.advance(0);
    expect(node.mode).toBe('commit');
    await node.consensus.setMining(manual);
    node.apply();
    await node.time.settle();
    expect(node.heights).toEqual([1n, 2n, 3n, 4n]);
    applying = 0;
    node.submit('c');
    await node.time.advance(60_000);
    expect(node.heights).toEqual([1n, 2n, 3n, 4n]);
    const mined = node.consensus.mine();
    await node.time.advance(0);
    expect(await mined).toEqual(DONE);
    expect(node.contents.at(-1)).toEqual(['c']);
  });

  it('a change to manual cancels a pause that has begun: no block follows by itself', async () => {
    const node = await started({ mining: { kind: 'interval', intervalMs: 1_000 } });
    await node.time.advance(1_000);
    expect(node.heights).toEqual([1n]);
    await node.time.advance(500);
    await node.consensus.setMining(manual);
    await node.time.advance(60_000);
    expect(node.heights).toEqual([1n]);
  });

  it('instant: puts the transactions of one turn into one block', async () => {
    const node = await started({ mining: instant });
    node.submit('a');
    node.submit('b');
    await node.time.runUntilIdle();
    expect(node.contents).toEqual([['a', 'b']]);
  });

  it('instant: puts transactions that come while a block is in flight into the next block', async () => {
    let applying: number | undefined;
    const node = await started({ mining: instant, applying: () => applying });
    node.submit('a');
    await node.time.advance(0);
    expect(node.mode).toBe('commit');
    node.submit('b');
    node.submit('c');
    await node.time.advance(1_000);
    expect(node.heights).toEqual([]);
    applying = 0;
    node.apply();
    await node.time.advance(10);
    expect(node.contents).toEqual([['a'], ['b', 'c']]);
  });

  it('instant: waits after a block as long as that block took, at most 4 ms, to gather more transactions', async () => {
    let took = 3;
    const node = await started({ mining: instant, applying: () => took });
    const streamed = async (): Promise<bigint> => {
      node.submit('first');
      await node.time.advance(0);
      node.submit('during it');
      await node.time.runUntilIdle();
      const [first = 0n, second = 0n] = node.times.slice(-2);
      return (second - first) / 1_000_000n;
    };
    expect(await streamed()).toBe(3n + 3n);
    took = 25;
    expect(await streamed()).toBe(25n + 4n);
  });

  it('instant: begins the next block at once for a transaction that comes after a block', async () => {
    const node = await started({ mining: instant, applying: () => 4 });
    node.submit('a');
    await node.time.advance(4);
    expect(node.contents).toEqual([['a']]);
    const asked = node.time.now();
    node.submit('b');
    await node.time.advance(4);
    expect(node.times[1]).toBe(asked);
  });

  it('heartbeat: makes an empty block when the given time has passed since the last block', async () => {
    const node = await started({ mining: { kind: 'instant', heartbeatMs: 2_000 } });
    await node.time.advance(1_999);
    expect(node.heights).toEqual([]);
    node.submit('a');
    await node.time.advance(1_999);
    expect(node.contents).toEqual([['a']]);
    await node.time.advance(1);
    expect(node.contents).toEqual([['a'], []]);
  });

  it('interval: makes one block per interval, however many transactions come', async () => {
    const node = await started({ mining: { kind: 'interval', intervalMs: 1_000 } });
    node.submit('a');
    await node.time.advance(999);
    expect(node.heights).toEqual([]);
    await node.time.advance(2_001);
    expect(node.contents).toEqual([['a'], [], []]);
  });

  it('interval: counts the time until a block is applied as part of the interval', async () => {
    const node = await started({ mining: { kind: 'interval', intervalMs: 1_000 }, applying: () => 300 });
    await node.time.advance(3_000);
    expect(node.times.map((time) => (time - (node.times[0] ?? 0n)) / 1_000_000n)).toEqual([0n, 1_000n, 2_000n]);
  });

  it('manual: makes a block on command only; two commands make two blocks, one after the other', async () => {
    const node = await started({ mining: manual });
    node.submit('a');
    await node.time.advance(60_000);
    expect(node.heights).toEqual([]);
    const both = Promise.all([node.consensus.mine(), node.consensus.mine()]);
    await node.time.advance(0);
    expect(await both).toEqual([DONE, DONE]);
    expect(node.contents).toEqual([['a'], []]);
  });

  it('refuses commands beyond the limit of waiting ones', async () => {
    const node = await started({ mining: manual, applying: () => undefined, maximum: 2 });
    const asked = [1, 2, 3, 4].map(() => node.consensus.mine());
    await node.time.advance(0);
    expect(node.mode).toBe('commit');
    expect(await asked[2]).toEqual({ ok: false, error: { code: 'busy', what: 'block production' } });
    expect(await asked[3]).toEqual({ ok: false, error: { code: 'busy', what: 'block production' } });
    for (let blocks = 0; blocks < 2; blocks++) {
      node.apply();
      await node.time.advance(0);
    }
    expect(await Promise.all(asked.slice(0, 2))).toEqual([DONE, DONE]);
  });
});

describe('a lease on block production', () => {
  it('is granted right after the block in flight, in command order, and no block begins until its release', async () => {
    const node = await started({ mining: { kind: 'instant', heartbeatMs: 1_000 }, applying: () => 10 });
    node.submit('a');
    await node.time.advance(5);
    const granted: string[] = [];
    const first = node.consensus.pause().then((lease) => {
      granted.push(`first at ${node.heights.length}`);
      return lease;
    });
    const second = node.consensus.pause().then((lease) => {
      granted.push(`second at ${node.heights.length}`);
      return lease;
    });
    node.submit('b');
    await node.time.advance(60_000);
    expect(granted).toEqual(['first at 1']);
    const lease = await first;
    if (!lease.ok) throw new Error('a lease is granted');
    lease.value.release();
    await node.time.advance(60_000);
    expect(granted).toEqual(['first at 1', 'second at 1']);
    lease.value.release();
    await node.time.advance(60_000);
    expect(node.heights).toEqual([1n]);
    const other = await second;
    if (!other.ok) throw new Error('a lease is granted');
    other.value.release();
    await node.time.advance(20);
    expect(node.contents).toEqual([['a'], ['b']]);
  });

  it('lets its holder make blocks, while commands of others wait until its release', async () => {
    const node = await started({ mining: instant });
    const lease = await node.consensus.pause();
    if (!lease.ok) throw new Error('a lease is granted');
    let others = 0;
    void node.consensus.mine().then(() => (others = node.heights.length));
    for (const height of [1, 2]) {
      node.submit(`for ${height}`);
      const mined = lease.value.mine();
      await node.time.advance(0);
      expect(await mined).toEqual(DONE);
      expect([node.heights.length, others]).toEqual([height, 0]);
    }
    await node.time.advance(60_000);
    expect(node.heights).toEqual([1n, 2n]);
    lease.value.release();
    await node.time.advance(0);
    expect(others).toBe(3);
  });

  it('lets its holder revert the chain, and heights of the new branch are decided and signed', async () => {
    const node = await started({ mining: manual });
    for (let height = 1; height <= 3; height++) {
      void node.consensus.mine();
      await node.time.advance(0);
    }
    for (const to of [3n, 1n, 0n]) {
      const lease = await node.consensus.pause();
      if (!lease.ok) throw new Error('a lease is granted');
      node.goBack(toHeight(to));
      lease.value.release();
      void node.consensus.mine();
      await node.time.advance(0);
      expect(node.heights.length).toBe(Number(to) + 1);
    }
    expect(node.violations).toEqual([]);
  });
});

describe('the end of block production', () => {
  it('refuses all waiting commands after a block that halts the chain', async () => {
    const node = await started({ mining: instant, haltAt: 2n });
    node.submit('a');
    await node.time.runUntilIdle();
    const asked = [node.consensus.mine(), node.consensus.mine()];
    await node.time.runUntilIdle();
    node.submit('c');
    await node.time.runUntilIdle();
    expect(node.heights).toEqual([1n]);
    expect(node.mode).toBe('halted');
    expect(await Promise.all([...asked, node.consensus.mine()])).toEqual([NO_BLOCKS, NO_BLOCKS, NO_BLOCKS]);
    expect(node.time.waiting).toBe(0);
  });

  it('grants leases on a halted chain, but their holders cannot make a block', async () => {
    const node = await started({ mining: instant, halted: true });
    for (let times = 0; times < 2; times++) {
      const lease = await node.consensus.pause();
      if (!lease.ok) throw new Error('a lease is granted');
      expect(await lease.value.mine()).toEqual(NO_BLOCKS);
      lease.value.release();
    }
    await node.supervisor.restart('consensus');
    expect(node.mode).toBe('halted');
  });

  it('a requested stop waits for the block in flight', async () => {
    const node = await started({ mining: instant, applying: () => undefined });
    const mined = node.consensus.mine();
    await node.time.advance(0);
    let stopped = false;
    const stop = node.supervisor.stop('consensus').then(() => {
      stopped = true;
    });
    await node.time.settle();
    expect(stopped).toBe(false);
    node.apply();
    await stop;
    expect(await mined).toEqual(DONE);
    expect(node.heights).toEqual([1n]);
    expect(node.time.waiting).toBe(0);
    node.submit('b');
    await node.time.advance(60_000);
    expect(node.heights).toEqual([1n]);
  });

  it('a stop between blocks leaves no timer, and a process without a validator key begins no block', async () => {
    const node = await started({ mining: { kind: 'interval', intervalMs: 1_000 } });
    expect(node.time.waiting).toBe(1);
    await node.supervisor.stop('consensus');
    expect(node.time.waiting).toBe(0);
    const watching = await started({ mining: { kind: 'interval', intervalMs: 1 }, validators: 2, local: 0 });
    const mined = watching.consensus.mine();
    watching.submit('a');
    await watching.time.advance(1_000);
    expect([await mined, watching.mode, watching.time.waiting]).toEqual([
      { ok: false, error: NO_VALIDATOR },
      'newHeight',
      0,
    ]);
  });

  it('a stop abandons a round without a local majority, and waiting commands are refused when the node ends', async () => {
    const node = await started({ mining: manual, validators: 4, local: 2 });
    const mined = node.consensus.mine();
    const paused = node.consensus.pause();
    await node.time.advance(0);
    expect(node.mode).not.toBe('newHeight');
    await node.supervisor.stop('consensus');
    node.consensus.child.inbox?.end({ code: 'halted', reason: 'the node is stopping' });
    const refused = { ok: false, error: { code: 'halted', reason: 'the node is stopping' } };
    expect(await Promise.all([mined, paused, node.consensus.mine()])).toEqual([refused, refused, refused]);
    expect(node.time.waiting).toBe(0);
    expect(node.heights).toEqual([]);
  });

  it('the supervisor is informed when building a block fails again and again', async () => {
    const node = await started({ mining: manual, restarts: 2 });
    const mined = node.consensus.mine();
    for (let times = 0; times < 3; times++) {
      node.failing = 'build';
      await node.time.advance(0);
    }
    expect(node.failures).toEqual([]);
    expect(await mined).toEqual(DONE);
    const doomed = await started({ mining: manual });
    void doomed.consensus.mine();
    doomed.failing = 'build';
    await doomed.time.advance(0);
    expect(doomed.failures).toEqual([new Error('build failed')]);
    expect(doomed.heard.observed).toBe(true);
    doomed.heard.next({ type: 'reverted', position: toPosition(0n), height: toHeight(0n) });
    expect(doomed.heard.observed).toBe(false);
  });
});

describe('consensus rounds', () => {
  it('a single validator whose block is invalid tries again in the next round', async () => {
    const node = await started({ mining: manual, valid: (round) => round >= 2 });
    void node.consensus.mine();
    await node.time.runUntilIdle();
    expect(node.chain.map(({ height, round }) => [height, round])).toEqual([[1n, 2]]);
    const types = node.chain[0]?.trace.map(({ type }) => type);
    expect(types?.filter((type) => type === 'TimeoutWait')).toHaveLength(2);
  });

  it('validators prevote nil for a proposal that the application rejects', async () => {
    const dev = new DevChain();
    const refused = dev.app.processProposal(dev.state, dev.next([Uint8Array.of(1)])).kind === 'accepted';
    const accepted = dev.app.processProposal(dev.state, dev.next([])).kind === 'accepted';
    const node = await started({
      mining: manual,
      validators: 4,
      timeouts: DEFAULT_TIMEOUTS,
      valid: (round) => (round === 0 ? refused : accepted),
    });
    void node.consensus.mine();
    await node.time.advance(60_000);
    expect(node.heights).toEqual([1n]);
    expect(node.chain[0]?.round).toBe(1);
  });

  it.each([2, 3, 4, 7])('%i local validators: the commit of every block has all precommits', async (validators) => {
    const node = await started({ mining: manual, validators });
    for (let height = 1; height <= 3; height++) {
      void node.consensus.mine();
      await node.time.advance(0);
    }
    expect(node.heights).toEqual([1n, 2n, 3n]);
    expect(
      node.lastCommits
        .slice(1)
        .map((commit) => commit?.signatures.filter(({ signature }) => signature.length === 64).length),
    ).toEqual([validators, validators]);
  });

  it('with absent validators the others decide, and wait for the proposals of the absent ones to time out', async () => {
    const node = await started({ mining: manual, validators: 4, local: 3, timeouts: DEFAULT_TIMEOUTS });
    const modes = new Set<string>();
    for (let height = 1; height <= 5; height++) {
      const mined = node.consensus.mine();
      while (node.heights.length < height) {
        await node.time.advance(50);
        modes.add(node.mode);
      }
      expect(await mined).toEqual(DONE);
    }
    expect(node.chain.some(({ round }) => round > 0)).toBe(true);
    expect([...modes].toSorted()).toEqual(['newHeight', 'precommitWait', 'propose']);
    expect(node.violations).toEqual([]);
  });
});
