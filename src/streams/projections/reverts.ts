import type { Height } from '../../core/primitives.js';
import { projection, type Message } from '../projection.js';

/**
 * The chain goes on from `height`: it was reverted (dev mode), and blocks above are abandoned; or its state was
 * restored from a snapshot, before its log had a block.
 */
export interface WentBack extends Message {
  readonly type: 'wentBack';
  readonly height: Height;
  readonly isRestored?: boolean;
}

export const reverts = projection(({ events }): readonly WentBack[] =>
  events.flatMap(({ event, position }): readonly WentBack[] => {
    if (event.type === 'Reverted') return [{ type: 'wentBack', position, height: event.data.toHeight }];
    if (event.type === 'SnapshotRestored')
      return [{ type: 'wentBack', position, height: event.data.height, isRestored: true }];
    return [];
  }),
);
