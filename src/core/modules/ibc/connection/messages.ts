/**
 * Messages of connections (ibc-go v10 `modules/core/keeper/msg_server.go`, `modules/core/03-connection/types/msgs.go`).
 */
import { create } from '@bufbuild/protobuf';
import { ParamsSchema } from '../../../proto/ibc/core/connection/v1/connection_pb.js';
import { Msg } from '../../../proto/ibc/core/connection/v1/tx_pb.js';
import type { MessageHandler } from '../../../sdk/module/context.js';
import { message, messageOf, methodOf } from '../../../sdk/module/module.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { acknowledgeConnection, confirmConnection, tryConnection } from './handshake.js';
import { openConnection } from './connections.js';
import { requireIbcAuthority } from '../signers.js';
import { CONNECTION_PARAMS, writeMessage } from '../store.js';
import * as validate from './validate.js';

/** The messages of connections. */
export const connectionMessages: readonly MessageHandler[] = [
  message(Msg, 'connectionOpenInit', {
    validate: validate.openInit,
    handle: (context, request) => openConnection(context, request),
  }),
  message(Msg, 'connectionOpenTry', {
    validate: validate.openTry,
    handle: (context, request) =>
      wrapping('connection handshake open try failed', () => tryConnection(context, request)),
  }),
  message(Msg, 'connectionOpenAck', {
    validate: validate.openAck,
    handle: (context, request) =>
      wrapping('connection handshake open ack failed', () => acknowledgeConnection(context, request)),
  }),
  message(Msg, 'connectionOpenConfirm', {
    validate: validate.openConfirm,
    handle: (context, request) =>
      wrapping('connection handshake open confirm failed', () => confirmConnection(context, request)),
  }),
  messageOf(methodOf(Msg, 'updateConnectionParams'), {
    validate: validate.params,
    handle(context, { signer, params }) {
      requireIbcAuthority(context, signer);
      writeMessage(context, CONNECTION_PARAMS, ParamsSchema, params ?? create(ParamsSchema));
    },
  }),
];
