/**
 * IBC's clients, connections and channels (ibc-go v10 `modules/core`): its state at genesis and its queries. A chain
 * begins without counterparties; the connection of the chain with itself is always there.
 */
import { create, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import { utf8 } from '../../bytes/bytes.js';
import { be64, readBe64 } from '../../bytes/big-endian.js';
import { ParamsSchema as ClientParamsSchema } from '../../proto/ibc/core/client/v1/client_pb.js';
import {
  ConnectionEndSchema,
  ParamsSchema as ConnectionParamsSchema,
  State,
} from '../../proto/ibc/core/connection/v1/connection_pb.js';
import { GenesisStateSchema, type GenesisState } from '../../proto/ibc/core/types/v1/genesis_pb.js';
import type { Context } from '../../sdk/context.js';
import { GenesisError, readSection } from '../../sdk/genesis-section.js';
import type { Module } from '../../sdk/module.js';
import { channelQueries } from './channel-queries.js';
import { clientQueries } from './client-queries.js';
import { connectionQueries } from './connection-queries.js';
import {
  CLIENT_PARAMS,
  CONNECTION_PARAMS,
  connectionKey,
  identified,
  LOCALHOST_CLIENT,
  LOCALHOST_CONNECTION,
  STORE,
} from './store.js';

const PATH = 'app_state.ibc';

const NEXT_CLIENT = utf8('nextClientSequence');
const NEXT_CONNECTION = utf8('nextConnectionSequence');
const NEXT_CHANNEL = utf8('nextChannelSequence');
const LOCALHOST = connectionKey(LOCALHOST_CONNECTION);
/** Nanoseconds. */
const DEFAULT_BLOCK_TIME = 30_000_000_000n;

function initGenesis({ store }: Context, section: unknown): void {
  const state = readSection(PATH, GenesisStateSchema, section ?? {});
  requireNoCounterparties(state);
  const { clientGenesis, connectionGenesis, channelGenesis } = state;
  const clients = clientGenesis?.params ?? create(ClientParamsSchema, { allowedClients: ['*'] });
  const connections =
    connectionGenesis?.params ?? create(ConnectionParamsSchema, { maxExpectedTimePerBlock: DEFAULT_BLOCK_TIME });
  store.set(STORE, CLIENT_PARAMS, toBinary(ClientParamsSchema, clients));
  store.set(STORE, CONNECTION_PARAMS, toBinary(ConnectionParamsSchema, connections));
  store.set(STORE, NEXT_CLIENT, be64(clientGenesis?.nextClientSequence ?? 0n));
  store.set(STORE, NEXT_CONNECTION, be64(connectionGenesis?.nextConnectionSequence ?? 0n));
  store.set(STORE, NEXT_CHANNEL, be64(channelGenesis?.nextChannelSequence ?? 0n));
  store.set(STORE, LOCALHOST, toBinary(ConnectionEndSchema, localhost()));
}

/** Every list of the section is empty but for the connection of the chain with itself. */
function requireNoCounterparties(state: GenesisState): void {
  const connections = state.connectionGenesis?.connections.filter(({ id }) => id !== LOCALHOST_CONNECTION);
  const parts = {
    client_genesis: state.clientGenesis,
    connection_genesis: { ...state.connectionGenesis, connections },
    channel_genesis: state.channelGenesis,
    client_v2_genesis: state.clientV2Genesis,
    channel_v2_genesis: state.channelV2Genesis,
  };
  for (const [name, part] of Object.entries(parts))
    for (const [list, value] of Object.entries(part ?? {}))
      if (Array.isArray(value) && value.length > 0)
        throw new GenesisError(`${PATH}.${name}`, `this build begins no chain with IBC counterparties (${list})`);
  if (state.clientGenesis?.createLocalhost === true)
    throw new GenesisError(`${PATH}.client_genesis.create_localhost`, 'a localhost client is not allowed');
}

/** `connection-localhost` (ibc-go v10 `CreateSentinelLocalhostConnection`). */
function localhost() {
  return create(ConnectionEndSchema, {
    clientId: LOCALHOST_CLIENT,
    versions: [{ identifier: '1', features: ['ORDER_ORDERED', 'ORDER_UNORDERED'] }],
    state: State.OPEN,
    counterparty: {
      clientId: LOCALHOST_CLIENT,
      connectionId: LOCALHOST_CONNECTION,
      prefix: { keyPrefix: utf8('ibc') },
    },
  });
}

function exportGenesis({ store }: Context): unknown {
  const sequence = (key: Uint8Array): bigint => readBe64(store.get(STORE, key) ?? be64(0n));
  const value = (key: Uint8Array): Uint8Array => store.get(STORE, key) ?? new Uint8Array();
  const state = create(GenesisStateSchema, {
    clientGenesis: {
      params: fromBinary(ClientParamsSchema, value(CLIENT_PARAMS)),
      nextClientSequence: sequence(NEXT_CLIENT),
    },
    connectionGenesis: {
      connections: [identified(LOCALHOST_CONNECTION, fromBinary(ConnectionEndSchema, value(LOCALHOST)))],
      params: fromBinary(ConnectionParamsSchema, value(CONNECTION_PARAMS)),
      nextConnectionSequence: sequence(NEXT_CONNECTION),
    },
    channelGenesis: { nextChannelSequence: sequence(NEXT_CHANNEL) },
    clientV2Genesis: {},
    channelV2Genesis: {},
  });
  return toJson(GenesisStateSchema, state, { useProtoFieldName: true, alwaysEmitImplicit: true });
}

export const ibcModule: Module = {
  name: 'ibc',
  store: STORE,
  consensusVersion: 8n,
  initGenesis,
  exportGenesis,
  messages: [],
  queries: [...clientQueries, ...connectionQueries, ...channelQueries],
  migrations: new Map(),
  invariants: [],
};
