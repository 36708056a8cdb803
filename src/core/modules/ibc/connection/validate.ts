/** Rules of messages of connections by themselves (ibc-go v10 `modules/core/03-connection/types/msgs.go`). */
import type { Counterparty, Version } from '../../../proto/ibc/core/connection/v1/connection_pb.js';
import type {
  MsgConnectionOpenAck,
  MsgConnectionOpenConfirm,
  MsgConnectionOpenInit,
  MsgConnectionOpenTry,
  MsgUpdateParams,
} from '../../../proto/ibc/core/connection/v1/tx_pb.js';
import { isBlank } from '../../../sdk/go/go-text.js';
import type { ValidationRules } from '../../../sdk/module/context.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { plainError, SdkError } from '../../../sdk/module/sdk-error.js';
import { clientErrors, commitmentErrors, connectionErrors, ibcErrors } from '../errors.js';
import { isConnectionFormat, validateIdentifier } from '../identifiers.js';
import { validateSigner } from '../signers.js';
import { LOCALHOST_CLIENT } from '../store.js';

const MAX_FEATURES = 100;
const MAX_VERSIONS = 100;

function requireOtherClient(clientId: string): void {
  if (clientId === LOCALHOST_CLIENT)
    throw new SdkError(clientErrors.invalidType, 'localhost connection handshakes are disallowed');
  validateIdentifier('client', clientId, 'invalid client ID');
}

function requireCounterparty(counterparty: Counterparty | undefined): void {
  validateIdentifier('client', counterparty?.clientId ?? '', 'invalid counterparty client ID');
  if ((counterparty?.prefix?.keyPrefix.length ?? 0) === 0)
    throw new SdkError(connectionErrors.invalidCounterparty, 'counterparty prefix cannot be empty');
}

function requireVersion(version: Version | undefined): void {
  const refuse = (reason: string): SdkError => new SdkError(connectionErrors.invalidVersion, reason);
  if (version === undefined) throw refuse('version cannot be nil');
  const { identifier, features } = version;
  if (isBlank(identifier)) throw refuse('version identifier cannot be blank');
  if (features.length > MAX_FEATURES) throw refuse(`features length must not exceed ${MAX_FEATURES} items`);
  const blank = features.findIndex((feature) => isBlank(feature));
  if (blank !== -1) throw refuse(`feature cannot be blank, index ${blank}`);
}

function requireProof(proof: Uint8Array, what: string): void {
  if (proof.length === 0) throw new SdkError(commitmentErrors.invalidProof, `cannot submit an empty proof ${what}`);
}

/** Checks a `MsgConnectionOpenInit`; throws SdkError. */
export function openInit(message: MsgConnectionOpenInit, rules: ValidationRules): void {
  const { clientId, counterparty, version, signer } = message;
  requireOtherClient(clientId);
  if ((counterparty?.connectionId ?? '') !== '')
    throw new SdkError(connectionErrors.invalidCounterparty, 'counterparty connection identifier must be empty');
  if (version !== undefined) wrapping('basic validation of the provided version failed', () => requireVersion(version));
  validateSigner(signer, rules.chain.bech32Prefix);
  requireCounterparty(counterparty);
}

/** Checks a `MsgConnectionOpenTry`; throws SdkError. */
export function openTry(message: MsgConnectionOpenTry, rules: ValidationRules): void {
  const { clientId, counterparty, counterpartyVersions: versions, proofInit, signer } = message;
  requireOtherClient(clientId);
  validateIdentifier('connection', counterparty?.connectionId ?? '', 'invalid counterparty connection ID');
  if (versions.length === 0) throw new SdkError(ibcErrors.invalidVersion, 'empty counterparty versions');
  if (versions.length > MAX_VERSIONS)
    throw new SdkError(ibcErrors.invalidVersion, `counterparty versions must not exceed ${MAX_VERSIONS} items`);
  for (const [index, version] of versions.entries())
    wrapping(`basic validation failed on version with index ${index}`, () => requireVersion(version));
  requireProof(proofInit, 'init');
  validateSigner(signer, rules.chain.bech32Prefix);
  requireCounterparty(counterparty);
}

/** Checks a `MsgConnectionOpenAck`; throws SdkError. */
export function openAck(message: MsgConnectionOpenAck, rules: ValidationRules): void {
  const { connectionId, counterpartyConnectionId, version, proofTry, signer } = message;
  if (!isConnectionFormat(connectionId)) throw new SdkError(connectionErrors.invalidIdentifier);
  validateIdentifier('connection', counterpartyConnectionId, 'invalid counterparty connection ID');
  requireVersion(version);
  requireProof(proofTry, 'try');
  validateSigner(signer, rules.chain.bech32Prefix);
}

/** Checks a `MsgConnectionOpenConfirm`; throws SdkError. */
export function openConfirm(
  { connectionId, proofAck, signer }: MsgConnectionOpenConfirm,
  rules: ValidationRules,
): void {
  if (!isConnectionFormat(connectionId)) throw new SdkError(connectionErrors.invalidIdentifier);
  requireProof(proofAck, 'ack');
  validateSigner(signer, rules.chain.bech32Prefix);
}

/** Checks that the expected time for each block (nanoseconds) is not 0. */
export function params({ params: values, signer }: MsgUpdateParams, rules: ValidationRules): void {
  validateSigner(signer, rules.chain.bech32Prefix);
  if ((values?.maxExpectedTimePerBlock ?? 0n) === 0n) throw plainError('MaxExpectedTimePerBlock cannot be zero');
}
