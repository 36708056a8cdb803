import type { Payload } from '../../../proto/ibc/core/channel/v2/packet_pb.js';
import type { Context } from '../../../sdk/module/context.js';

/** Payload of a v2 packet for one application, with source and destination client. */
export interface RoutedPayload {
  readonly sourceClient: string;
  readonly destinationClient: string;
  readonly sequence: bigint;
  readonly payload: Payload;
}

/**
 * An application's result for a payload. ibc-go also permits asynchronous acknowledgements; no application here uses
 * them.
 */
export type Answer = { readonly kind: 'taken'; readonly acknowledgement: Uint8Array } | { readonly kind: 'refused' };

/**
 * An IBC v2 application by port name (ibc-go v10 `modules/core/api/module.go`). Methods throw SdkError to reject. A
 * middleware is a port around another one (`docs/decisions/0026-hooks.md`).
 */
export interface ClientPort {
  readonly name: string;
  /** Called when `signer` sends a payload. */
  onSend(context: Context, parcel: RoutedPayload, signer: Uint8Array): void;
  /** Handles a payload; its writes are reverted when it rejects. */
  onReceive(context: Context, parcel: RoutedPayload): Answer;
  /** Called with the acknowledgement: the application's, or the universal error acknowledgement. */
  onAcknowledge(context: Context, parcel: RoutedPayload, acknowledgement: Uint8Array): void;
  /** Called when a payload timed out. */
  onTimeout(context: Context, parcel: RoutedPayload): void;
}
