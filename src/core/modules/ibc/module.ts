/**
 * IBC core: clients, connections, channels and packets (ibc-go v10 `modules/core`). The localhost connection always
 * exists.
 */
import { file_ibc_core_channel_v1_tx } from '../../proto/ibc/core/channel/v1/tx_pb.js';
import { file_ibc_core_channel_v2_tx } from '../../proto/ibc/core/channel/v2/tx_pb.js';
import { file_ibc_core_client_v2_tx } from '../../proto/ibc/core/client/v2/tx_pb.js';
import { file_ibc_core_client_v1_tx } from '../../proto/ibc/core/client/v1/tx_pb.js';
import { file_ibc_core_connection_v1_tx } from '../../proto/ibc/core/connection/v1/tx_pb.js';
import { file_ibc_lightclients_tendermint_v1_tendermint } from '../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import type { Module } from '../../sdk/module/module.js';
import { channelQueries } from './channel/queries.js';
import { clientQueries } from './client/queries.js';
import { connectionQueries } from './connection/queries.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { packetQueries } from './channel/packet-queries.js';
import type { Port } from './channel/port.js';
import type { ClientPort } from './v2/port.js';
import { STORE } from './store.js';
import { storeUpgradedConsensusState } from './client/upgraded-chain.js';
import { v2Queries } from './v2/queries.js';
import type { MessageHandler } from '../../sdk/module/context.js';
import { channelMessages } from './channel/messages.js';
import { clientMessages } from './client/messages.js';
import { connectionMessages } from './connection/messages.js';
import { clientMessagesV2 } from './v2/client-messages.js';
import { packetMessagesV2 } from './v2/packet-messages.js';

/** Messages of a chain with these applications over channels (v1) and clients (v2). */
function ibcMessages(ports: readonly Port[], clientPorts: readonly ClientPort[]): readonly MessageHandler[] {
  return [
    ...clientMessages,
    ...connectionMessages,
    ...channelMessages(ports),
    ...clientMessagesV2,
    ...packetMessagesV2(clientPorts),
  ];
}

/** Module of a chain with these applications over channels (v1) and clients (v2). */
export const ibcModule = (ports: readonly Port[], clientPorts: readonly ClientPort[] = []): Module => ({
  name: 'ibc',
  store: STORE,
  consensusVersion: 8n,
  initGenesis,
  exportGenesis,
  messages: ibcMessages(ports, clientPorts),
  types: [
    file_ibc_core_channel_v1_tx,
    file_ibc_core_channel_v2_tx,
    file_ibc_core_client_v1_tx,
    file_ibc_core_client_v2_tx,
    file_ibc_core_connection_v1_tx,
    file_ibc_lightclients_tendermint_v1_tendermint,
  ],
  beginBlock: storeUpgradedConsensusState,
  queries: [...clientQueries, ...connectionQueries, ...channelQueries, ...packetQueries, ...v2Queries],
});
