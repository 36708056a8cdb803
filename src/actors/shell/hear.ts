import { fromEventObservable, type ObservableActorLogic } from 'xstate';
import type { Position } from '../../core/primitives.js';
import { heardWhile, type Hearing, type Message } from '../../streams/index.js';

export interface HearInput {
  /** Messages after this position; undefined for those from now on. */
  readonly from: Position | undefined;
}

/**
 * The part of an actor that listens, to be invoked by its chart: each message is an event of the actor. It ends with its
 * actor, also with one that failed, whose invoked children xstate keeps running.
 */
export function hear<Made extends Message>(hearing: Hearing<Made>): ObservableActorLogic<Made, HearInput> {
  return fromEventObservable(({ input, self }) =>
    heardWhile(input.from === undefined ? hearing.live : hearing.from(input.from), () => self._parent?.getSnapshot().status === 'active'),
  );
}
