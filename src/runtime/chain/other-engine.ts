import type { EventLog } from '../../store/log/event-log.js';

/** The blocks of a home were decided by another engine than the one that shall go on. */
export class OtherEngine extends Error {
  override readonly name = 'OtherEngine';
}

/**
 * The embedded consensus and an engine outside cannot continue each other's chain: neither has the commits of the
 * other. Throws OtherEngine.
 */
export function requireEngine(log: Pick<EventLog, 'head' | 'blockAt' | 'restored'>, isOutside: boolean): void {
  const last = log.blockAt(log.head().decided)?.decided.event;
  const restored = log.restored()?.event;
  const hasOutside = last === undefined ? restored?.v === 1 : last.v === 2;
  const isEmpty = last === undefined && restored === undefined;
  if (isEmpty || hasOutside === isOutside) return;
  throw new OtherEngine(
    isOutside
      ? 'the blocks of this home were made without an engine, so that no engine can continue them: use chronicled start'
      : 'a consensus engine made the blocks of this home, and goes on with them: use chronicled abci',
  );
}
