/**
 * Connection messages (ibc-go v10 `modules/core/keeper/msg_server.go`, `modules/core/03-connection/types/msgs.go`).
 */
import { create } from '@bufbuild/protobuf';
import { type Counterparty, ParamsSchema, type Version } from '../../../proto/ibc/core/connection/v1/connection_pb.js';
import { Msg } from '../../../proto/ibc/core/connection/v1/tx_pb.js';
import type { MessageHandler } from '../../../sdk/module/context.js';
import { message, messageOf, methodOf } from '../../../sdk/module/module.js';
import { isBlank } from '../../../sdk/go/go-text.js';
import { plainError, SdkError } from '../../../sdk/module/sdk-error.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { acknowledgeConnection, confirmConnection, tryConnection } from './handshake.js';
import { openConnection } from './connections.js';
import { clientErrors, commitmentErrors, connectionErrors, ibcErrors } from '../errors.js';
import { isConnectionFormat, validateIdentifier } from '../identifiers.js';
import { requireIbcAuthority, validateSigner } from '../signers.js';
import { CONNECTION_PARAMS, LOCALHOST_CLIENT, writeMessage } from '../store.js';

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

export const connectionMessages: readonly MessageHandler[] = [
  message(Msg, 'connectionOpenInit', {
    validate({ clientId, counterparty, version, signer }, rules) {
      requireOtherClient(clientId);
      if ((counterparty?.connectionId ?? '') !== '')
        throw new SdkError(connectionErrors.invalidCounterparty, 'counterparty connection identifier must be empty');
      if (version !== undefined)
        wrapping('basic validation of the provided version failed', () => requireVersion(version));
      validateSigner(signer, rules.chain.bech32Prefix);
      requireCounterparty(counterparty);
    },
    handle: (context, request) => openConnection(context, request),
  }),
  message(Msg, 'connectionOpenTry', {
    validate({ clientId, counterparty, counterpartyVersions: versions, proofInit, signer }, rules) {
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
    },
    handle: (context, request) =>
      wrapping('connection handshake open try failed', () => tryConnection(context, request)),
  }),
  message(Msg, 'connectionOpenAck', {
    validate({ connectionId, counterpartyConnectionId, version, proofTry, signer }, rules) {
      if (!isConnectionFormat(connectionId)) throw new SdkError(connectionErrors.invalidIdentifier);
      validateIdentifier('connection', counterpartyConnectionId, 'invalid counterparty connection ID');
      requireVersion(version);
      requireProof(proofTry, 'try');
      validateSigner(signer, rules.chain.bech32Prefix);
    },
    handle: (context, request) =>
      wrapping('connection handshake open ack failed', () => acknowledgeConnection(context, request)),
  }),
  message(Msg, 'connectionOpenConfirm', {
    validate({ connectionId, proofAck, signer }, rules) {
      if (!isConnectionFormat(connectionId)) throw new SdkError(connectionErrors.invalidIdentifier);
      requireProof(proofAck, 'ack');
      validateSigner(signer, rules.chain.bech32Prefix);
    },
    handle: (context, request) =>
      wrapping('connection handshake open confirm failed', () => confirmConnection(context, request)),
  }),
  messageOf(methodOf(Msg, 'updateConnectionParams'), {
    validate({ params, signer }, rules) {
      validateSigner(signer, rules.chain.bech32Prefix);
      if ((params?.maxExpectedTimePerBlock ?? 0n) === 0n) throw plainError('MaxExpectedTimePerBlock cannot be zero');
    },
    handle(context, { signer, params }) {
      requireIbcAuthority(context, signer);
      writeMessage(context, CONNECTION_PARAMS, ParamsSchema, params ?? create(ParamsSchema));
    },
  }),
];
