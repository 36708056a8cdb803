/**
 * Messages of IBC's parts: clients, connections and channels are begun. Steps that need proofs of another chain are no
 * messages of this build (ibc-go v10 `modules/core/keeper/msg_server.go`, and `types/msgs.go` of each part).
 */
import { create } from '@bufbuild/protobuf';
import { Msg } from '../../proto/ibc/core/channel/v1/tx_pb.js';
import { ParamsSchema as ConnectionParamsSchema } from '../../proto/ibc/core/connection/v1/connection_pb.js';
import * as connection from '../../proto/ibc/core/connection/v1/tx_pb.js';
import { message } from '../../sdk/module/module.js';
import type { MessageHandler } from '../../sdk/module/context.js';
import { openChannel } from './channels.js';
import { clientMessages } from './client-messages.js';
import { openConnection } from './connections.js';
import type { Port } from './port.js';
import { requireIbcAuthority } from './signers.js';
import { CONNECTION_PARAMS, writeMessage } from './store.js';
import * as validate from './validate.js';

const openConnectionMessage = message(connection.Msg, 'connectionOpenInit', {
  validate: validate.openConnection,
  handle(context, request) {
    openConnection(context, request);
  },
});

const updateConnectionParams = message(connection.Msg, 'updateConnectionParams', {
  validate: validate.connectionParams,
  handle(context, { signer, params }) {
    requireIbcAuthority(context, signer);
    writeMessage(context, CONNECTION_PARAMS, ConnectionParamsSchema, params ?? create(ConnectionParamsSchema));
  },
});

/** The messages of a chain with these applications over IBC. */
export function ibcMessages(ports: readonly Port[]): readonly MessageHandler[] {
  const openChannelMessage = message(Msg, 'channelOpenInit', {
    validate: validate.openChannel,
    handle: (context, request) => openChannel(context, ports, request),
  });
  return [...clientMessages, openConnectionMessage, updateConnectionParams, openChannelMessage];
}
