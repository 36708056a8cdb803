import type { Observable } from 'rxjs';
import { createSubscriptionRegistry, type RegistryCounters } from '../../actors/subscription-registry/index.js';
import type { ChildSpec } from '../../actors/shell/child.js';
import type { NodeSubscriptions } from '../../core/subscriptions/index.js';
import type { EthereumBlocks } from '../ethereum/blocks.js';
import { createPushHistory } from '../push/history.js';
import { publishedCommits, type PublishedCommit } from '../push/shown-commits.js';
import { createPushSource } from '../push/source.js';
import type { ActorId } from './actor-ids.js';
import type { Foundation } from './foundation.js';

/** The streams for push faces, and for calls that wait for a block. */
export interface ComposedPush {
  readonly child: ChildSpec<ActorId>;
  readonly subscriptions: NodeSubscriptions & { counters(): RegistryCounters };
  /** Commits as they are published. */
  readonly commits: Observable<PublishedCommit>;
}

/** Subscribes to the streams. Call it before the first record is published. */
export function composePush({ host: { crypto }, limits, home: { log }, views }: Foundation): ComposedPush {
  const { streams, ledger, ethereumBlock, ethereumBlocks } = views;
  const abandonedBy: EthereumBlocks['abandonedBy'] = (position) => ethereumBlocks?.abandonedBy(position) ?? [];
  const source = createPushSource({
    messages: streams.of('subscriptionRegistry').live,
    log,
    crypto,
    ethereumBlock,
    abandonedBy,
    shown: log.head().position,
    head: () => streams.head(),
  });
  const history = createPushHistory({ log, crypto, ethereumBlock, abandonedBy, chain: ledger });
  const shell = createSubscriptionRegistry<ActorId>('subscriptionRegistry', { limits, source, history });
  return {
    child: shell.child,
    subscriptions: { registry: shell.registry, history, source, counters: () => shell.counters() },
    commits: publishedCommits(streams.of('feeds').live, { log, crypto }),
  };
}
