import type { Consensus, Lease } from '../../actors/consensus/index.js';
import { DISK_FULL } from '../../core/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { StateWrite } from '../../core/state/state.js';
import type { Foundation } from './foundation.js';
import type { DiskSpace } from '../../runtime/host/disk-space.js';

/**
 * Stops blocks and admission while the disk of the home has too little space, and lets them go on when there is enough
 * again. Queries and subscriptions are served all the time. So no write fails for lack of space: after a failed write
 * the database would have to be closed (the poison rule of `src/store/leveldb/checked-store.ts`).
 */
export function watchDisk(
  { host, home, supervision: { supervisor }, undo }: Pick<Foundation, 'host' | 'home' | 'supervision' | 'undo'>,
  consensus: Pick<Consensus, 'pause'>,
): void {
  const { diskSpace, timers, log } = host;
  if (diskSpace === undefined) return;
  let lease: Lease | undefined;
  let cancel = (): void => undefined;
  let ended = false;

  const look = async (): Promise<void> => {
    const space = await diskSpace(home.location);
    if (ended || space === undefined) return;
    const free = String(space.free);
    if (lease === undefined && space.free < reserveOf(space)) {
      supervisor.send({ type: 'diskFilled' });
      log.error('the disk is full: no blocks and no transactions until there is space', { free });
      const granted = await consensus.pause(DISK_FULL);
      if (granted.ok) lease = granted.value;
    } else if (lease !== undefined && space.free >= enoughOf(space)) {
      lease.release();
      lease = undefined;
      supervisor.send({ type: 'diskFreed' });
      log.info('the disk has space again: blocks go on', { free });
    }
  };
  const next = (): void => {
    if (!ended) cancel = timers.after(FIXED_LIMITS.diskWatchMs, () => void look().finally(next));
  };
  next();
  undo.push(() => {
    ended = true;
    cancel();
    lease?.release();
  });
}

/**
 * Tells whether the disk has space for the writes of one block beside its reserve; true where the space is not known.
 * Each write is a row of the state and a part of the record of the log.
 */
export function hasSpaceFor(space: DiskSpace | undefined, writes: readonly StateWrite[]): boolean {
  if (space === undefined) return true;
  const bytes = writes.reduce((sum, { key, value }) => sum + key.length + (value?.length ?? 0), 0);
  return space.free >= reserveOf(space) + 2n * BigInt(bytes);
}

function reserveOf({ size }: DiskSpace): bigint {
  const maximum = size / 8n;
  return maximum < FIXED_LIMITS.diskReserveBytes ? maximum : FIXED_LIMITS.diskReserveBytes;
}

/** More than the reserve, so that the node does not stop again after a few blocks. */
function enoughOf(space: DiskSpace): bigint {
  return (reserveOf(space) * 5n) / 4n;
}
