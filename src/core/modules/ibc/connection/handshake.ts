/** Later steps of connection handshakes (ibc-go v10 `modules/core/03-connection/keeper/handshake.go`). */
import { create, toBinary } from '@bufbuild/protobuf';
import { utf8 } from '../../../bytes/bytes.js';
import * as pb from '../../../proto/ibc/core/connection/v1/connection_pb.js';
import type {
  MsgConnectionOpenAck,
  MsgConnectionOpenConfirm,
  MsgConnectionOpenTry,
} from '../../../proto/ibc/core/connection/v1/tx_pb.js';
import { complete } from '../../../sdk/codec/complete-message.js';
import { emit } from '../../../sdk/module/abci-event.js';
import type { Context } from '../../../sdk/module/context.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { addToClient, getConnection, isSupportedBy, nextConnectionId, VERSION, versionText } from './connections.js';
import { verifyConnectionState } from './counterparty.js';
import { connectionErrors } from '../errors.js';
import { connectionKey } from '../keys.js';
import { connectionStateName } from '../names.js';
import { heightOf } from '../self-height.js';
import { STORE } from '../store.js';

/** Key prefix of this chain in proofs: its store name. */
const PREFIX = { keyPrefix: utf8(STORE) };

/** ConnOpenTry: accepts a connection that the other chain started. */
export function tryConnection(context: Context, message: MsgConnectionOpenTry): void {
  const { clientId, counterparty, delayPeriod, counterpartyVersions, proofInit, proofHeight } = message;
  const id = nextConnectionId(context);
  const expected = create(pb.ConnectionEndSchema, {
    state: pb.State.INIT,
    clientId: counterparty?.clientId ?? '',
    counterparty: { clientId, prefix: PREFIX },
    versions: counterpartyVersions,
    delayPeriod,
  });
  const end = create(pb.ConnectionEndSchema, {
    state: pb.State.TRYOPEN,
    clientId,
    versions: [pickVersion(counterpartyVersions)],
    delayPeriod,
    ...(counterparty && { counterparty }),
  });
  const proof = { proof: proofInit, height: heightOf(proofHeight) };
  verifyConnectionState(context, end, proof, counterparty?.connectionId ?? '', expected);
  wrapping(`failed to add connection with ID ${id} to client with ID ${clientId}`, () =>
    addToClient(context, clientId, id),
  );
  put(context, id, end);
  emitOpen(context, 'connection_open_try', id, end);
}

/** Features that both chains support in the only version. */
function pickVersion(versions: readonly pb.Version[]): { identifier: string; features: string[] } {
  const other = versions.find(({ identifier }) => identifier === VERSION.identifier);
  const features = VERSION.features.filter((feature) => other?.features.includes(feature));
  if (features.length > 0) return { identifier: VERSION.identifier, features };
  const texts = versions.map(versionText).join(' ');
  throw new SdkError(
    connectionErrors.negotiationFailed,
    `failed to find a matching counterparty version ([${texts}]) from the supported version list ([${versionText(VERSION)}])`,
  );
}

/** ConnOpenAck: opens a connection that this chain started and the other one accepted. */
export function acknowledgeConnection(context: Context, message: MsgConnectionOpenAck): void {
  const { connectionId, counterpartyConnectionId, version, proofTry, proofHeight } = message;
  const end = requireIn(context, connectionId, pb.State.INIT);
  if (version === undefined || !isSupportedBy(end.versions, version))
    throw new SdkError(
      connectionErrors.invalidState,
      `the counterparty selected version ${version === undefined ? '<nil>' : versionText(version)} is not supported by versions selected on INIT`,
    );
  const expected = create(pb.ConnectionEndSchema, {
    state: pb.State.TRYOPEN,
    clientId: end.counterparty?.clientId ?? '',
    counterparty: { clientId: end.clientId, connectionId, prefix: PREFIX },
    versions: [version],
    delayPeriod: end.delayPeriod,
  });
  verifyConnectionState(
    context,
    end,
    { proof: proofTry, height: heightOf(proofHeight) },
    counterpartyConnectionId,
    expected,
  );
  const open = create(pb.ConnectionEndSchema, {
    ...end,
    state: pb.State.OPEN,
    versions: [version],
    counterparty: create(pb.CounterpartySchema, {
      clientId: end.counterparty?.clientId ?? '',
      connectionId: counterpartyConnectionId,
      ...(end.counterparty?.prefix && { prefix: end.counterparty.prefix }),
    }),
  });
  put(context, connectionId, open);
  emitOpen(context, 'connection_open_ack', connectionId, open);
}

/** ConnOpenConfirm: opens a connection that the other chain started and opened. */
export function confirmConnection(context: Context, message: MsgConnectionOpenConfirm): void {
  const { connectionId, proofAck, proofHeight } = message;
  const end = requireIn(context, connectionId, pb.State.TRYOPEN);
  const expected = create(pb.ConnectionEndSchema, {
    state: pb.State.OPEN,
    clientId: end.counterparty?.clientId ?? '',
    counterparty: { clientId: end.clientId, connectionId, prefix: PREFIX },
    versions: end.versions,
    delayPeriod: end.delayPeriod,
  });
  const proof = { proof: proofAck, height: heightOf(proofHeight) };
  verifyConnectionState(context, end, proof, end.counterparty?.connectionId ?? '', expected);
  const open = create(pb.ConnectionEndSchema, { ...end, state: pb.State.OPEN });
  put(context, connectionId, open);
  emitOpen(context, 'connection_open_confirm', connectionId, open);
}

/** Reads a connection; throws when it is missing or in another state. */
function requireIn(context: Context, id: string, state: pb.State.INIT | pb.State.TRYOPEN): pb.ConnectionEnd {
  const end = getConnection(context, id);
  if (end === undefined) throw new SdkError(connectionErrors.notFound, id);
  if (end.state !== state)
    throw new SdkError(
      connectionErrors.invalidState,
      `connection state is not ${pb.State[state]} (got ${connectionStateName(end.state)})`,
    );
  return end;
}

function put({ store }: Context, id: string, end: pb.ConnectionEnd): void {
  store.set(STORE, connectionKey(id), toBinary(pb.ConnectionEndSchema, complete(pb.ConnectionEndSchema, end)));
}

function emitOpen(context: Context, type: string, id: string, { clientId, counterparty }: pb.ConnectionEnd): void {
  emit(context, type, () => [
    ['connection_id', id],
    ['client_id', clientId],
    ['counterparty_client_id', counterparty?.clientId ?? ''],
    ['counterparty_connection_id', counterparty?.connectionId ?? ''],
  ]);
  emit(context, 'message', () => [['module', 'ibc_connection']]);
}
