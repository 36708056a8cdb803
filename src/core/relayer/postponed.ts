import { hex } from '../bytes/hex.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { keyOfNeed, type PacketNeed } from './packets.js';

const FIRST_BLOCKS = 4n;

/**
 * Needs whose message failed alone: each waits four times as many blocks of its chain as before, so that a packet that
 * never passes neither holds the others nor fills blocks.
 */
export class Postponed {
  readonly #waits = new Map<string, { readonly blocks: bigint; readonly until: bigint }>();

  /** True where the chain that takes the need's message is below the height at which it is tried again. */
  has(need: PacketNeed, height: bigint): boolean {
    return height < (this.#waits.get(nameOf(need))?.until ?? 0n);
  }

  /** Takes a need that failed at a height. Beyond the limit the need that failed first is forgotten. */
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
