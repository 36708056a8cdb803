import { describe, expect, it } from 'vitest';
import { ActorHarness } from './actor-harness.js';

const instant = { kind: 'instant', heartbeatMs: undefined } as const;
const manual = { kind: 'manual' } as const;

/**
 * Order of the events of one validator's height (CometBFT v0.38 `consensus/state.go`), after the NewHeight that the
 * previous height shows.
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

function shown({ type, value }: { readonly type: string; readonly value: object }): string {
  const text = JSON.stringify(value);
  const step = /"step":"RoundStep(\w+)"/.exec(text)?.[1] ?? /"type":(\d)/.exec(text)?.[1];
  return `${type} ${step}`;
}

describe('one validator', () => {
  it('decides at once, with the events of a height in the recorded order', async () => {
    const node = new ActorHarness({ mining: manual });
    expect(node.actor.mine()).toBe(true);
    await node.time.settle();
    expect(node.heights).toEqual([1n]);
    expect(node.decisions[0]?.trace.map(shown)).toEqual(ONE_VALIDATOR);
    expect(node.time.now()).toBe(node.times[0]);
  });

  it('signs votes later than the block that they are for, so that block times grow', async () => {
    const node = new ActorHarness({ mining: manual });
    for (let height = 1; height <= 5; height++) {
      node.actor.mine();
      await node.time.settle();
    }
    const times = node.decisions
      .map(({ block }) => block.block.header?.time)
      .map((time) => (time?.seconds ?? 0n) * 1_000_000_000n + BigInt(time?.nanos ?? 0));
    const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0n));
    expect(steps).toEqual([1_000_000n, 1_000_000n, 1_000_000n, 1_000_000n]);
  });
});

describe('mining', () => {
  it('instant: a block when a transaction comes, none without', async () => {
    const node = new ActorHarness({ mining: instant });
    await node.time.advance(60_000);
    expect(node.heights).toEqual([]);
    node.submit('a');
    await node.time.advance(0);
    expect(node.contents).toEqual([['a']]);
    await node.time.advance(60_000);
    expect(node.heights).toEqual([1n]);
  });

  it('the rule may be another one from now on: what waits goes into a block, a pause ends, a block in flight is finished', async () => {
    let stored = (): void => undefined;
    const node = new ActorHarness({
      mining: manual,
      store: ({ height }) =>
        height === 4n
          ? new Promise((resolve) => {
              stored = resolve;
            })
          : Promise.resolve(),
    });
    node.submit('a');
    await node.time.advance(60_000);
    expect(node.heights).toEqual([]);
    node.actor.setMining(instant);
    await node.time.advance(100);
    expect(node.contents).toEqual([['a']]);
    node.actor.setMining({ kind: 'interval', intervalMs: 1_000 });
    expect(node.actor.mining()).toEqual({ kind: 'interval', intervalMs: 1_000 });
    node.submit('b');
    await node.time.advance(2_500);
    expect(node.contents).toEqual([['a'], ['b'], []]);
    node.actor.mine();
    await node.time.advance(0);
    expect(node.actor.mode()).toBe('committing');
    node.actor.setMining(manual);
    stored();
    await node.time.settle();
    expect(node.heights).toEqual([1n, 2n, 3n, 4n]);
    node.submit('c');
    await node.time.advance(60_000);
    expect(node.heights).toEqual([1n, 2n, 3n, 4n]);
    expect(node.actor.mine()).toBe(true);
    await node.time.settle();
    expect(node.contents.at(-1)).toEqual(['c']);
  });

  it('a pause that has begun ends with its rule: after a change to manual nothing begins by itself', async () => {
    const node = new ActorHarness({ mining: { kind: 'interval', intervalMs: 1_000 } });
    await node.time.advance(1_000);
    expect(node.heights).toEqual([1n]);
    await node.time.advance(500);
    node.actor.setMining(manual);
    await node.time.advance(60_000);
    expect(node.heights).toEqual([1n]);
  });

  it('instant: transactions of one turn share a block', async () => {
    const node = new ActorHarness({ mining: instant });
    node.submit('a');
    node.submit('b');
    await node.time.runUntilIdle();
    expect(node.contents).toEqual([['a', 'b']]);
  });

  it('instant: transactions that come while a block is in flight form the next one', async () => {
    let stored = (): void => undefined;
    const node = new ActorHarness({
      mining: instant,
      store: ({ height }) =>
        height === 1n
          ? new Promise((resolve) => {
              stored = resolve;
            })
          : Promise.resolve(),
    });
    node.submit('a');
    await node.time.advance(0);
    expect(node.actor.mode()).toBe('committing');
    node.submit('b');
    node.submit('c');
    await node.time.advance(1_000);
    expect(node.heights).toEqual([]);
    stored();
    await node.time.advance(10);
    expect(node.contents).toEqual([['a'], ['b', 'c']]);
  });

  it('instant: what came during a block waits as long as that block took, so that it gathers more; 4 ms at most', async () => {
    let took = 3;
    const node = new ActorHarness({
      mining: instant,
      store: () =>
        new Promise((resolve) => {
          node.time.after(took, resolve);
        }),
    });
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

  it('instant: what comes after a block begins the next one at once', async () => {
    const node = new ActorHarness({
      mining: instant,
      store: () =>
        new Promise((resolve) => {
          node.time.after(4, resolve);
        }),
    });
    node.submit('a');
    await node.time.advance(4);
    expect(node.contents).toEqual([['a']]);
    const asked = node.time.now();
    node.submit('b');
    await node.time.advance(4);
    expect(node.times[1]).toBe(asked);
  });

  it('heartbeat: an empty block when nothing came for so long, counted from the last block', async () => {
    const node = new ActorHarness({ mining: { kind: 'instant', heartbeatMs: 2_000 } });
    await node.time.advance(1_999);
    expect(node.heights).toEqual([]);
    node.submit('a');
    await node.time.advance(1_999);
    expect(node.contents).toEqual([['a']]);
    await node.time.advance(1);
    expect(node.contents).toEqual([['a'], []]);
  });

  it('interval: one block per interval, whatever comes', async () => {
    const node = new ActorHarness({ mining: { kind: 'interval', intervalMs: 1_000 } });
    node.submit('a');
    await node.time.advance(999);
    expect(node.heights).toEqual([]);
    await node.time.advance(2_001);
    expect(node.contents).toEqual([['a'], [], []]);
  });

  it('interval: the time that storing takes belongs to the interval', async () => {
    const node = new ActorHarness({
      mining: { kind: 'interval', intervalMs: 1_000 },
      store: () =>
        new Promise((resolve) => {
          node.time.after(300, resolve);
        }),
    });
    await node.time.advance(3_000);
    expect(node.times.map((time) => (time - (node.times[0] ?? 0n)) / 1_000_000n)).toEqual([0n, 1_000n, 2_000n]);
  });

  it('manual: only when told, and never two at a time', async () => {
    const node = new ActorHarness({ mining: manual });
    node.submit('a');
    await node.time.advance(60_000);
    expect(node.heights).toEqual([]);
    expect(node.actor.mine()).toBe(true);
    expect(node.actor.mine()).toBe(false);
    await node.time.settle();
    expect(node.contents).toEqual([['a']]);
  });
});

describe('the end of production', () => {
  it('a decision that asks for a halt is the last', async () => {
    const node = new ActorHarness({ mining: instant, haltAt: 2n });
    for (const tx of ['a', 'b', 'c']) {
      node.submit(tx);
      await node.time.runUntilIdle();
    }
    expect(node.heights).toEqual([1n, 2n]);
    expect(node.actor.mode()).toBe('halted');
    expect(node.actor.mine()).toBe(false);
  });

  it('halt() finishes the block in flight and begins no other', async () => {
    const node = new ActorHarness({ mining: instant });
    node.submit('a');
    node.actor.mine();
    node.actor.halt();
    await node.time.runUntilIdle();
    node.submit('b');
    await node.time.runUntilIdle();
    expect(node.heights).toEqual([1n]);
    expect(node.actor.mode()).toBe('halted');
  });

  it('stop() resolves after the block in flight', async () => {
    let stored = (): void => undefined;
    const node = new ActorHarness({
      mining: instant,
      store: () =>
        new Promise((resolve) => {
          stored = resolve;
        }),
    });
    node.submit('a');
    await node.time.advance(0);
    let stopped = false;
    const stop = node.actor.stop().then(() => {
      stopped = true;
    });
    await node.time.settle();
    expect(stopped).toBe(false);
    stored();
    await stop;
    expect(node.heights).toEqual([1n]);
    expect(node.actor.mode()).toBe('stopped');
    expect(node.time.waiting).toBe(0);
  });

  it('what runs between blocks runs in the order of the calls, right after the block in flight', async () => {
    let stored = (): void => undefined;
    const node = new ActorHarness({
      mining: instant,
      store: () =>
        new Promise((resolve) => {
          stored = resolve;
        }),
    });
    node.submit('a');
    await node.time.advance(0);
    const ran: string[] = [];
    const both = Promise.all(
      ['first', 'second'].map((name) => node.actor.between(() => ran.push(`${name} at ${node.heights.length}`))),
    );
    await node.time.settle();
    expect(ran).toEqual([]);
    stored();
    await both;
    expect(ran).toEqual(['first at 1', 'second at 1']);
    await node.actor.stop();
  });

  it('a halt between blocks leaves no timer, and without a validator of the set nothing begins', async () => {
    const node = new ActorHarness({ mining: { kind: 'interval', intervalMs: 1_000 } });
    expect(node.time.waiting).toBe(1);
    node.actor.halt();
    expect([node.actor.mode(), node.time.waiting]).toEqual(['halted', 0]);
    const watching = new ActorHarness({ mining: manual, validators: 2, local: 0 });
    expect([watching.actor.mine(), watching.actor.mode()]).toEqual([false, 'waiting']);
    await watching.actor.stop();
  });

  it('stop() gives up a round that nobody can decide', async () => {
    const node = new ActorHarness({ mining: manual, validators: 4, local: 2 });
    node.actor.mine();
    await node.time.settle();
    expect(node.actor.mode()).toBe('deciding');
    const between = node.actor.between(() => node.actor.mode());
    await node.actor.stop();
    expect(await between).toBe('stopped');
    expect(node.time.waiting).toBe(0);
    expect(node.heights).toEqual([]);
  });

  it('a decision that cannot be stored is reported once and production fails', async () => {
    const failure = new Error('disk full');
    const node = new ActorHarness({ mining: instant, store: () => Promise.reject(failure) });
    node.submit('a');
    await node.time.runUntilIdle();
    node.submit('b');
    await node.time.runUntilIdle();
    expect(node.failures).toEqual([failure]);
    expect(node.actor.mode()).toBe('failed');
    expect(node.actor.mine()).toBe(false);
    await node.actor.stop();
    expect(node.actor.mode()).toBe('failed');
  });
});

describe('rounds', () => {
  it('an only validator whose block is invalid tries again in the next round', async () => {
    const node = new ActorHarness({ mining: manual, valid: (round) => round >= 2 });
    node.actor.mine();
    await node.time.runUntilIdle();
    expect(node.decisions.map(({ height, round }) => [height, round])).toEqual([[1n, 2]]);
    expect(node.decisions[0]?.trace.map(({ type }) => type).filter((type) => type === 'TimeoutWait')).toHaveLength(2);
  });

  it.each([2, 3, 4, 7])('%i local validators: every commit of a block carries every precommit', async (validators) => {
    const node = new ActorHarness({ mining: manual, validators });
    for (let height = 1; height <= 3; height++) {
      node.actor.mine();
      await node.time.settle();
    }
    expect(node.heights).toEqual([1n, 2n, 3n]);
    expect(
      node.lastCommits
        .slice(1)
        .map((commit) => commit?.signatures.filter(({ signature }) => signature.length === 64).length),
    ).toEqual([validators, validators]);
  });
});
