import type { UpgradeHalted } from '../../core/log-events.js';
import { projection, type Message } from '../projection.js';

/** The chain is halted at a decided block, because this build has no handler for the due plan. */
export interface Halted extends Message {
  readonly type: 'halted';
  readonly plan: UpgradeHalted['data'];
}

export const halts = projection(({ events }): readonly Halted[] =>
  events.flatMap(({ event, position }) =>
    event.type === 'UpgradeHalted' ? [{ type: 'halted', position, plan: event.data }] : [],
  ),
);
