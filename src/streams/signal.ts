import { Subject, type Observable } from 'rxjs';
import { inOrder } from './in-order.js';

/**
 * A signal, which is not a fact of the chain: work is waiting, a proposal was made, a mode changed. Signals are not
 * stored.
 */
export interface Signal<Value> {
  /** From the moment of subscription. */
  readonly heard: Observable<Value>;
  /** Reports a value to every observer before it returns. A value that an observer reports follows in order. */
  say(value: Value): void;
}

/** Makes a signal: a function that says a value, and the stream of what was said. */
export function createSignal<Value>(): Signal<Value> {
  const subject = new Subject<Value>();
  const tell = inOrder<{ readonly value: Value }>(({ value }) => subject.next(value));
  return { heard: subject.asObservable(), say: (value) => tell({ value }) };
}
