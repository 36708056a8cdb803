/**
 * Messages of IBC's parts: clients, connections and channels are begun. Steps that need proofs of another chain are no
 * messages of this build (ibc-go v10 `modules/core/keeper/msg_server.go`, and `types/msgs.go` of each part).
 */
import { create } from '@bufbuild/protobuf';
import { Msg } from '../../proto/ibc/core/channel/v1/tx_pb.js';
import * as client from '../../proto/ibc/core/client/v1/tx_pb.js';
import { ParamsSchema as ClientParamsSchema } from '../../proto/ibc/core/client/v1/client_pb.js';
import { ParamsSchema as ConnectionParamsSchema } from '../../proto/ibc/core/connection/v1/connection_pb.js';
import * as connection from '../../proto/ibc/core/connection/v1/tx_pb.js';
import { requireAddress } from '../../sdk/codec/address.js';
import { message } from '../../sdk/module/module.js';
import type { MessageHandler } from '../../sdk/module/context.js';
import { openChannel } from './channels.js';
import { createClient } from './clients.js';
import { openConnection } from './connections.js';
import { clientKey } from './keys.js';
import type { Port } from './port.js';
import { requireIbcAuthority } from './signers.js';
import { CLIENT_PARAMS, CONNECTION_PARAMS, STORE, writeMessage } from './store.js';
import { clientStateOf, consensusStateOf } from './tendermint.js';
import * as validate from './validate.js';

const createClientMessage = message(client.Msg, 'createClient', {
  validate: validate.createClient,
  handle(context, { clientState, consensusState, signer }) {
    const clientId = createClient(context, clientStateOf(clientState), consensusStateOf(consensusState));
    const creator = requireAddress(context.chain.bech32Prefix, signer, 'invalid signer address');
    context.store.set(STORE, clientKey(clientId, 'creator'), creator);
    return { clientId };
  },
});

const updateClientParams = message(client.Msg, 'updateClientParams', {
  validate: validate.clientParams,
  handle(context, { signer, params }) {
    requireIbcAuthority(context, signer);
    writeMessage(context, CLIENT_PARAMS, ClientParamsSchema, params ?? create(ClientParamsSchema));
  },
});

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
  return [createClientMessage, updateClientParams, openConnectionMessage, updateConnectionParams, openChannelMessage];
}
