import type { Moment, PacketControls } from '../../core/relayer/controls.js';
import { timeAt } from './blocks.js';
import type { Remote } from './remote.js';

/** Height and time of a block. The time is read only if a delay in seconds needs it. */
export async function momentOf(remote: Remote, height: bigint, { delay }: PacketControls): Promise<Moment> {
  return { height, time: delay.seconds === 0n ? 0n : await timeAt(remote, height) };
}
