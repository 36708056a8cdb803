/** Genesis section of ibc: clients, connections, channels and packets (ibc-go v10 `modules/core/genesis.go`). */
import { create, createRegistry, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { be64, readBe64 } from '../../bytes/big-endian.js';
import { concat, text, utf8 } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { ChannelSchema } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import { HeightSchema, ParamsSchema as ClientParamsSchema } from '../../proto/ibc/core/client/v1/client_pb.js';
import {
  ClientPathsSchema,
  ConnectionEndSchema,
  ParamsSchema as ConnectionParamsSchema,
  State,
} from '../../proto/ibc/core/connection/v1/connection_pb.js';
import { GenesisStateSchema, type GenesisState } from '../../proto/ibc/core/types/v1/genesis_pb.js';
import {
  ClientStateSchema,
  ConsensusStateSchema,
  file_ibc_lightclients_tendermint_v1_tendermint,
} from '../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { packAny } from '../../sdk/codec/any.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { identifiedChannel } from './channel/channels.js';
import { VERSION } from './connection/connections.js';
import { base64Hashes, hexHashes } from './genesis-hashes.js';
import { exportPackets, initPackets, requireConsistentGenesis } from './genesis-packets.js';
import type { RevisionHeight } from './self-height.js';
import {
  channelKey,
  clientConnectionsKey,
  clientKey,
  clientStateKey,
  connectionKey,
  consensusStateKey,
  nextSequenceAckKey,
  nextSequenceRecvKey,
  nextSequenceSendKey,
} from './keys.js';
import {
  CHANNELS,
  CLIENT_PARAMS,
  CLIENTS,
  CONNECTION_PARAMS,
  CONNECTIONS,
  identified,
  LOCALHOST_CLIENT,
  LOCALHOST_CONNECTION,
  NEXT_CHANNEL,
  NEXT_CLIENT,
  NEXT_CONNECTION,
  readMessage,
  STORE,
  writeMessage,
} from './store.js';
import { clientStateOf, consensusStateOf } from './client/tendermint.js';
import { exportV2, initV2 } from './v2/genesis.js';

const PATH = 'app_state.ibc';
/** Default expected time per block, in nanoseconds. */
const DEFAULT_BLOCK_TIME = 30_000_000_000n;
const TYPES = createRegistry(file_ibc_lightclients_tendermint_v1_tendermint);

/** Stores parameters, sequences, clients, connections and channels; throws `GenesisError` for invalid values. */
export function initGenesis(context: Context, section: unknown): void {
  const { store } = context;
  const state = readSection(PATH, GenesisStateSchema, base64Hashes(section ?? {}), TYPES);
  requireConsistentGenesis(state);
  if (state.clientGenesis?.createLocalhost === true)
    throw new GenesisError(`${PATH}.client_genesis.create_localhost`, 'a localhost client is not allowed');
  const { clientGenesis, connectionGenesis, channelGenesis } = state;
  const clients = clientGenesis?.params ?? create(ClientParamsSchema, { allowedClients: ['*'] });
  const connections =
    connectionGenesis?.params ?? create(ConnectionParamsSchema, { maxExpectedTimePerBlock: DEFAULT_BLOCK_TIME });
  writeMessage(context, CLIENT_PARAMS, ClientParamsSchema, clients);
  writeMessage(context, CONNECTION_PARAMS, ConnectionParamsSchema, connections);
  store.set(STORE, NEXT_CLIENT, be64(clientGenesis?.nextClientSequence ?? 0n));
  store.set(STORE, NEXT_CONNECTION, be64(connectionGenesis?.nextConnectionSequence ?? 0n));
  store.set(STORE, NEXT_CHANNEL, be64(channelGenesis?.nextChannelSequence ?? 0n));
  writeMessage(context, connectionKey(LOCALHOST_CONNECTION), ConnectionEndSchema, localhost());
  initClients(context, clientGenesis);
  for (const { id, clientId, versions, state: stage, counterparty, delayPeriod } of connectionGenesis?.connections ??
    [])
    if (id !== LOCALHOST_CONNECTION)
      writeMessage(
        context,
        connectionKey(id),
        ConnectionEndSchema,
        create(ConnectionEndSchema, {
          clientId,
          versions,
          state: stage,
          delayPeriod,
          ...(counterparty && { counterparty }),
        }),
      );
  for (const { clientId, paths } of connectionGenesis?.clientConnectionPaths ?? [])
    writeMessage(context, clientConnectionsKey(clientId), ClientPathsSchema, create(ClientPathsSchema, { paths }));
  initChannels(context, channelGenesis);
  initV2(context, state);
}

function initClients({ store }: Context, section: GenesisState['clientGenesis']): void {
  const put = (key: Uint8Array, any: Any): void => store.set(STORE, key, toBinary(AnySchema, any));
  for (const { clientId, clientState } of section?.clients ?? [])
    put(
      clientStateKey(clientId),
      packAny(
        ClientStateSchema,
        checked(clientId, () => clientStateOf(clientState)),
      ),
    );
  for (const { clientId, consensusStates } of section?.clientsConsensus ?? [])
    for (const { height = create(HeightSchema), consensusState } of consensusStates)
      put(
        consensusStateKey(clientId, height),
        packAny(
          ConsensusStateSchema,
          checked(clientId, () => consensusStateOf(consensusState)),
        ),
      );
  for (const { clientId, clientMetadata } of section?.clientsMetadata ?? [])
    for (const { key, value } of clientMetadata) store.set(STORE, concat(clientKey(clientId, ''), key), value);
}

/** Reads a client's state; GenesisError when it is invalid. */
function checked<State>(clientId: string, read: () => State): State {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    throw new GenesisError(`${PATH}.client_genesis`, `${clientId}: ${error.message}`);
  }
}

