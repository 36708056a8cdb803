import { createActor, fromTransition } from 'xstate';
import type { EthereumApi } from '../../core/ethereum/api.js';
import { invariant } from '../../core/errors.js';
import type { Position } from '../../core/primitives.js';
import {
  createEthereumTable,
  decideEthereum,
  evolveEthereum,
  matchBlock,
  matchPending,
  type EthereumCommand,
  type EthereumDecision,
  type EthereumMatches,
  type EthereumRegistry,
  type EthereumRegistryClient,
  type EthereumRegistryLimits,
  type ShownBlock,
  type ShownPending,
} from '../../core/subscriptions/ethereum/index.js';

export interface EthereumRegistryCounters {
  readonly clients: number;
  readonly subscriptions: number;
  /** Log criteria matched exactly against logs: what the index saves shows here. */
  readonly evaluations: number;
}

export interface EthereumRegistryActor extends EthereumRegistry {
  counters(): EthereumRegistryCounters;
  /** Leaves the feeds and forgets everybody. */
  stop(): void;
}

export interface EthereumRegistryOptions {
  readonly limits: EthereumRegistryLimits;
  readonly feeds: Pick<EthereumApi, 'onBlock' | 'onPending'>;
  /** Position of the log's head at the start. */
  readonly position: Position;
  /** A listener threw: a defect, kept away from the actor, which would end for good. */
  readonly onDefect: (error: unknown) => void;
}

type Message =
  | { readonly type: 'ask'; readonly command: EthereumCommand; readonly reply: (decision: EthereumDecision) => void }
  | { readonly type: 'block'; readonly shown: ShownBlock }
  | { readonly type: 'pending'; readonly shown: ShownPending };

/**
 * The owner of all Ethereum subscriptions: asks and commits pass through one mailbox, so that a commit is either before or
 * after a subscribe for everybody. Volatile: nothing of it is logged.
 */
export function createEthereumRegistry(options: EthereumRegistryOptions): EthereumRegistryActor {
  const table = createEthereumTable();
  const listeners = new Set<(matches: EthereumMatches) => void>();
  let blocksShown = options.position;
  let pendingShown = options.position;
  let nextClient = 1;

  const hand = (matches: EthereumMatches | undefined): void => {
    if (matches === undefined) return;
    for (const listener of listeners) {
      try {
        listener(matches);
      } catch (error) {
        options.onDefect(error);
      }
    }
  };
  const actor = createActor(
    fromTransition((state: null, message: Message) => {
      if (message.type === 'block') {
        blocksShown = message.shown.position;
        hand(matchBlock(table, message.shown));
      }
      if (message.type === 'pending') {
        pendingShown = message.shown.position;
        hand(matchPending(table, message.shown));
      }
      if (message.type === 'ask') {
        const decision = decideEthereum(table, message.command, options.limits);
        if (decision.ok) evolveEthereum(table, decision.event);
        message.reply(decision);
      }
      return state;
    }, null),
  );
  actor.start();
  const leave = [
    options.feeds.onBlock((block, position) => actor.send({ type: 'block', shown: { block, position } })),
    options.feeds.onPending((transaction, position) =>
      actor.send({ type: 'pending', shown: { transaction, position } }),
    ),
  ];
  /** A command that arrives while a commit is being handed out (a slow client is cut off) is applied after it. */
  const ask = (command: EthereumCommand): EthereumDecision => {
    const replies: EthereumDecision[] = [];
    actor.send({ type: 'ask', command, reply: (decision) => replies.push(decision) });
    return replies[0] ?? { ok: false, message: 'subscription registry is busy' };
  };

  const connect = (): EthereumRegistryClient => {
    const client = nextClient;
    nextClient += 1;
    return {
      subscribe(wants) {
        const decision = ask({ type: 'subscribe', client, wants });
        if (!decision.ok) return decision;
        invariant(decision.event.type === 'subscribed', 'subscribe answers with subscribed');
        return { ok: true, value: decision.event.subscription };
      },
      activate: (subscription) => ask({ type: 'activate', subscription }).ok,
      unsubscribe: (subscription) => ask({ type: 'unsubscribe', subscription }).ok,
      disconnect: () => void ask({ type: 'disconnect', client }),
    };
  };

  return {
    connect,
    onMatches(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    blocksShown: () => blocksShown,
    pendingShown: () => pendingShown,
    counters: () => ({ clients: table.clients.size, subscriptions: table.size, evaluations: table.logs.evaluations() }),
    stop() {
      for (const end of leave) end();
      listeners.clear();
      actor.stop();
    },
  };
}
