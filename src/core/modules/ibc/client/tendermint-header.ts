/**
 * Messages to a CometBFT light client, and their stateless validation (ibc-go v10
 * `modules/light-clients/07-tendermint/header.go` and `misbehaviour.go`).
 */
import { create } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { equal } from '../../../bytes/bytes.js';
import { validatorSetHash } from '../../../comet/validator-set.js';
import * as pb from '../../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import type { Commit } from '../../../proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../../../proto/tendermint/types/validator_pb.js';
import { decodeMessage, typeNameOf } from '../../../sdk/codec/any.js';
import { isReturned } from '../../../sdk/module/returned-error.js';
import {
  NIL_POINTER,
  plainError,
  RecoveredPanic,
  type RegisteredError,
  SdkError,
  wrapped,
} from '../../../sdk/module/sdk-error.js';
import { toTimestamp, GO_ZERO_TIME } from '../../../comet/time.js';
import { clientErrors, ibcErrors, tendermintErrors as errors } from '../errors.js';
import { validateIdentifier } from '../identifiers.js';
import { goHeight, heightText } from '../keys.js';
import type { Signatures } from './light/crypto.js';
import { LightProblem } from './light/problem.js';
import { checkBlockId, checkCommit, checkParts, checkSignedHeader } from './light/signed-header.js';
import { checkValidators } from './light/validators.js';
import { verifyCommitLight } from './light/verify-commit.js';
import { compareHeights, heightOf, type RevisionHeight, revisionOf } from '../self-height.js';

/** A new header, or two conflicting ones (misbehaviour). */
export type ClientMessage =
  | { readonly kind: 'header'; readonly header: pb.Header }
  | { readonly kind: 'misbehaviour'; readonly misbehaviour: pb.Misbehaviour };

/** Decodes a client message; throws for other client types. */
export function clientMessageOf(any: Any | undefined): ClientMessage {
  if (any === undefined) throw new SdkError(ibcErrors.unpackAny, 'protobuf Any message cannot be nil');
  switch (typeNameOf(any)) {
    case pb.HeaderSchema.typeName:
      return { kind: 'header', header: decodeMessage(pb.HeaderSchema, any.value) };
    case pb.MisbehaviourSchema.typeName:
      return { kind: 'misbehaviour', misbehaviour: decodeMessage(pb.MisbehaviourSchema, any.value) };
    default:
      throw new SdkError(ibcErrors.unpackAny, 'cannot unpack Any into ClientMessage *types.Any');
  }
}

/** Height of a header; the revision comes from its chain id. */
export function headerHeight({ signedHeader }: pb.Header): RevisionHeight {
  const { chainId = '', height = 0n } = signedHeader?.header ?? {};
  return { revisionNumber: revisionOf(chainId), revisionHeight: BigInt.asUintN(64, height) };
}

/** Consensus state of a header. */
export function consensusStateOfHeader({ signedHeader }: pb.Header): pb.ConsensusState {
  const { time, appHash = new Uint8Array(), nextValidatorsHash = new Uint8Array() } = signedHeader?.header ?? {};
  return create(pb.ConsensusStateSchema, {
    timestamp: time ?? toTimestamp(GO_ZERO_TIME),
    root: { hash: appHash },
    nextValidatorsHash,
  });
}

/** Runs `action`; converts a LightProblem to ibc-go's error with prefix `say`. */
export function inWords<Result>(say: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof LightProblem)) throw error;
    throw error.panics ? new RecoveredPanic(error.message) : plainError(`${say}: ${error.message}`);
  }
}

/** Stateless validation of a client message; throws SdkError. */
export function validateClientMessage(crypto: Signatures, message: ClientMessage): void {
  if (message.kind === 'header') validateHeader(crypto, message.header);
  else validateMisbehaviour(crypto, message.misbehaviour);
}

