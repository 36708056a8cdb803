import { Subject, type Observable } from 'rxjs';
import { inOrder } from './in-order.js';

/** Something that is no fact of the chain: work is waiting, a proposal was made, a mode changed. Nothing of it is kept. */
export interface Signal<Value> {
  /** From the moment of subscription. */
  readonly heard: Observable<Value>;
  /** Tells every observer before it returns, unless the signal is being told: then it follows. */
  say(value: Value): void;
}

export function createSignal<Value>(): Signal<Value> {
  const subject = new Subject<Value>();
  const tell = inOrder<{ readonly value: Value }>(({ value }) => subject.next(value));
  return { heard: subject.asObservable(), say: (value) => tell({ value }) };
}
