/**
 * Store of a CometBFT light client: client state, and a consensus state with metadata per header (ibc-go v10
 * `modules/light-clients/07-tendermint/store.go`).
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AnySchema, anyUnpack } from '@bufbuild/protobuf/wkt';
import { be64, readBe64 } from '../../../bytes/big-endian.js';
import { concat, text, utf8 } from '../../../bytes/bytes.js';
import { prefixEnd, prefixRange } from '../../../bytes/key-order.js';
import { HeightSchema } from '../../../proto/ibc/core/client/v1/client_pb.js';
import {
  type ClientState,
  ClientStateSchema,
  type ConsensusState,
  ConsensusStateSchema,
} from '../../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { packAny } from '../../../sdk/codec/any.js';
import type { Context } from '../../../sdk/module/context.js';
import { clientKey, clientStateKey, consensusStateKey, heightText } from '../keys.js';
import { type RevisionHeight, selfHeight } from '../self-height.js';
import { STORE } from '../store.js';

const ITERATION = 'iterateConsensusStates';

/** State of a client; undefined for an unknown client. */
export function getClientState({ store }: Context, id: string): ClientState | undefined {
  const value = store.get(STORE, clientStateKey(id));
  return value === undefined ? undefined : anyUnpack(fromBinary(AnySchema, value), ClientStateSchema);
}

/** Stores the state of a client. */
export function setClientState({ store }: Context, id: string, state: ClientState): void {
  store.set(STORE, clientStateKey(id), toBinary(AnySchema, packAny(ClientStateSchema, state)));
}

/** Consensus state of a client at a height; undefined when there is none. */
export function getConsensusState(context: Context, id: string, height: RevisionHeight): ConsensusState | undefined {
  return consensusStateAt(context, consensusStateKey(id, height));
}

function consensusStateAt({ store }: Context, key: Uint8Array): ConsensusState | undefined {
  const value = store.get(STORE, key);
  return value === undefined ? undefined : anyUnpack(fromBinary(AnySchema, value), ConsensusStateSchema);
}

/** When a client processed a header: time in nanoseconds, and height of this chain as text. */
export interface Processed {
  readonly time: bigint;
  readonly height: string;
}

/** Metadata for a header processed in this block. */
export function processedNow(context: Context): Processed {
  return { time: context.time, height: heightText(selfHeight(context)) };
}

/** Stores a consensus state and its metadata. */
export function setConsensusState(
  { store }: Context,
  id: string,
  height: RevisionHeight,
  state: ConsensusState,
  processed: Processed,
): void {
  const key = consensusStateKey(id, height);
  store.set(STORE, key, toBinary(AnySchema, packAny(ConsensusStateSchema, state)));
  store.set(STORE, concat(key, utf8('/processedTime')), be64(processed.time));
  store.set(STORE, concat(key, utf8('/processedHeight')), utf8(processed.height));
  store.set(STORE, iterationKey(id, height), utf8(`consensusStates/${heightText(height)}`));
}

/** Time at which a client processed the header of a height, in nanoseconds. */
export function processedTime({ store }: Context, id: string, height: RevisionHeight): bigint | undefined {
  const value = store.get(STORE, concat(consensusStateKey(id, height), utf8('/processedTime')));
  return value === undefined ? undefined : readBe64(value);
}

/** Height of this chain at which a client processed the header of a height. */
export function processedHeight({ store }: Context, id: string, height: RevisionHeight): RevisionHeight | undefined {
  const value = store.get(STORE, concat(consensusStateKey(id, height), utf8('/processedHeight')));
  const parts = value && /^([0-9]+)-([0-9]+)$/.exec(text(value));
  return parts ? { revisionNumber: BigInt(parts[1] ?? ''), revisionHeight: BigInt(parts[2] ?? '') } : undefined;
}

/** Deletes a consensus state and its metadata. */
export function deleteConsensusState({ store }: Context, id: string, height: RevisionHeight): void {
  const key = consensusStateKey(id, height);
  store.delete(STORE, key);
  store.delete(STORE, concat(key, utf8('/processedTime')));
  store.delete(STORE, concat(key, utf8('/processedHeight')));
  store.delete(STORE, iterationKey(id, height));
}

/** Iteration key of a client's height; keys sort by height. */
function iterationKey(id: string, { revisionNumber, revisionHeight }: RevisionHeight): Uint8Array {
  return concat(clientKey(id, ITERATION), be64(revisionNumber), be64(revisionHeight));
}

/** Lowest height of a client; undefined when it has none. */
export function lowestHeight({ store }: Context, id: string): RevisionHeight | undefined {
  const prefix = clientKey(id, ITERATION);
  for (const { key } of store.range(STORE, prefixRange(prefix)))
    return create(HeightSchema, {
      revisionNumber: readBe64(key, prefix.length),
      revisionHeight: readBe64(key, prefix.length + 8),
    });
  return undefined;
}

/** Consensus states of the next lower and next higher heights. */
export function neighbours(
  context: Context,
  id: string,
  height: RevisionHeight,
): { readonly below: ConsensusState | undefined; readonly above: ConsensusState | undefined } {
  const prefix = clientKey(id, ITERATION);
  const at = iterationKey(id, height);
  const end = prefixEnd(prefix);
  const first = (range: Parameters<Context['store']['range']>[1]): ConsensusState | undefined => {
    for (const { value } of context.store.range(STORE, range))
      return consensusStateAt(context, clientKey(id, text(value)));
    return undefined;
  };
  const below = first({ start: prefix, end: at, reverse: true });
  const above = first({ start: at, ...(end && { end }) });
  return { below, above };
}
