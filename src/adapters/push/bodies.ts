import type { Position } from '../../core/primitives.js';
import { cursorText, type Encoded, type PushItem } from '../../core/subscriptions/index.js';
import type { PushEncoding } from './face.js';

/** The form in which a subscription receives its items. */
export interface BodyForm {
  readonly encoding: PushEncoding;
  readonly form: number;
  readonly cursors: boolean;
}

/** Encodes one item once for each form that a subscription wants. */
export function bodiesOf(item: PushItem, position: Position): (wanted: BodyForm) => Encoded {
  const made: Encoded[] = [];
  return ({ encoding, form, cursors }) => {
    const place = form * 2 + (cursors ? 1 : 0);
    return (made[place] ??= {
      text: encoding.body(item, form, cursors ? cursorOf(item, position) : undefined),
      index: item.index,
    });
  };
}

/** Undefined for the events of a round, which are stored with the block that they led to and have no position. */
function cursorOf(item: PushItem, position: Position): string | undefined {
  switch (item.kind) {
    case 'event':
      return item.event.position === undefined ? undefined : cursorText(position, item.index);
    case 'log':
      return cursorText(position, item.index);
    case 'head':
    case 'receipts':
    case 'pending':
      return cursorText(position, undefined);
  }
}
