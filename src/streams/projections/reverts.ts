import type { Height } from '../../core/primitives.js';
import { projection, type Message } from '../projection.js';

/** The chain was reverted (dev mode): blocks above `height` are abandoned. */
export interface WentBack extends Message {
  readonly type: 'wentBack';
  readonly height: Height;
}

export const reverts = projection(({ events }): readonly WentBack[] =>
  events.flatMap(({ event, position }) =>
    event.type === 'Reverted' ? [{ type: 'wentBack', position, height: event.data.toHeight }] : [],
  ),
);
