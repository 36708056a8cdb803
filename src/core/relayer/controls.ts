/** Dev mode controls for the packets that one chain sent (`docs/interfaces/dev-commands.md`). */
import type { PacketDelay } from '../ethereum/packet-commands.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { NS_PER_SECOND } from '../primitives.js';

/** Controls for the packets of a chain. */
export interface PacketControls {
  /** True: all packets are held except `exceptions`. False: only `exceptions` are held. */
  readonly holdsAll: boolean;
  readonly exceptions: ReadonlySet<bigint>;
  /** Packets that are never relayed; their timeouts are. */
  readonly dropped: ReadonlySet<bigint>;
  /** Packets that are relayed one after another in this order. */
  readonly order: readonly bigint[];
  readonly delay: PacketDelay;
}

/** A command about packets; undefined `sequences` means all packets, later ones included. */
export type ControlCommand =
  | { readonly kind: 'hold' | 'release'; readonly sequences: readonly bigint[] | undefined }
  | { readonly kind: 'drop'; readonly sequence: bigint }
  | { readonly kind: 'order'; readonly sequences: readonly bigint[] }
  | { readonly kind: 'delay'; readonly delay: PacketDelay };

const NO_DELAY: PacketDelay = { blocks: 0n, seconds: 0n };

/** Controls of a new relayer: everything is relayed at once. */
export const NO_CONTROLS: PacketControls = {
  holdsAll: false,
  exceptions: new Set(),
  dropped: new Set(),
  order: [],
  delay: NO_DELAY,
};

/**
 * Applies a command. A release of all packets also clears order and delay; a release of named packets cancels their
 * drops.
 */
export function controlled(before: PacketControls, command: ControlCommand): PacketControls {
  switch (command.kind) {
    case 'hold':
    case 'release': {
      const { sequences } = command;
      const holds = command.kind === 'hold';
      if (sequences === undefined) {
        const held = { ...before, holdsAll: holds, exceptions: new Set<bigint>() };
        return holds ? held : { ...held, order: [], delay: NO_DELAY };
      }
      const exceptions = new Set(before.exceptions);
      for (const sequence of sequences) {
        if (holds === before.holdsAll) exceptions.delete(sequence);
        else exceptions.add(sequence);
      }
      const dropped = [...before.dropped].filter((sequence) => holds || !sequences.includes(sequence));
      return { ...before, exceptions, dropped: new Set(dropped) };
    }
    case 'drop':
      return { ...before, dropped: new Set([...before.dropped, command.sequence]) };
    case 'order':
      return { ...before, order: command.sequences };
    case 'delay':
      return { ...before, delay: command.delay };
  }
}

/** True when controls name more packets than the limit. */
export const isTooMuch = ({ exceptions, dropped, order }: PacketControls): boolean =>
  exceptions.size + dropped.size + order.length > FIXED_LIMITS.relayerControls;

/** True for a held packet: neither the packet nor its acknowledgement nor its timeout is relayed. */
export const isHeld = ({ holdsAll, exceptions }: PacketControls, sequence: bigint): boolean =>
  holdsAll !== exceptions.has(sequence);

/** Height and time of a chain; `time` in nanoseconds. */
export interface Moment {
  readonly height: bigint;
  readonly time: bigint;
}

/** True while a packet sent at `sent` is delayed; `head` is the current block of the sending chain. */
export function isDelayed({ delay: { blocks, seconds } }: PacketControls, sent: Moment, head: Moment): boolean {
  return head.height < sent.height + blocks || head.time < sent.time + seconds * NS_PER_SECOND;
}

/**
 * Selects the packets to relay now from `ready`: first the ordered ones, up to the first that must wait. `waiting`:
 * packets that may still arrive.
 */
export function arranged(
  { order, dropped }: PacketControls,
  ready: readonly bigint[],
  waiting: ReadonlySet<bigint>,
): readonly bigint[] {
  const now: bigint[] = [];
  for (const sequence of order) {
    if (ready.includes(sequence)) now.push(sequence);
    else if (waiting.has(sequence) && !dropped.has(sequence)) break;
  }
  return [...now, ...ready.filter((sequence) => !order.includes(sequence))];
}
