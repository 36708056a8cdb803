import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { heightOf, revisionOf } from '../../core/modules/ibc/self-height.js';
import type { Packet } from '../../core/proto/ibc/core/channel/v1/channel_pb.js';
import type { Direction } from './packet-facts.js';
import type { Remote, RemoteHead } from './remote.js';
import { findPacket } from './packet-search.js';
import { NS_PER_SECOND } from '../../core/primitives.js';

const DAY = 86_400n * NS_PER_SECOND;

/**
 * Moves the other chain past a packet's timeout: mines blocks up to its timeout height if few are missing, else one
 * block at its timeout timestamp. Resolves with the reason if that is not possible, else undefined.
 */
export async function passTimeout(
  { source, destination, from }: Direction,
  sequence: bigint,
): Promise<string | undefined> {
  const found = await findPacket(source, 'send_packet', from.channelId, sequence);
  if (found === undefined) return `no event tells of packet ${sequence}`;
  const head = await destination.head();
  const { relayerBlocks, relayerTimeoutDays } = FIXED_LIMITS;
  const blocks = missingBlocks(found.packet, destination, head);
  if (blocks !== undefined && blocks <= relayerBlocks) {
    if (blocks > 0n) await destination.command('hardhat_mine', [`0x${blocks.toString(16)}`]);
    return undefined;
  }
  const { timeoutTimestamp } = found.packet;
  if (timeoutTimestamp === 0n) return `the timeout is ${blocks} blocks away, limit relayerBlocks (${relayerBlocks})`;
  if (timeoutTimestamp > head.time + relayerTimeoutDays * DAY)
    return `the timeout is too far away, limit relayerTimeoutDays (${relayerTimeoutDays})`;
  if (timeoutTimestamp > head.time)
    await destination.command('evm_mine', [
      `0x${((timeoutTimestamp + NS_PER_SECOND - 1n) / NS_PER_SECOND).toString(16)}`,
    ]);
  return undefined;
}

/** Number of blocks until the packet's timeout height; undefined if it has none or one of another revision. */
function missingBlocks({ timeoutHeight }: Packet, { chain }: Remote, { height }: RemoteHead): bigint | undefined {
  const { revisionNumber, revisionHeight } = heightOf(timeoutHeight);
  const revision = revisionOf(chain.chainId);
  if (revisionHeight === 0n || revisionNumber > revision) return undefined;
  return revisionNumber < revision || revisionHeight <= height ? 0n : revisionHeight - height;
}
