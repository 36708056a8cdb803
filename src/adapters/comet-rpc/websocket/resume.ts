/** Resuming from a cursor: what was missed first, then live, without a seam (reliability-security.md S12). */
import type { Position } from '../../../core/primitives.js';
import { matches } from '../../../core/query/index.js';
import {
  cursorText,
  unseen,
  type Cursor,
  type Delivery,
  type Replay,
  type Subscription,
} from '../../../core/subscriptions/index.js';

export interface ResumeSteps {
  readonly replay: Replay;
  /** Position of the last commit delivered live. */
  position(): Position;
  /** False once the subscription ended. */
  isOpen(): boolean;
  /** Hands over what was missed; resolves when the client has taken it, which paces the reading. */
  deliver(deliveries: readonly Delivery[]): Promise<void>;
  /** Makes the subscription live. */
  activate(): void;
}

/**
 * Reads on until the log holds nothing that was delivered live in the meantime. The last comparison and the activation
 * happen in one turn, and commits are published synchronously: none falls between them, none comes twice.
 */
export async function resume(subscription: Subscription, from: Cursor, steps: ResumeSteps): Promise<void> {
  let seen = from;
  for (;;) {
    const target = steps.position();
    for await (const commit of steps.replay(seen.after)) {
      if (!steps.isOpen()) return;
      if (commit.position > steps.position()) break;
      const missed = unseen(commit, seen).filter(({ event }) => matches(subscription.query, event.attributes));
      seen = commit.position > seen.after ? { after: commit.position, partial: undefined } : seen;
      const last = missed.at(-1);
      const deliveries = missed.map(({ event, index }) => ({
        subscription,
        event,
        cursor:
          event.position === undefined
            ? undefined
            : cursorText(commit.position, index === last?.index ? undefined : index),
      }));
      if (deliveries.length > 0) await steps.deliver(deliveries);
    }
    if (!steps.isOpen()) return;
    if (target > seen.after) seen = { after: target, partial: undefined };
    if (steps.position() <= seen.after) {
      steps.activate();
      return;
    }
  }
}
