import { describe, expect, it } from 'vitest';
import { createEthereumRegistry } from '../../../../src/actors/subscription-registry/index.js';
import { DEFAULT_LIMITS, type Limits } from '../../../../src/core/limits.js';
import { toPosition } from '../../../../src/core/primitives.js';
import {
  createEthereumTable,
  decideEthereum,
  evolveEthereum,
  matchPending,
  type EthereumCommand,
  type EthereumWants,
} from '../../../../src/core/subscriptions/ethereum/index.js';

const HEADS: EthereumWants = { kind: 'newHeads', fromBlock: undefined };
const PENDING: EthereumWants = { kind: 'newPendingTransactions', fullTransactions: false };
const logs = (addresses: number): EthereumWants => ({
  kind: 'logs',
  criteria: {
    fromBlock: undefined,
    toBlock: undefined,
    addresses: Array.from({ length: addresses }, (_, number) => new Uint8Array(20).fill(number)),
    topics: [],
  },
});
const TOO_MANY = { ok: false, message: 'too many subscriptions' };

function registry(limits: Partial<Limits>) {
  return createEthereumRegistry({
    limits: { ...DEFAULT_LIMITS, ...limits },
    position: toPosition(0n),
    feeds: { onBlock: () => () => undefined, onPending: () => () => undefined },
    onDefect: (error) => {
      throw error;
    },
  });
}

describe('registry of Ethereum subscriptions', () => {
  it('refuses what is over the limits of a connection, of the node and of terms, and leaves the others untouched (S10)', () => {
    const perClient = registry({ ethSubscriptionsPerClient: 1 });
    const client = perClient.connect();
    expect(client.subscribe(HEADS).ok).toBe(true);
    expect(client.subscribe(HEADS)).toEqual(TOO_MANY);
    expect(perClient.connect().subscribe(HEADS).ok).toBe(true);

    const whole = registry({ ethSubscriptions: 1 });
    const first = whole.connect();
    const held = first.subscribe(HEADS);
    expect(whole.connect().subscribe(HEADS)).toEqual(TOO_MANY);
    if (held.ok) expect(first.unsubscribe(held.value)).toBe(true);
    expect(whole.connect().subscribe(HEADS).ok).toBe(true);

    const terms = registry({ filterTerms: 4 });
    const many = terms.connect();
    expect(many.subscribe(logs(3)).ok).toBe(true);
    expect(many.subscribe(HEADS)).toEqual(TOO_MANY);
    many.disconnect();
    expect(many.subscribe(HEADS).ok).toBe(true);
  });

  it('forgets everything of a client that leaves, and answers false for what is gone (S9)', () => {
    const table = createEthereumTable();
    const apply = (command: EthereumCommand): void => {
      const decision = decideEthereum(table, command, DEFAULT_LIMITS);
      if (decision.ok) evolveEthereum(table, decision.event);
    };
    for (const wants of [HEADS, PENDING, logs(2)]) {
      apply({ type: 'subscribe', client: 1, wants });
    }
    const all = [...(table.clients.get(1) ?? [])];
    for (const subscription of all) apply({ type: 'activate', subscription });
    expect([table.heads.size, table.pending.size, table.logs.size]).toEqual([1, 1, 1]);
    apply({ type: 'disconnect', client: 1 });
    expect([
      table.clients.size,
      table.heads.size,
      table.pending.size,
      table.logs.size,
      table.size,
      table.terms,
    ]).toEqual([0, 0, 0, 0, 0, 0]);
    for (const subscription of all)
      expect(decideEthereum(table, { type: 'activate', subscription }, DEFAULT_LIMITS)).toEqual({
        ok: false,
        message: 'subscription not found',
      });
    expect(
      matchPending(table, {
        position: toPosition(1n),
        transaction: {
          hash: new Uint8Array(32),
          from: new Uint8Array(20),
          transaction: {
            type: 0,
            chainId: 1n,
            nonce: 0n,
            gasPrice: 1n,
            gasLimit: 1n,
            to: undefined,
            value: 0n,
            data: new Uint8Array(0),
            r: 1n,
            s: 1n,
            yParity: 0,
          },
        },
      }),
    ).toBeUndefined();
  });
});