function validateHeader(crypto: Signatures, header: pb.Header): void {
  const { signedHeader, validatorSet } = header;
  if (signedHeader === undefined)
    throw new SdkError(clientErrors.invalidHeader, 'tendermint signed header cannot be nil');
  if (signedHeader.header === undefined)
    throw new SdkError(clientErrors.invalidHeader, 'tendermint header cannot be nil');
  inWords('header is not a tendermint header', () => checkParts(signedHeader));
  inWords('header failed basic validation', () => checkSignedHeader(crypto, signedHeader));
  const [trusted, height] = [heightOf(header.trustedHeight), headerHeight(header)];
  if (compareHeights(trusted, height) >= 0)
    throw new SdkError(
      errors.invalidHeaderHeight,
      `TrustedHeight ${goHeight(trusted)} must be less than header height ${goHeight(height)}`,
    );
  if (validatorSet === undefined) throw new SdkError(clientErrors.invalidHeader, 'validator set is nil');
  const set = inWords('validator set is not tendermint validator set', () => checkValidators(crypto, validatorSet));
  if (!equal(signedHeader.header.validatorsHash, validatorSetHash(crypto, set)))
    throw new SdkError(clientErrors.invalidHeader, 'validator set does not match hash');
}

function validateMisbehaviour(crypto: Signatures, { clientId, header1, header2 }: pb.Misbehaviour): void {
  const refuse = (error: RegisteredError, reason: string): SdkError => new SdkError(error, reason);
  if (header1 === undefined) throw refuse(errors.invalidHeader, 'misbehaviour Header1 cannot be nil');
  if (header2 === undefined) throw refuse(errors.invalidHeader, 'misbehaviour Header2 cannot be nil');
  const headers = [header1, header2] as const;
  for (const [at, { trustedHeight }] of headers.entries())
    if (heightOf(trustedHeight).revisionHeight === 0n)
      throw refuse(errors.invalidHeaderHeight, `misbehaviour Header${at + 1} cannot have zero revision height`);
  for (const [at, { trustedValidators }] of headers.entries())
    if (trustedValidators === undefined)
      throw refuse(errors.invalidValidators, `trusted validator set in Header${at + 1} cannot be empty`);
  const [first, second] = [header1.signedHeader?.header, header2.signedHeader?.header];
  // The peer reads both chain ids before it checks for absent headers.
  if (first === undefined || second === undefined) throw new RecoveredPanic(NIL_POINTER);
  if (first.chainId !== second.chainId)
    throw refuse(clientErrors.invalidMisbehaviour, 'headers must have identical chainIDs');
  validateIdentifier('client', clientId, 'misbehaviour client ID is invalid');
  for (const [at, header] of headers.entries())
    try {
      validateHeader(crypto, header);
    } catch (error) {
      if (!isReturned(error)) throw error;
      throw refuse(clientErrors.invalidMisbehaviour, wrapped(error, `header ${at + 1} failed validation`).message);
    }
  const [one, other] = [headerHeight(header1), headerHeight(header2)];
  if (compareHeights(one, other) < 0)
    throw refuse(
      clientErrors.invalidMisbehaviour,
      `Header1 height is less than Header2 height (${heightText(one)} < ${heightText(other)})`,
    );
  for (const [at, { signedHeader }] of headers.entries())
    inWords(`invalid block ID from header ${at + 1} in misbehaviour`, () =>
      checkBlockId(signedHeader?.commit?.blockId),
    );
  for (const { signedHeader, validatorSet } of headers)
    validateCommit(crypto, first.chainId, signedHeader?.commit, validatorSet);
}

/** Requires that a header's validators signed its commit. */
function validateCommit(
  crypto: Signatures,
  chainId: string,
  commit: Commit | undefined,
  validators: ValidatorSet | undefined,
): void {
  if (commit === undefined) throw plainError('commit is not tendermint commit type: nil Commit');
  inWords('commit is not tendermint commit type', () => checkCommit(commit));
  const set = inWords('validator set is not tendermint validator set type', () => checkValidators(crypto, validators));
  try {
    verifyCommitLight(crypto, chainId, set, commit, commit);
  } catch (error) {
    if (!(error instanceof LightProblem)) throw error;
    throw new SdkError(clientErrors.invalidMisbehaviour, 'validator set did not commit to header');
  }
}
