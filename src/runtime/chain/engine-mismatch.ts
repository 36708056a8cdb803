import type { EventLog } from '../../store/log/event-log.js';

/** The home's blocks were decided by another consensus engine than the one being started. */
export class EngineMismatch extends Error {
  override readonly name = 'EngineMismatch';
}

/**
 * Throws EngineMismatch. The embedded consensus and an external engine cannot continue each other's chain, because
 * neither has the other's commits.
 */
export function requireEngine(log: Pick<EventLog, 'head' | 'blockAt' | 'restored'>, isOutside: boolean): void {
  const last = log.blockAt(log.head().decided)?.decided.event;
  const restored = log.restored()?.event;
  const hasOutside = last === undefined ? restored?.v === 1 : last.v === 2;
  const isEmpty = last === undefined && restored === undefined;
  if (isEmpty || hasOutside === isOutside) return;
  throw new EngineMismatch(
    isOutside
      ? 'the blocks of this home were made without an engine, so that no engine can continue them: use chronicled start'
      : 'a consensus engine made the blocks of this home, and goes on with them: use chronicled abci',
  );
}
