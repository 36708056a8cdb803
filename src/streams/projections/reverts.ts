import type { Height } from '../../core/primitives.js';
import { projection, type Message } from '../projection.js';

/**
 * The chain was reverted to `height` (dev mode), or its state was restored from a snapshot before the log had a block.
 */
export interface ChainReverted extends Message {
  readonly type: 'reverted';
  readonly height: Height;
  readonly isRestored?: boolean;
}

export const reverts = projection(({ events }): readonly ChainReverted[] =>
  events.flatMap(({ event, position }): readonly ChainReverted[] => {
    if (event.type === 'Reverted') return [{ type: 'reverted', position, height: event.data.toHeight }];
    if (event.type === 'SnapshotRestored')
      return [{ type: 'reverted', position, height: event.data.height, isRestored: true }];
    return [];
  }),
);
