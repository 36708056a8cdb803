import type { Payload } from '../../../proto/ibc/core/channel/v2/packet_pb.js';
import type { Context } from '../../../sdk/module/context.js';

/** A part of a packet of v2, for one application, and the clients between which it travels. */
export interface Parcel {
  readonly sourceClient: string;
  readonly destinationClient: string;
  readonly sequence: bigint;
  readonly payload: Payload;
}

/** The answer of an application to a parcel. ibc-go also lets an application answer later; no application here does. */
export type Answer = { readonly kind: 'taken'; readonly acknowledgement: Uint8Array } | { readonly kind: 'refused' };

/**
 * An application over clients, by the name of its port (ibc-go v10 `modules/core/api/module.go`). Throws SdkError to
 * refuse; a middleware is a port that is made around another one (`docs/decisions/0026-hooks.md`).
 */
export interface ClientPort {
  readonly name: string;
  /** An account sends a parcel, and signed for it. */
  onSend(context: Context, parcel: Parcel, signer: Uint8Array): void;
  /** Takes a parcel. Nothing remains of what it wrote where it refuses. */
  onReceive(context: Context, parcel: Parcel): Answer;
  /** The other chain answered, by the one answer to all refusals or by that of its application. */
  onAcknowledge(context: Context, parcel: Parcel, acknowledgement: Uint8Array): void;
  /** The other chain did not receive a parcel in time. */
  onTimeout(context: Context, parcel: Parcel): void;
}
