import { fromTimestamp } from '../../core/comet/time.js';
import { equal } from '../../core/bytes/bytes.js';
import { fromBinary } from '@bufbuild/protobuf';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { Query as Channels } from '../../core/proto/ibc/core/channel/v1/query_pb.js';
import { Query as Clients } from '../../core/proto/ibc/core/client/v1/query_pb.js';
import { Query as Connections } from '../../core/proto/ibc/core/connection/v1/query_pb.js';
import {
  ClientStateSchema,
  ConsensusStateSchema,
} from '../../core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { TRANSFER_PORT } from '../../core/relayer/handshake.js';
import type { PathView } from '../../core/relayer/path.js';
import { validatorsAt } from './blocks.js';
import type { Remote } from './remote.js';
import { validatorSetHash } from '../../core/comet/validator-set.js';
import type { Crypto } from '../../core/ports/crypto.js';

const CLIENT_TYPE = `/${ClientStateSchema.typeName}`;
const pagination = { limit: FIXED_LIMITS.relayedEnds };

/** Path ends on a chain: all of them, and those whose clients have no reverted blocks. */
export interface Views {
  readonly all: PathView;
  readonly current: PathView;
}

/** Reads the path ends to the other chain from a chain, at a height. */
export async function viewOf(
  crypto: Pick<Crypto, 'sha256'>,
  remote: Remote,
  other: Remote,
  height: bigint,
): Promise<Views> {
  const [{ clientStates }, { connections }, { channels }] = await Promise.all([
    remote.query(Clients.method.clientStates, { pagination }, height),
    remote.query(Connections.method.connections, { pagination }, height),
    remote.query(Channels.method.channels, { pagination }, height),
  ]);
  const clients: string[] = [];
  const ahead: string[] = [];
  for (const { clientId, clientState } of clientStates) {
    if (clientState?.typeUrl !== CLIENT_TYPE) continue;
    const { chainId } = fromBinary(ClientStateSchema, clientState.value);
    if (chainId !== other.chain.chainId || !(await isFit(crypto, remote, other, clientId, height))) continue;
    clients.push(clientId);
    if (await isAhead(remote, other, clientId)) ahead.push(clientId);
  }
  const all = { clients, connections, channels: channels.filter(({ portId }) => portId === TRANSFER_PORT) };
  return { all, current: { ...all, clients: clients.filter((id) => !ahead.includes(id)) } };
}

/** Describes a client that is not active, for an error text; undefined for an active one. */
export async function inactiveClient(remote: Remote, clientId: string): Promise<string | undefined> {
  const { status } = await remote.query(Clients.method.clientStatus, { clientId });
  return status === 'Active' ? undefined : `client ${clientId} of ${remote.chain.chainId} is ${status}`;
}

/** Latest height of a client. */
export async function latestOf(remote: Remote, clientId: string): Promise<bigint> {
  const { clientState } = await remote.query(Clients.method.clientState, { clientId });
  const state = fromBinary(ClientStateSchema, clientState?.value ?? new Uint8Array());
  return state.latestHeight?.revisionHeight ?? 0n;
}

/** Time of a client's latest consensus state, in nanoseconds. */
export async function timeOf(remote: Remote, clientId: string): Promise<bigint> {
  return fromTimestamp((await consensusStateOf(remote, clientId)).timestamp);
}

async function consensusStateOf(remote: Remote, clientId: string, height = 0n) {
  const request = { clientId, latestHeight: true };
  const { consensusState } = await remote.query(Clients.method.consensusState, request, height);
  return fromBinary(ConsensusStateSchema, consensusState?.value ?? new Uint8Array());
}

/** True if a client's latest block is later than its chain's head, because of a dev-mode revert. */
async function isAhead(remote: Remote, other: Remote, clientId: string): Promise<boolean> {
  // Query in this order, because the chain may make blocks meanwhile.
  const [height, time] = [await latestOf(remote, clientId), await timeOf(remote, clientId)];
  const head = await other.head();
  return height > head.height || time > head.time;
}

/**
 * True for a client that the other chain's next blocks can update: it is active, and its trusted validators are those
 * of the chain. A chain that was reset has others.
 */
async function isFit(
  crypto: Pick<Crypto, 'sha256'>,
  remote: Remote,
  other: Remote,
  clientId: string,
  height: bigint,
): Promise<boolean> {
  const { status } = await remote.query(Clients.method.clientStatus, { clientId }, height);
  if (status !== 'Active') return false;
  const { nextValidatorsHash } = await consensusStateOf(remote, clientId, height);
  const [{ height: head }, latest] = await Promise.all([other.head(), latestOf(remote, clientId)]);
  const next = await validatorsAt(other, latest < head ? latest + 1n : head);
  return equal(validatorSetHash(crypto, next), nextValidatorsHash);
}