function initChannels(context: Context, section: GenesisState['channelGenesis']): void {
  for (const { state, ordering, counterparty, connectionHops, version, ...names } of section?.channels ?? [])
    writeMessage(
      context,
      channelKey(names),
      ChannelSchema,
      create(ChannelSchema, { state, ordering, connectionHops, version, ...(counterparty && { counterparty }) }),
    );
  initPackets(context, section);
  for (const [list, keyOf] of [
    [section?.sendSequences, nextSequenceSendKey],
    [section?.recvSequences, nextSequenceRecvKey],
    [section?.ackSequences, nextSequenceAckKey],
  ] as const)
    for (const { sequence, ...names } of list ?? []) context.store.set(STORE, keyOf(names), be64(sequence));
}

/** The connection `connection-localhost` (ibc-go v10 `CreateSentinelLocalhostConnection`). */
function localhost() {
  return create(ConnectionEndSchema, {
    clientId: LOCALHOST_CLIENT,
    versions: [VERSION],
    state: State.OPEN,
    counterparty: {
      clientId: LOCALHOST_CLIENT,
      connectionId: LOCALHOST_CONNECTION,
      prefix: { keyPrefix: utf8('ibc') },
    },
  });
}

/** Exports the section. */
export function exportGenesis(context: Context): unknown {
  const { store } = context;
  const sequence = (key: Uint8Array): bigint => readBe64(store.get(STORE, key) ?? be64(0n));
  const channels = [...store.range(STORE, prefixRange(CHANNELS))].map(({ key, value }) =>
    identifiedChannel(key, fromBinary(ChannelSchema, value)),
  );
  const sequences = (keyOf: typeof nextSequenceSendKey) =>
    channels.map(({ portId, channelId }) => ({ portId, channelId, sequence: sequence(keyOf({ portId, channelId })) }));
  const { clients, clientsConsensus, clientsMetadata, clientConnectionPaths } = exportClients(context);
  const state = {
    clientGenesis: {
      clients,
      clientsConsensus,
      clientsMetadata,
      params: readMessage(context, CLIENT_PARAMS, ClientParamsSchema),
      nextClientSequence: sequence(NEXT_CLIENT),
    },
    connectionGenesis: {
      connections: [...store.range(STORE, prefixRange(CONNECTIONS))].map(({ key, value }) =>
        identified(text(key.subarray(CONNECTIONS.length)), fromBinary(ConnectionEndSchema, value)),
      ),
      clientConnectionPaths,
      params: readMessage(context, CONNECTION_PARAMS, ConnectionParamsSchema),
      nextConnectionSequence: sequence(NEXT_CONNECTION),
    },
    channelGenesis: {
      channels,
      ...exportPackets(context, channels),
      sendSequences: sequences(nextSequenceSendKey),
      recvSequences: sequences(nextSequenceRecvKey),
      ackSequences: sequences(nextSequenceAckKey),
      nextChannelSequence: sequence(NEXT_CHANNEL),
    },
    ...exportV2(
      context,
      clients.map(({ clientId }) => clientId),
    ),
  };
  return hexHashes(writeSection(GenesisStateSchema, state, TYPES));
}

/** Exports the clients; metadata are all their keys other than states. */
function exportClients({ store }: Context) {
  const clients: { clientId: string; clientState: Any }[] = [];
  const consensus = new Map<string, { height: RevisionHeight; consensusState: Any }[]>();
  const metadata = new Map<string, { key: Uint8Array; value: Uint8Array }[]>();
  const clientConnectionPaths: { clientId: string; paths: string[] }[] = [];
  for (const { key, value } of store.range(STORE, prefixRange(CLIENTS))) {
    const [, clientId = '', name = '', height = '', ...more] = text(key).split('/');
    const isState = more.length === 0;
    if (name === 'clientState') clients.push({ clientId, clientState: fromBinary(AnySchema, value) });
    else if (name === 'consensusStates' && isState) {
      const [revisionNumber = '0', revisionHeight = '0'] = height.split('-');
      push(consensus, clientId, {
        height: { revisionNumber: BigInt(revisionNumber), revisionHeight: BigInt(revisionHeight) },
        consensusState: fromBinary(AnySchema, value),
      });
    } else push(metadata, clientId, { key: key.subarray(clientKey(clientId, '').length), value });
    if (name === 'connections')
      clientConnectionPaths.push({ clientId, paths: fromBinary(ClientPathsSchema, value).paths });
  }
  return {
    clients,
    clientsConsensus: Array.from(consensus, ([clientId, consensusStates]) => ({ clientId, consensusStates })),
    clientsMetadata: Array.from(metadata, ([clientId, clientMetadata]) => ({ clientId, clientMetadata })),
    clientConnectionPaths,
  };
}

function push<Value>(lists: Map<string, Value[]>, name: string, value: Value): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}
