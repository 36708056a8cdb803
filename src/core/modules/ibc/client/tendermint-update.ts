/**
 * Updates and misbehaviour of CometBFT light clients (ibc-go v10 `modules/light-clients/07-tendermint/update.go` and
 * `misbehaviour_handle.go`).
 */
import { create } from '@bufbuild/protobuf';
import { equal } from '../../../bytes/bytes.js';
import { upperHex } from '../../../bytes/hex.js';
import { fromDuration, fromTimestamp } from '../../../comet/time.js';
import { validatorSetHash } from '../../../comet/validator-set.js';
import { HeightSchema } from '../../../proto/ibc/core/client/v1/client_pb.js';
import type {
  ClientState,
  ConsensusState,
  Header,
  Misbehaviour,
} from '../../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { type ValidatorSet, ValidatorSetSchema } from '../../../proto/tendermint/types/validator_pb.js';
import { compactText } from '../../../sdk/go/compact-text.js';
import type { Context } from '../../../sdk/module/context.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { RecoveredPanic, SdkError } from '../../../sdk/module/sdk-error.js';
import { clientErrors, tendermintErrors as errors } from '../errors.js';
import { heightText } from '../keys.js';
import { LightProblem } from './light/problem.js';
import { checkCommit, checkParts } from './light/signed-header.js';
import { checkValidators } from './light/validators.js';
import { verifyCommitTrusting } from './light/verify-commit.js';
import { verifyHeader as verifyNext } from './light/verify-header.js';
import { compareHeights, heightOf, type RevisionHeight } from '../self-height.js';
import { type ClientMessage, consensusStateOfHeader, headerHeight, inWords } from './tendermint-header.js';
import {
  deleteConsensusState,
  getConsensusState,
  lowestHeight,
  neighbours,
  processedNow,
  setClientState,
  setConsensusState,
} from './tendermint-store.js';

/** `frozen_height` of a frozen client, for any misbehaviour. */
const FROZEN = { revisionNumber: 0n, revisionHeight: 1n };

/** Verifies a client message against the client's trusted state; throws SdkError. */
export function verifyClientMessage(context: Context, id: string, state: ClientState, message: ClientMessage): void {
  if (message.kind === 'header') verifyHeader(context, id, state, message.header);
  else verifyMisbehaviour(context, id, state, message.misbehaviour);
}

function verifyHeader(context: Context, id: string, state: ClientState, header: Header): void {
  const { crypto } = context;
  const trustedHeight = heightOf(header.trustedHeight);
  const known = getConsensusState(context, id, trustedHeight);
  if (known === undefined)
    throw new SdkError(
      clientErrors.noConsensusState,
      `could not get trusted consensus state from clientStore for Header at TrustedHeight: ${heightText(trustedHeight)}`,
    );
  const trusted = requireTrusted(context, header, known);
  const height = headerHeight(header);
  if (height.revisionNumber !== trustedHeight.revisionNumber)
    throw new SdkError(
      errors.invalidHeaderHeight,
      `header height revision ${height.revisionNumber} does not match trusted header revision ${trustedHeight.revisionNumber}`,
    );
  const signedHeader = inWords('signed header in not tendermint signed header type', () => {
    if (header.signedHeader === undefined) throw new LightProblem('nil SignedHeader');
    checkParts(header.signedHeader);
    return header.signedHeader;
  });
  const validators = inWords('validator set in not tendermint validator set type', () =>
    checkValidators(crypto, header.validatorSet),
  );
  if (compareHeights(height, trustedHeight) <= 0)
    throw new SdkError(
      clientErrors.invalidHeader,
      `header height ≤ consensus state height (${heightText(height)} ≤ ${heightText(trustedHeight)})`,
    );
  inWords('failed to verify header', () =>
    verifyNext(
      crypto,
      {
        chainId: state.chainId,
        height: BigInt.asIntN(64, trustedHeight.revisionHeight),
        time: fromTimestamp(known.timestamp),
        nextValidatorsHash: known.nextValidatorsHash,
        validators: trusted,
      },
      { signedHeader, validators },
      context.time,
      {
        period: fromDuration(state.trustingPeriod),
        clockDrift: fromDuration(state.maxClockDrift),
        level: levelOf(state),
      },
    ),
  );
}

const levelOf = ({ trustLevel }: ClientState) => ({
  numerator: trustLevel?.numerator ?? 0n,
  denominator: trustLevel?.denominator ?? 0n,
});

/** Trusted validators of a header; throws when they differ from the consensus state's. */
function requireTrusted(
  { crypto }: Context,
  { trustedValidators }: Header,
  { nextValidatorsHash }: ConsensusState,
): ValidatorSet {
  const set = inWords('trusted validator set in not tendermint validator set type', () =>
    checkValidators(crypto, trustedValidators),
  );
  const hash = validatorSetHash(crypto, set);
  if (!equal(nextValidatorsHash, hash))
    throw new SdkError(
      errors.invalidValidators,
      `trusted validators ${compactText(ValidatorSetSchema, set)}, does not hash to latest trusted validators. Expected: ${upperHex(nextValidatorsHash)}, got: ${upperHex(hash)}`,
    );
  return set;
}

