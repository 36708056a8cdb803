import { toPosition, type Position } from '../../core/primitives.js';
import { LANES, type Lane, type PushHistory, type PushInput, type PushSource } from '../../core/subscriptions/index.js';

export interface InputReceiver {
  /** Position up to which everything of a lane was heard. */
  heard(lane: Lane): Position;
  hear(input: PushInput): void;
  /** The log holds no further input of a lane up to `position`. */
  skip(lane: Lane, position: Position): void;
  /** The inputs from now on are live. */
  caughtUp(): void;
  failed(error: unknown): void;
}

/**
 * Delivers the inputs that the receiver has missed, from the log, then live ones, without a gap and each input once.
 * Goes live at once where nothing was missed. Returns a function that ends the delivery.
 */
export function hearFrom(source: PushSource, history: Pick<PushHistory, 'read'>, receiver: InputReceiver): () => void {
  let left = false;
  let leave = (): void => undefined;
  const missed = (): Lane | undefined => LANES.find((lane) => receiver.heard(lane) < source.shown(lane));
  const listen = (): void => {
    leave = source.listen((input) => receiver.hear(input));
    receiver.caughtUp();
  };
  const catchUp = async (): Promise<void> => {
    for (let lane = missed(); lane !== undefined; lane = missed()) {
      const target = source.shown(lane);
      for await (const input of history.read(lane, { after: receiver.heard(lane) })) {
        if (left) return;
        // It is in the log and not shown yet: it comes live.
        if (input.position > source.shown(lane)) break;
        receiver.hear(input);
      }
      if (left) return;
      if (receiver.heard(lane) < target) receiver.skip(lane, toPosition(target));
    }
    // Nothing was awaited since the comparison, so that no input lies between the log and what is shown.
    listen();
  };
  if (missed() === undefined) listen();
  else catchUp().catch((error: unknown) => (left ? undefined : receiver.failed(error)));
  return () => {
    left = true;
    leave();
  };
}
