import type { Order, Packet } from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import type { PortChannel } from '../keys.js';

/** A channel that is about to be opened. */
export interface NewChannel extends PortChannel {
  readonly ordering: Order;
  /** The version that the sender, or the other chain, proposes; empty leaves the choice to the application. */
  readonly version: string;
}

/** The answer of an application to a packet: its bytes for the other chain, and whether the packet was taken. */
export interface Acknowledgement {
  readonly success: boolean;
  readonly bytes: Uint8Array;
}

/** A packet of a channel of this version. */
export interface Delivered {
  readonly packet: Packet;
  readonly version: string;
}

/**
 * An application over IBC, by the name of its port (ibc-go v10 `modules/core/05-port/types/module.go`). Throws SdkError
 * to refuse; a middleware is a port that is made around another one (`around`, `docs/decisions/0026-hooks.md`).
 */
export interface Port {
  readonly name: string;
  /** Returns the version of a new channel. */
  onChannelOpenInit(context: Context, channel: NewChannel): string;
  /** Returns the version of a channel that the other chain began. */
  onChannelOpenTry(context: Context, channel: NewChannel): string;
  /** The other chain answered, with this version. */
  onChannelOpenAck(context: Context, channel: PortChannel, version: string): void;
  /** Called when a message asks to close a channel. */
  onChannelCloseInit(context: Context, channel: PortChannel): void;
  /**
   * Takes a packet. Nothing remains of what it wrote where the acknowledgement is none of success; it has an
   * acknowledgement for what it refuses, instead of an error.
   */
  onReceive(context: Context, delivered: Delivered): Acknowledgement;
  /** The other chain answered a packet. */
  onAcknowledge(context: Context, delivered: Delivered, acknowledgement: Uint8Array): void;
  /** A packet was not received in time. */
  onTimeout(context: Context, delivered: Delivered): void;
}

/** The parts of a port that a middleware does itself; `inner` is the port below it. */
export type Middleware = (inner: Port) => Partial<Omit<Port, 'name'>>;

/** Puts a middleware around a port: parts that it does not do itself are those of the port. */
export function around(inner: Port, middleware: Middleware): Port {
  return { ...inner, ...middleware(inner) };
}
