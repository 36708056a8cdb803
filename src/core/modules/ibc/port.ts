import type { Order } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import type { Context } from '../../sdk/module/context.js';
import type { PortChannel } from './keys.js';

/** A channel that is about to be opened. */
export interface NewChannel extends PortChannel {
  readonly ordering: Order;
  /** The version that the sender proposes; empty leaves the choice to the application. */
  readonly version: string;
}

/**
 * An application over IBC, by the name of its port (ibc-go v10 `modules/core/05-port/types/module.go`). A middleware is
 * a port that is made around another one (`docs/decisions/0026-hooks.md`).
 */
export interface Port {
  readonly name: string;
  /** Answers the version of a new channel; throws SdkError to refuse it. */
  onChannelOpenInit(context: Context, channel: NewChannel): string;
}
