import { Subject, type Observable } from 'rxjs';
import { inOrder } from './in-order.js';

/**
 * A transient notification that is not a fact of the chain, such as available work, a proposal, or a mode change. Not
 * stored.
 */
export interface Signal<Value> {
  /** Values from the moment of subscription. */
  readonly heard: Observable<Value>;
  /** Emits a value to all observers synchronously. A value emitted by an observer is delivered afterwards, in order. */
  say(value: Value): void;
}

/** Creates a signal. */
export function createSignal<Value>(): Signal<Value> {
  const subject = new Subject<Value>();
  const tell = inOrder<{ readonly value: Value }>(({ value }) => subject.next(value));
  return { heard: subject.asObservable(), say: (value) => tell({ value }) };
}
