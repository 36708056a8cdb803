/** What a subscription missed first, then live, without a seam (reliability-security.md S12). */
import type { Height, Position } from '../../../core/primitives.js';

export type ReplayStart = { readonly after: Position } | { readonly height: Height };

export interface ReplaySteps<Item extends { readonly position: Position }> {
  /** What was shown since `start`, in order, up to the head of the moment. */
  history(start: ReplayStart): AsyncIterable<Item>;
  /** Position of the last item that was delivered live. */
  shown(): Position;
  /** False once the subscription ended. */
  isOpen(): boolean;
  /** Hands over what the client missed of an item; resolves when it takes more, which paces the reading. */
  deliver(item: Item): Promise<void>;
  /** Gives the event loop a turn. */
  rest(): Promise<void>;
  /** Makes the subscription live. */
  activate(): void;
}

/** Items between two turns of the event loop. */
const ITEMS_PER_TURN = 32;

/**
 * Reads on until the log holds nothing that was delivered live in the meantime. The last comparison and the activation
 * happen in one turn, and commits are published synchronously: none falls between them, none comes twice.
 */
export async function replay<Item extends { readonly position: Position }>(
  from: ReplayStart,
  steps: ReplaySteps<Item>,
): Promise<void> {
  let start = from;
  let items = 0;
  for (;;) {
    if (!steps.isOpen()) return;
    if ('after' in start && steps.shown() <= start.after) {
      steps.activate();
      return;
    }
    const target = steps.shown();
    for await (const item of steps.history(start)) {
      if (!steps.isOpen()) return;
      // In the log, not shown yet: it will be in the next round, or come live.
      if (item.position > steps.shown()) break;
      start = { after: item.position };
      await steps.deliver(item);
      items += 1;
      if (items % ITEMS_PER_TURN === 0) await steps.rest();
    }
    if (!('after' in start) || start.after < target) start = { after: target };
  }
}
