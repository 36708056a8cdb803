import type { Order, Packet } from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import type { PortChannel } from '../keys.js';

/** A channel in its handshake. */
export interface NewChannel extends PortChannel {
  readonly ordering: Order;
  /** Version proposed by the sender or the other chain; if empty, the application chooses. */
  readonly version: string;
}

/** Acknowledgement of an application: its bytes, and whether the packet succeeded. */
export interface Acknowledgement {
  readonly success: boolean;
  readonly bytes: Uint8Array;
}

/** A packet with its channel's version. */
export interface Delivered {
  readonly packet: Packet;
  readonly version: string;
}

/**
 * An IBC application by port name (ibc-go v10 `modules/core/05-port/types/module.go`). Methods throw SdkError to
 * reject. A middleware is a port around another one (`around`, `docs/decisions/0026-hooks.md`).
 */
export interface Port {
  readonly name: string;
  /** Returns the version of a channel that this chain starts. */
  onChannelOpenInit(context: Context, channel: NewChannel): string;
  /** Returns the version of a channel that the other chain started. */
  onChannelOpenTry(context: Context, channel: NewChannel): string;
  /** Called when the other chain accepted the channel with this version. */
  onChannelOpenAck(context: Context, channel: PortChannel, version: string): void;
  /** Called when a message requests to close a channel. */
  onChannelCloseInit(context: Context, channel: PortChannel): void;
  /**
   * Handles a packet. Its writes are reverted unless the acknowledgement is a success; errors are returned as
   * acknowledgements, not thrown.
   */
  onReceive(context: Context, delivered: Delivered): Acknowledgement;
  /** Called when a packet was acknowledged. */
  onAcknowledge(context: Context, delivered: Delivered, acknowledgement: Uint8Array): void;
  /** Called when a packet timed out. */
  onTimeout(context: Context, delivered: Delivered): void;
}

/** Methods that a middleware overrides; `inner` is the wrapped port. */
export type Middleware = (inner: Port) => Partial<Omit<Port, 'name'>>;

/** Wraps a middleware around a port; methods it does not override are the port's. */
export function around(inner: Port, middleware: Middleware): Port {
  return { ...inner, ...middleware(inner) };
}
