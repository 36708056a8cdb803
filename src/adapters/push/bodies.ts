import type { Position } from '../../core/primitives.js';
import { cursorText, type Encoded, type PushItem } from '../../core/subscriptions/index.js';
import type { PushEncoding } from './face.js';

/** The encoding and form that a subscription needs. */
export interface BodyForm {
  readonly encoding: PushEncoding;
  readonly form: number;
  readonly cursors: boolean;
}

/** Returns a function that encodes an item, once per form. */
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

/** The cursor of an item; undefined for round events, which are stored with their block and have no position. */
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
