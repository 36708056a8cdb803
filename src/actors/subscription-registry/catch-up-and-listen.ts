import { toPosition, type Position } from '../../core/primitives.js';
import {
  INPUT_KINDS,
  type InputKind,
  type PushHistory,
  type PushInput,
  type PushSource,
} from '../../core/subscriptions/index.js';

export interface InputReceiver {
  /** Position up to which the receiver has all inputs of a kind. */
  heard(kind: InputKind): Position;
  hear(input: PushInput): void;
  /** The log has no further input of a kind up to `position`. */
  skip(kind: InputKind, position: Position): void;
  /** All following inputs are live. */
  caughtUp(): void;
  failed(error: unknown): void;
}

/**
 * Delivers the inputs that the receiver missed from the log, then live ones, without gaps or duplicates; goes live at
 * once when nothing was missed. Returns a function that stops the delivery.
 */
export function catchUpAndListen(
  source: PushSource,
  history: Pick<PushHistory, 'read'>,
  receiver: InputReceiver,
): () => void {
  let left = false;
  let leave = (): void => undefined;
  const missed = (): InputKind | undefined => INPUT_KINDS.find((kind) => receiver.heard(kind) < source.shown(kind));
  const listen = (): void => {
    leave = source.listen((input) => receiver.hear(input));
    receiver.caughtUp();
  };
  const catchUp = async (): Promise<void> => {
    for (let kind = missed(); kind !== undefined; kind = missed()) {
      const target = source.shown(kind);
      for await (const input of history.read(kind, { after: receiver.heard(kind) })) {
        if (left) return;
        // Logged but not published yet: it will come live.
        if (input.position > source.shown(kind)) break;
        receiver.hear(input);
      }
      if (left) return;
      if (receiver.heard(kind) < target) receiver.skip(kind, toPosition(target));
    }
    // No await since the comparison, so no input can have been published in between.
    listen();
  };
  if (missed() === undefined) listen();
  else catchUp().catch((error: unknown) => (left ? undefined : receiver.failed(error)));
  return () => {
    left = true;
    leave();
  };
}
