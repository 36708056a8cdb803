import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type Limits } from '../../../src/core/limits/limits.js';
import {
  createSubscriptionTable,
  decide,
  evolve,
  forget,
  type RequestedCriteria,
  type Client,
  type Subscription,
  type SubscriptionTable,
} from '../../../src/core/subscriptions/index.js';

const HEADS: RequestedCriteria = { kind: 'newHeads', fromBlock: undefined };
const PENDING: RequestedCriteria = { kind: 'newPendingTransactions', fullTransactions: false };
const logs = (addresses: number): RequestedCriteria => ({
  kind: 'logs',
  criteria: {
    fromBlock: undefined,
    toBlock: undefined,
    addresses: Array.from({ length: addresses }, (_, number) => new Uint8Array(20).fill(number)),
    topics: [],
  },
});
const query = (text: string): RequestedCriteria => ({ kind: 'queryText', text });

class Table {
  readonly table: SubscriptionTable = createSubscriptionTable();
  readonly #limits: Limits;

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /** Adds a subscription and returns it, or returns the code of the refusal. */
  ask(client: Client, asked: RequestedCriteria): Subscription | string {
    const decision = decide(this.table, { client, requested: asked }, this.#limits);
    if (!decision.ok) return decision.refusal.code;
    evolve(this.table, decision.subscription);
    return decision.subscription;
  }

  forget(subscription: Subscription | string): void {
    if (typeof subscription !== 'string') forget(this.table, subscription);
  }
}

const ethereum = (): Client => ({ face: 'ethereum' });
const consensus = (): Client => ({ face: 'consensus' });

describe('subscription table', () => {
  it('refuses subscriptions above the limits of a client, of a face and of filter terms', () => {
    const perClient = new Table({ ethSubscriptionsPerClient: 1 });
    const client = ethereum();
    expect(perClient.ask(client, HEADS)).toBeTypeOf('object');
    expect(perClient.ask(client, HEADS)).toBe('too-many-of-client');
    expect(perClient.ask(ethereum(), HEADS)).toBeTypeOf('object');

    const whole = new Table({ ethSubscriptions: 1 });
    const held = whole.ask(ethereum(), HEADS);
    expect(whole.ask(ethereum(), HEADS)).toBe('too-many-of-face');
    expect(whole.ask(consensus(), query("tm.event='Tx'")), 'faces have limits of their own').toBeTypeOf('object');
    whole.forget(held);
    expect(whole.ask(ethereum(), HEADS)).toBeTypeOf('object');

    const terms = new Table({ filterTerms: 4 });
    const many = terms.ask(ethereum(), logs(3));
    expect(terms.ask(ethereum(), HEADS)).toBe('too-many-of-face');
    terms.forget(many);
    expect(terms.ask(ethereum(), HEADS)).toBeTypeOf('object');
  });

  it('checks consensus subscriptions in the order of CometBFT: clients, count, length, query, duplicate', () => {
    const table = new Table({ cometWsClients: 1, cometWsSubscriptionsPerClient: 2, cometQueryBytes: 30 });
    const client = consensus();
    expect(table.ask(client, query('x'.repeat(31)))).toBe('query-too-long');
    expect(table.ask(client, query('no query'))).toBe('bad-query');
    expect(table.ask(client, query("tm.event='Tx'"))).toBeTypeOf('object');
    expect(table.ask(client, query("tm.event = 'Tx'"))).toBe('already-subscribed');
    expect(table.ask(consensus(), query('no query'))).toBe('too-many-clients');
    expect(table.ask(client, query("tm.event='Vote'"))).toBeTypeOf('object');
    expect(table.ask(client, query('no query'))).toBe('too-many-of-client');
  });

  it('removes a subscription from all indexes, and continues the numbers of restored subscriptions', () => {
    const table = new Table();
    const client = ethereum();
    const all = [HEADS, PENDING, logs(2), { kind: 'syncing' } as const].map((asked) => table.ask(client, asked));
    const { indexes, faces } = table.table;
    const counts = (): readonly number[] => [
      indexes.heads.size,
      indexes.pending.size,
      indexes.logs.size,
      faces.ethereum.clients.size,
      faces.ethereum.subscriptions,
      faces.ethereum.terms,
    ];
    expect(counts()).toEqual([1, 1, 1, 1, 4, 6]);
    const restored = createSubscriptionTable();
    for (const one of all) if (typeof one !== 'string') evolve(restored, one);
    for (const one of [...all, ...all]) table.forget(one);
    expect(counts()).toEqual([0, 0, 0, 0, 0, 0]);
    expect(restored.nextOrder).toBe(table.table.nextOrder);
  });
});
