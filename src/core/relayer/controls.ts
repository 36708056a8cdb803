/** Controls of the packets that one chain sent, as dev mode sets them (`docs/interfaces/dev-commands.md`). */
import type { PacketDelay } from '../ethereum/packet-commands.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { NS_PER_SECOND } from '../primitives.js';

/** The controls of the packets of a chain. */
export interface PacketControls {
  /** Every packet is held but these sequences; or none but these. */
  readonly holdsAll: boolean;
  readonly exceptions: ReadonlySet<bigint>;
  /** Packets that no message brings; their timeouts are brought. */
  readonly dropped: ReadonlySet<bigint>;
  /** Packets that arrive one after another in this order. */
  readonly order: readonly bigint[];
  readonly delay: PacketDelay;
}

/** A command about packets; `sequences` that are undefined are all, also those of later packets. */
export type ControlCommand =
  | { readonly kind: 'hold' | 'release'; readonly sequences: readonly bigint[] | undefined }
  | { readonly kind: 'drop'; readonly sequence: bigint }
  | { readonly kind: 'order'; readonly sequences: readonly bigint[] }
  | { readonly kind: 'delay'; readonly delay: PacketDelay };

const NO_DELAY: PacketDelay = { blocks: 0n, seconds: 0n };

/** The controls of a relayer that begins: it brings everything at once. */
export const NO_CONTROLS: PacketControls = {
  holdsAll: false,
  exceptions: new Set(),
  dropped: new Set(),
  order: [],
  delay: NO_DELAY,
};

/**
 * The controls after a command. A release of all packets also ends their order and their delay; one of named packets
 * takes their drops back.
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

/** True where controls name more packets than a relayer remembers. */
export const isTooMuch = ({ exceptions, dropped, order }: PacketControls): boolean =>
  exceptions.size + dropped.size + order.length > FIXED_LIMITS.relayerControls;

/** True for a packet of which nothing is brought: neither itself nor its answer nor its timeout. */
export const isHeld = ({ holdsAll, exceptions }: PacketControls, sequence: bigint): boolean =>
  holdsAll !== exceptions.has(sequence);

/** A place and a time of a chain; `time` in nanoseconds. */
export interface Moment {
  readonly height: bigint;
  readonly time: bigint;
}

/** True while a packet that was sent at a moment is delayed; `head`: that of the chain that sent it. */
export function isDelayed({ delay: { blocks, seconds } }: PacketControls, sent: Moment, head: Moment): boolean {
  return head.height < sent.height + blocks || head.time < sent.time + seconds * NS_PER_SECOND;
}

/**
 * The packets to bring now, of those that are `ready`: first those of the order, up to the first one that others wait
 * for. `waiting`: packets that may still arrive.
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
