import type { DescField } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { concatAll } from '../../../core/bytes/bytes.js';
import { FIXED_LIMITS } from '../../../core/limits/limits.js';
import type { Timers } from '../../../core/ports/time.js';

/**
 * An answer with lists of transactions, encoded in turns of the event loop: a transaction can take 40 ms. The order of
 * the fields on the wire is that of the lists.
 */
export class LongAnswer {
  readonly #lists: Uint8Array[][] = [];
  #inTurn = 0;

  constructor(private readonly timers: Pick<Timers, 'yield'>) {}

  /** Adds a list; returns the function that adds encoded elements to it. */
  list({ number }: DescField): (element: Uint8Array) => void {
    const elements: Uint8Array[] = [];
    this.#lists.push(elements);
    return (element) => {
      this.#inTurn += element.length;
      elements.push(new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(element).finish());
    };
  }

  /** Lets the event loop run when many bytes were added since the last turn. */
  async turn(): Promise<void> {
    if (this.#inTurn < FIXED_LIMITS.restTurnBytes) return;
    this.#inTurn = 0;
    await this.timers.yield();
  }

  /** The answer; `others` encodes the fields after the lists. */
  encoded(others: Uint8Array): Uint8Array {
    return concatAll([...this.#lists.flat(), others]);
  }
}
