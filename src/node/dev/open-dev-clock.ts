import { devRows, readClockShift } from '../../store/dev/dev-rows.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { Foundation } from '../compose/foundation.js';
import { DevClock } from './dev-clock.js';

/**
 * Opens the clock with the shift from the log. If the head is ahead of the machine's clock, the clock is not moved:
 * block times rise by the least step until it has caught up. Virtual time starts again with each process and
 * continues from the head.
 */
export function openDevClock({ host, home, views }: Pick<Foundation, 'host' | 'home' | 'views'>): DevClock {
  const { store, log, signer } = home;
  const { ledger, chain } = views;
  const head = ledger.state.height;
  const kept = readClockShift(store);
  const decided = log.recordOf(head)?.decided.position ?? 0n;
  const shift = kept?.shift ?? 0n;
  const least = host.isTimeOfBlocks ? ledger.state.time - host.clock.now() : shift;
  return new DevClock({
    host: host.clock,
    crypto: host.crypto,
    chainId: chain.started.chainId,
    signer,
    shift: shift > least ? shift : least,
    signedBefore: kept !== undefined && kept.position > decided ? head : undefined,
    // Not awaited: the block comes after it in the log, so a failed write also fails the block.
    onRaised: (raised) => void logShift(log, raised).catch(() => undefined),
  });
}

/** Appends a TimeShifted event; later blocks follow it in the log. */
export async function logShift(log: Pick<EventLog, 'append'>, shift: bigint): Promise<void> {
  const event = { type: 'TimeShifted', v: 1, data: { shift } } as const;
  await log.append([{ event }], (first) => devRows(event, first));
}
