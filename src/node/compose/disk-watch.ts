import type { Consensus, Lease } from '../../actors/consensus/index.js';
import { DISK_FULL } from '../../core/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { StateWrite } from '../../core/state/state.js';
import type { Foundation } from './foundation.js';
import type { DiskSpace } from '../../runtime/host/disk-space.js';

/**
 * Pauses block production and admission while the disk has too little free space, and resumes them when there is
 * enough. Queries and subscriptions continue. A write must not fail for lack of space, because after a failed write
 * the database has to be closed (the poison rule of `src/store/leveldb/checked-store.ts`).
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
 * True if the disk has space for the writes of one block besides its reserve, or if its free space is unknown. Each
 * write counts twice: as a row of the state and as a part of the log record.
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

/**
 * Free space at which blocks resume: more than the reserve, so that the node does not pause again after a few blocks.
 */
function enoughOf(space: DiskSpace): bigint {
  return (reserveOf(space) * 5n) / 4n;
}
