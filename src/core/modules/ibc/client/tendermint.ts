/** States of CometBFT light clients, and their validation (ibc-go v10 `modules/light-clients/07-tendermint`). */
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { utf8 } from '../../../bytes/bytes.js';
import { fromDuration, fromTimestamp } from '../../../comet/time.js';
import {
  type ClientState,
  ClientStateSchema,
  type ConsensusState,
  ConsensusStateSchema,
} from '../../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { decodeMessage, typeNameOf } from '../../../sdk/codec/any.js';
import { complete } from '../../../sdk/codec/complete-message.js';
import { goDuration } from '../../../sdk/go/go-duration.js';
import { isBlank } from '../../../sdk/go/go-text.js';
import { plainError, type RegisteredError, SdkError } from '../../../sdk/module/sdk-error.js';
import { clientErrors, ibcErrors, tendermintErrors as errors } from '../errors.js';
import { revisionOf } from '../self-height.js';

export const TENDERMINT = '07-tendermint';

const MAX_CHAIN_ID = 50;
const HASH_BYTES = 32;

/** Decodes and validates a client state; throws for other client types. */
export function clientStateOf(any: Any | undefined): ClientState {
  const state = unpack(any, ClientStateSchema, 'ClientState');
  validateClientState(state);
  return state;
}

/** Decodes a client state without validation; throws for other client types. */
export function anyClientState(any: Any | undefined): ClientState {
  return unpack(any, ClientStateSchema, 'ClientState');
}

/** Decodes a consensus state without validation. */
export function anyConsensusState(any: Any | undefined): ConsensusState {
  return unpack(any, ConsensusStateSchema, 'ConsensusState');
}

/** Decodes and validates a consensus state. */
export function consensusStateOf(any: Any | undefined): ConsensusState {
  const state = unpack(any, ConsensusStateSchema, 'ConsensusState');
  validateConsensusState(state);
  return state;
}

function unpack<Desc extends DescMessage>(any: Any | undefined, schema: Desc, name: string): MessageShape<Desc> {
  if (any === undefined) throw new SdkError(ibcErrors.unpackAny, 'protobuf Any message cannot be nil');
  if (typeNameOf(any) !== schema.typeName)
    throw new SdkError(ibcErrors.unpackAny, `cannot unpack Any into ${name} *types.Any`);
  return complete(schema, decodeMessage(schema, any.value));
}

/** Validates a client state (`client_state.go`). */
export function validateClientState(state: ClientState): void {
  const { chainId, latestHeight, trustLevel, proofSpecs, upgradePath } = state;
  const refuse = (error: RegisteredError, reason: string): SdkError => new SdkError(error, reason);
  if (isBlank(chainId)) throw refuse(errors.invalidChainId, 'chain id cannot be empty string');
  const { length } = utf8(chainId);
  if (length > MAX_CHAIN_ID)
    throw refuse(errors.invalidChainId, `chainID is too long; got: ${length}, max: ${MAX_CHAIN_ID}`);
  const { numerator = 0n, denominator = 0n } = trustLevel ?? {};
  if (BigInt.asUintN(64, numerator * 3n) < denominator || numerator > denominator || denominator === 0n)
    throw refuse(errors.invalidTrustLevel, `trustLevel must be within [1/3, 1], given ${numerator}/${denominator}`);
  const [trusting, unbonding] = [fromDuration(state.trustingPeriod), fromDuration(state.unbondingPeriod)];
  if (trusting <= 0n) throw refuse(errors.invalidTrustingPeriod, 'trusting period must be greater than zero');
  if (unbonding <= 0n) throw refuse(errors.invalidUnbondingPeriod, 'unbonding period must be greater than zero');
  if (fromDuration(state.maxClockDrift) <= 0n)
    throw refuse(errors.invalidMaxClockDrift, 'max clock drift must be greater than zero');
  const { revisionNumber = 0n, revisionHeight = 0n } = latestHeight ?? {};
  const revision = revisionOf(chainId);
  if (revisionNumber !== revision)
    throw refuse(
      errors.invalidHeaderHeight,
      `latest height revision number must match chain id revision number (${revisionNumber} != ${revision})`,
    );
  if (revisionHeight === 0n)
    throw refuse(errors.invalidHeaderHeight, "tendermint client's latest height revision height cannot be zero");
  if (trusting >= unbonding)
    throw refuse(
      errors.invalidTrustingPeriod,
      `trusting period (${goDuration(trusting)}) should be < unbonding period (${goDuration(unbonding)})`,
    );
  if (proofSpecs.length === 0) throw refuse(errors.invalidProofSpecs, 'proof specs cannot be nil for tm client');
  const blank = upgradePath.findIndex((key) => isBlank(key));
  if (blank !== -1) throw refuse(clientErrors.invalidClient, `key in upgrade path at index ${blank} cannot be empty`);
}

/** Validates a consensus state (`consensus_state.go`). */
function validateConsensusState({ root, nextValidatorsHash, timestamp }: ConsensusState): void {
  if ((root?.hash.length ?? 0) === 0) throw new SdkError(clientErrors.invalidConsensus, 'root cannot be empty');
  const { length } = nextValidatorsHash;
  if (length > 0 && length !== HASH_BYTES)
    throw plainError(`next validators hash is invalid: expected size to be ${HASH_BYTES} bytes, got ${length} bytes`);
  if ((timestamp?.seconds ?? 0n) <= 0n)
    throw new SdkError(clientErrors.invalidConsensus, 'timestamp must be a positive Unix time');
}

/**
 * Status of a client from its state and its latest consensus state, which is not read for a frozen client; `now` in
 * nanoseconds (`client_state.go`).
 */
export function statusOf(
  { frozenHeight, trustingPeriod }: ClientState,
  readLatest: () => ConsensusState | undefined,
  now: bigint,
): 'Active' | 'Frozen' | 'Expired' {
  if ((frozenHeight?.revisionNumber ?? 0n) !== 0n || (frozenHeight?.revisionHeight ?? 0n) !== 0n) return 'Frozen';
  const latest = readLatest();
  if (latest === undefined) return 'Expired';
  return fromTimestamp(latest.timestamp) + fromDuration(trustingPeriod) > now ? 'Active' : 'Expired';
}
