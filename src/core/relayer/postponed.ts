import { hex } from '../bytes/hex.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { keyOfNeed, type PacketNeed } from './packets.js';

const FIRST_BLOCKS = 4n;

/**
 * Packet messages that failed on their own. Each retry waits four times as many blocks as before, so that a packet
 * that always fails neither blocks others nor fills blocks.
 */
export class Postponed {
  readonly #waits = new Map<string, { readonly blocks: bigint; readonly until: bigint }>();

  /** True while the chain that receives the message is below the retry height. */
  has(need: PacketNeed, height: bigint): boolean {
    return height < (this.#waits.get(nameOf(need))?.until ?? 0n);
  }

  /** Records a failure at a height. Beyond the limit the oldest entry is dropped. */
  add(need: PacketNeed, height: bigint): void {
    const name = nameOf(need);
    const before = this.#waits.get(name)?.blocks;
    const longer = before === undefined ? FIRST_BLOCKS : before * 4n;
    const blocks = longer < FIXED_LIMITS.relayerWaitBlocks ? longer : FIXED_LIMITS.relayerWaitBlocks;
    this.#waits.delete(name);
    this.#waits.set(name, { blocks, until: height + blocks });
    const [oldest] = this.#waits.keys();
    if (this.#waits.size > FIXED_LIMITS.relayerPostponed && oldest !== undefined) this.#waits.delete(oldest);
  }
}

const nameOf = (need: PacketNeed): string => `${need.kind} ${hex(keyOfNeed(need))} ${hex(need.packet.data)}`;
