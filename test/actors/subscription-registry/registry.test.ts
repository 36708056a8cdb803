import { describe, expect, it } from 'vitest';
import { toPosition } from '../../../src/core/primitives.js';
import type {
  RequestedCriteria,
  Client,
  Matches,
  ShownAdmission,
  ShownCommit,
  SubscribeDecision,
  Subscription,
} from '../../../src/core/subscriptions/index.js';
import { EngineNode, settle, TestLog } from '../../adapters/push/engine-node.js';

const NEW_BLOCK: RequestedCriteria = { kind: 'queryText', text: "tm.event='NewBlock'" };
const client = (): Client => ({ face: 'consensus' });

function commit(position: number): ShownCommit {
  return {
    kind: 'commits',
    position: toPosition(BigInt(position)),
    block: () => undefined,
    events: () => [
      {
        type: 'NewBlock',
        height: 1n as never,
        position: toPosition(BigInt(position)),
        dataType: 'tendermint/event/NewBlock',
        value: '{}',
        attributes: new Map([['tm.event', ['NewBlock']]]),
      },
    ],
  };
}

function admission(position: number): ShownAdmission {
  return { kind: 'admissions', position: toPosition(BigInt(position)), transaction: () => undefined };
}

/** A registry whose deliverer records all deliveries. */
function setUp(subscriptionInbox = 1_000) {
  const log = new TestLog();
  const node = new EngineNode(log, { subscriptionInbox });
  const { registry } = node.shell;
  const held = new Set<Subscription>();
  const delivered: bigint[] = [];
  let during: (matches: Matches) => void = () => undefined;
  registry.attach({
    held: () => held,
    deliver(matches) {
      delivered.push(matches.position);
      during(matches);
    },
  });
  const keep = (decision: SubscribeDecision): SubscribeDecision => {
    if (decision.ok) held.add(decision.subscription);
    return decision;
  };
  const subscribe = (asked = NEW_BLOCK): SubscribeDecision | Promise<SubscribeDecision> => {
    const decision = registry.subscribe(client(), asked);
    return decision instanceof Promise ? decision.then(keep) : keep(decision);
  };
  return {
    log,
    node,
    registry,
    held,
    delivered,
    subscribe,
    count: () => node.shell.counters().faces.consensus.subscriptions,
    onDeliver: (run: (matches: Matches) => void) => (during = run),
  };
}

describe('subscription registry', () => {
  it('answers a subscribe at once, or after the delivery that is in progress', async () => {
    const { log, subscribe, onDeliver, delivered } = setUp();
    expect(subscribe(), 'not a promise').toMatchObject({ ok: true });
    const answers: (SubscribeDecision | Promise<SubscribeDecision>)[] = [];
    onDeliver(() => answers.push(subscribe()));
    log.add(commit(1));
    expect(answers[0]).toBeInstanceOf(Promise);
    expect(await answers[0]).toMatchObject({ ok: true });
    expect(delivered).toEqual([1n]);
  });

  it('answers busy and adds no subscription when its inbox is full', async () => {
    const { log, subscribe, onDeliver, count } = setUp(2);
    await subscribe();
    const answers: (SubscribeDecision | Promise<SubscribeDecision>)[] = [];
    onDeliver(() => {
      for (let more = 0; more < 4; more += 1) answers.push(subscribe());
    });
    log.add(commit(1));
    expect(await Promise.all(answers.map((answer) => Promise.resolve(answer)))).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: false, refusal: { code: 'failed', error: { code: 'busy' } } },
      { ok: false, refusal: { code: 'failed', error: { code: 'busy' } } },
    ]);
    expect(count()).toBe(3);
  });

  it('while stopped, queues subscribes up to the limit, refuses more, and forgets ended subscriptions', async () => {
    const { node, registry, held, subscribe, count } = setUp(2);
    const first = await subscribe();
    node.stopRegistry();
    const waiting = [subscribe(), subscribe(), subscribe()];
    expect(waiting[2]).toMatchObject({ ok: false, refusal: { code: 'failed', error: { code: 'busy' } } });
    for (let more = 0; more < 10 && first.ok; more += 1) {
      held.delete(first.subscription);
      registry.forget([first.subscription]);
    }
    node.startRegistry();
    expect(await Promise.all(waiting.map((answer) => Promise.resolve(answer)))).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: false },
    ]);
    expect(count()).toBe(2);
    registry.forget([...held]);
    expect(count()).toBe(0);
  });

  it('after a restart delivers each input that it missed, once and in order, also those during the catch-up', async () => {
    const { log, node, subscribe, delivered } = setUp();
    await subscribe();
    log.add(commit(1));
    node.restartRegistry();
    expect(log.listeners, 'nothing was missed: at once').toBe(1);
    log.add(commit(2));
    node.stopRegistry();
    expect(log.listeners).toBe(0);
    log.add(commit(3));
    log.add(admission(4));
    log.add(commit(5));
    node.startRegistry();
    log.add(commit(6));
    const late = subscribe();
    expect(late, 'a subscription begins behind what was missed').toBeInstanceOf(Promise);
    log.logged.push(commit(8));
    await late;
    log.show(commit(8));
    await settle();
    expect(delivered).toEqual([1n, 2n, 3n, 5n, 6n, 8n]);
    expect([node.shell.registry.shown('commits'), node.shell.registry.shown('admissions')]).toEqual([8n, 4n]);
  });

  it('restarts when it fails on an input, and delivers that input from the log', async () => {
    const { log, node, subscribe, delivered, count } = setUp();
    await subscribe();
    log.logged.push(commit(1));
    log.show({
      ...commit(1),
      events() {
        throw new Error('planted');
      },
    });
    await settle();
    log.add(commit(2));
    expect(delivered).toEqual([1n, 2n]);
    expect([count(), log.listeners, node.failures.length]).toEqual([1, 1, 1]);
  });

  it('fails when its catch-up fails, and is unaffected when stopped during a catch-up', async () => {
    const { log, node, delivered, subscribe } = setUp();
    await subscribe();
    node.stopRegistry();
    log.add(commit(1));
    node.startRegistry();
    node.stopRegistry();
    await settle();
    expect([delivered, log.listeners]).toEqual([[], 0]);
    log.failure = new Error('the log cannot be read');
    node.startRegistry();
    await settle();
    expect(node.failures.length).toBeGreaterThan(0);
    expect(delivered).toEqual([]);
  });

  it('takes over 10,000 subscriptions at a restart', async () => {
    const { log, node, held, registry, delivered } = setUp();
    for (let number = 0; number < 10_000; number += 1) {
      const decision = await registry.subscribe(
        { face: 'ethereum' },
        {
          kind: 'logs',
          criteria: {
            fromBlock: undefined,
            toBlock: undefined,
            addresses: [new Uint8Array(20).fill(number % 251)],
            topics: [[new Uint8Array(32).fill(number % 241)]],
          },
        },
      );
      if (decision.ok) held.add(decision.subscription);
    }
    node.stopRegistry();
    log.add(commit(1));
    node.startRegistry();
    await settle();
    log.add(commit(2));
    expect(node.shell.counters().faces.ethereum.subscriptions).toBe(10_000);
    expect(delivered).toEqual([]);
    expect(registry.shown('commits')).toBe(2n);
  });
});
