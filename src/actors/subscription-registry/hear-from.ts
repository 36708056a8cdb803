import { toPosition, type Position } from '../../core/primitives.js';
import { LANES, type Lane, type PushHistory, type PushInput, type PushSource } from '../../core/subscriptions/index.js';

export interface Hearer {
  /** Position up to which everything of a lane was heard. */
  heard(lane: Lane): Position;
  hear(input: PushInput): void;
  /** Nothing was shown in a lane up to `position` that the log can tell. */
  skip(lane: Lane, position: Position): void;
  /** The messages after this one are live. */
  caughtUp(): void;
  failed(error: unknown): void;
}

/**
 * Tells a hearer what it has missed, from the log, then what is shown, without a gap and without an input twice. At
 * once where nothing was missed. Returns how to leave.
 */
export function hearFrom(source: PushSource, history: Pick<PushHistory, 'read'>, hearer: Hearer): () => void {
  let left = false;
  let leave = (): void => undefined;
  const missed = (): Lane | undefined => LANES.find((lane) => hearer.heard(lane) < source.shown(lane));
  const listen = (): void => {
    leave = source.listen((input) => hearer.hear(input));
    hearer.caughtUp();
  };
  const catchUp = async (): Promise<void> => {
    for (let lane = missed(); lane !== undefined; lane = missed()) {
      const target = source.shown(lane);
      for await (const input of history.read(lane, { after: hearer.heard(lane) })) {
        if (left) return;
        // It is in the log and not shown yet: it comes live.
        if (input.position > source.shown(lane)) break;
        hearer.hear(input);
      }
      if (left) return;
      if (hearer.heard(lane) < target) hearer.skip(lane, toPosition(target));
    }
    // Nothing was awaited since the comparison, so that no input lies between the log and what is shown.
    listen();
  };
  if (missed() === undefined) listen();
  else catchUp().catch((error: unknown) => (left ? undefined : hearer.failed(error)));
  return () => {
    left = true;
    leave();
  };
}