function verifyMisbehaviour(
  context: Context,
  id: string,
  state: ClientState,
  { header1, header2 }: Misbehaviour,
): void {
  const headers = [header1, header2].flatMap((header) => header ?? []);
  const known = headers.map(({ trustedHeight }, at) => {
    const height = heightOf(trustedHeight);
    const found = getConsensusState(context, id, height);
    if (found === undefined)
      throw new SdkError(
        clientErrors.noConsensusState,
        `could not get trusted consensus state from clientStore for Header${at + 1} at TrustedHeight: ${heightText(height)}`,
      );
    return found;
  });
  for (const [at, header] of headers.entries()) {
    const trusted = known[at];
    if (trusted === undefined) continue;
    wrapping(`verifying Header${at + 1} in Misbehaviour failed`, () =>
      checkMisbehaviourHeader(context, state, trusted, header),
    );
  }
}

/** Requires that the client would have accepted the header. */
function checkMisbehaviourHeader(context: Context, state: ClientState, known: ConsensusState, header: Header): void {
  const { crypto } = context;
  inWords('trusted validator set is not tendermint validator set type', () =>
    checkValidators(crypto, header.trustedValidators),
  );
  const commit = inWords('commit is not tendermint commit type', () => {
    if (header.signedHeader?.commit === undefined) throw new LightProblem('nil Commit');
    checkCommit(header.signedHeader.commit);
    return header.signedHeader.commit;
  });
  const trusted = requireTrusted(context, header, known);
  const [age, period] = [context.time - fromTimestamp(known.timestamp), fromDuration(state.trustingPeriod)];
  if (age >= period)
    throw new SdkError(
      errors.trustingPeriodExpired,
      `current timestamp minus the latest consensus state timestamp is greater than or equal to the trusting period (${age} >= ${period})`,
    );
  const chainId = inRevision(state.chainId, headerHeight(header));
  try {
    verifyCommitTrusting(crypto, chainId, trusted, commit, levelOf(state));
  } catch (error) {
    if (!(error instanceof LightProblem)) throw error;
    if (error.panics) throw new RecoveredPanic(error.message);
    throw new SdkError(
      clientErrors.invalidMisbehaviour,
      `validator set in header has too much change from trusted validator set: ${error.message}`,
    );
  }
}

/** Chain id with another revision; ids without a revision are unchanged (ibc-go v10 `SetRevisionNumber`). */
function inRevision(chainId: string, { revisionNumber }: RevisionHeight): string {
  return chainId.replace(/^(.*[^\n-]-)[1-9][0-9]*$/, (_, name: string) => `${name}${revisionNumber}`);
}

/** True when a verified message proves misbehaviour: two blocks at one height, or decreasing time. */
export function isMisbehaviour(context: Context, id: string, message: ClientMessage): boolean {
  return message.kind === 'header' ? isConflicting(context, id, message.header) : areConflicting(message.misbehaviour);
}

function isConflicting(context: Context, id: string, header: Header): boolean {
  const height = headerHeight(header);
  const state = consensusStateOfHeader(header);
  const existing = getConsensusState(context, id, height);
  if (existing !== undefined) return !sameConsensus(existing, state);
  const time = fromTimestamp(state.timestamp);
  const { below, above } = neighbours(context, id, height);
  return (
    (below !== undefined && fromTimestamp(below.timestamp) >= time) ||
    (above !== undefined && fromTimestamp(above.timestamp) <= time)
  );
}

function sameConsensus(one: ConsensusState, other: ConsensusState): boolean {
  const empty = new Uint8Array();
  return (
    fromTimestamp(one.timestamp) === fromTimestamp(other.timestamp) &&
    equal(one.root?.hash ?? empty, other.root?.hash ?? empty) &&
    equal(one.nextValidatorsHash, other.nextValidatorsHash)
  );
}

function areConflicting({ header1, header2 }: Misbehaviour): boolean {
  if (header1 === undefined || header2 === undefined) return false;
  const [one, other] = [header1.signedHeader, header2.signedHeader];
  if (compareHeights(headerHeight(header1), headerHeight(header2)) === 0)
    return !equal(one?.commit?.blockId?.hash ?? new Uint8Array(), other?.commit?.blockId?.hash ?? new Uint8Array());
  return fromTimestamp(one?.header?.time) <= fromTimestamp(other?.header?.time);
}

/** Freezes a client. */
export function freeze(context: Context, id: string, state: ClientState): void {
  setClientState(context, id, { ...state, frozenHeight: create(HeightSchema, FROZEN) });
}

/**
 * Stores the consensus state of a verified header, updates the latest height, and deletes the lowest consensus state
 * if it has expired. Returns the updated heights.
 */
export function updateState(
  context: Context,
  id: string,
  state: ClientState,
  message: ClientMessage,
): readonly RevisionHeight[] {
  if (message.kind !== 'header') return [];
  if (context.mode !== 'check') pruneLowest(context, id, state);
  const height = headerHeight(message.header);
  if (getConsensusState(context, id, height) !== undefined) return [height];
  const latest = heightOf(state.latestHeight);
  setClientState(context, id, {
    ...state,
    latestHeight: create(HeightSchema, compareHeights(height, latest) > 0 ? height : latest),
  });
  setConsensusState(context, id, height, consensusStateOfHeader(message.header), processedNow(context));
  return [height];
}

function pruneLowest(context: Context, id: string, state: ClientState): void {
  const lowest = lowestHeight(context, id);
  if (lowest === undefined) return;
  const known = getConsensusState(context, id, lowest);
  if (known === undefined)
    throw new RecoveredPanic(
      `failed to retrieve consensus state at height: ${heightText(lowest)}: ${clientErrors.noConsensusState.text}`,
    );
  if (fromTimestamp(known.timestamp) + fromDuration(state.trustingPeriod) <= context.time)
    deleteConsensusState(context, id, lowest);
}
