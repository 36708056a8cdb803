/** Client messages (ibc-go v10 `modules/core/keeper/msg_server.go`, `modules/core/02-client/types/msgs.go`). */
import { create, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { equal } from '../../../bytes/bytes.js';
import { ParamsSchema } from '../../../proto/ibc/core/client/v1/client_pb.js';
import * as pb from '../../../proto/ibc/core/client/v1/tx_pb.js';
import { ClientStateSchema } from '../../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { encodeAddress, requireAddress } from '../../../sdk/codec/address.js';
import { packAny } from '../../../sdk/codec/any.js';
import { isBlank } from '../../../sdk/go/go-text.js';
import { emit } from '../../../sdk/module/abci-event.js';
import type { Context, MessageHandler } from '../../../sdk/module/context.js';
import { message, messageOf, methodOf } from '../../../sdk/module/module.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { plainError, SdkError } from '../../../sdk/module/sdk-error.js';
import { governance } from '../../authority.js';
import { setUpgradedClient } from '../../upgrade/plan-store.js';
import { requirePlan, scheduleUpgrade } from '../../upgrade/schedule.js';
import { PlanSchema } from '../../../proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { createClient, recoverClient, updateClient, upgradeClient } from './updates.js';
import { clientErrors, ibcErrors, invalidIdentifier } from '../errors.js';
import { clientTypeOf, requireClientIdentifier } from '../identifiers.js';
import { clientKey } from '../keys.js';
import { requireIbcAuthority, validateSigner } from '../signers.js';
import { CLIENT_PARAMS, STORE, writeMessage } from '../store.js';
import { requireAllowedRelayer } from '../v2/counterparties.js';
import { anyClientState, anyConsensusState, clientStateOf, consensusStateOf } from './tendermint.js';
import { clientMessageOf, validateClientMessage } from './tendermint-header.js';
import { zeroCustomFields } from './tendermint-upgrade.js';

const MAX_ALLOWED_CLIENTS = 200;

const createMessage = message(pb.Msg, 'createClient', {
  validate({ clientState, consensusState, signer }, rules) {
    validateSigner(signer, rules.chain.bech32Prefix);
    clientStateOf(clientState);
    consensusStateOf(consensusState);
  },
  handle(context, { clientState, consensusState, signer }) {
    const clientId = createClient(context, clientStateOf(clientState), consensusStateOf(consensusState));
    context.store.set(STORE, clientKey(clientId, 'creator'), signerOf(context, signer));
    return { clientId };
  },
});

const signerOf = ({ chain }: Context, signer: string): Uint8Array =>
  requireAddress(chain.bech32Prefix, signer, 'invalid signer address');

const updateMessage = message(pb.Msg, 'updateClient', {
  validate({ clientId, clientMessage, signer }, rules) {
    validateSigner(signer, rules.chain.bech32Prefix);
    validateClientMessage(rules.crypto, clientMessageOf(clientMessage));
    requireClientIdentifier(clientId);
  },
  handle(context, { clientId, clientMessage, signer }) {
    const sent = clientMessageOf(clientMessage);
    requireAllowedRelayer(context, clientId, signer);
    updateClient(context, clientId, sent);
  },
});

const misbehaviourMessage = message(pb.Msg, 'submitMisbehaviour', {
  validate({ clientId, misbehaviour, signer }, rules) {
    validateSigner(signer, rules.chain.bech32Prefix);
    validateClientMessage(rules.crypto, clientMessageOf(misbehaviour));
    requireClientIdentifier(clientId);
  },
  handle: (context, { clientId, misbehaviour }) => updateClient(context, clientId, clientMessageOf(misbehaviour)),
});

const upgradeMessage = message(pb.Msg, 'upgradeClient', {
  validate({ clientId, clientState, consensusState, proofUpgradeClient, proofUpgradeConsensusState, signer }, rules) {
    anyClientState(clientState);
    anyConsensusState(consensusState);
    if (proofUpgradeClient.length === 0)
      throw new SdkError(clientErrors.invalidUpgrade, 'proof of upgrade client cannot be empty');
    if (proofUpgradeConsensusState.length === 0)
      throw new SdkError(clientErrors.invalidUpgrade, 'proof of upgrade consensus state cannot be empty');
    validateSigner(signer, rules.chain.bech32Prefix);
    requireClientIdentifier(clientId);
  },
  handle: (context, { clientId, clientState, consensusState, proofUpgradeClient, proofUpgradeConsensusState }) =>
    upgradeClient(context, clientId, {
      clientState: clientState ?? create(AnySchema),
      consensusState: consensusState ?? create(AnySchema),
      clientProof: proofUpgradeClient,
      consensusProof: proofUpgradeConsensusState,
    }),
});

const recoverMessage = message(pb.Msg, 'recoverClient', {
  validate({ subjectClientId, substituteClientId, signer }, rules) {
    validateSigner(signer, rules.chain.bech32Prefix);
    requireClientIdentifier(subjectClientId);
    requireClientIdentifier(substituteClientId);
    if (subjectClientId === substituteClientId)
      throw new SdkError(clientErrors.invalidSubstitute, 'subject and substitute clients must be different');
  },
  handle(context, { subjectClientId, substituteClientId, signer }) {
    requireIbcAuthority(context, signer);
    wrapping('client recovery failed', () => recoverClient(context, subjectClientId, substituteClientId));
  },
});

const softwareUpgradeMessage = message(pb.Msg, 'iBCSoftwareUpgrade', {
  validate({ signer, upgradedClientState, plan }, rules) {
    validateSigner(signer, rules.chain.bech32Prefix);
    anyClientState(upgradedClientState);
    requirePlan(plan ?? create(PlanSchema));
  },
  handle(context, { signer, plan = create(PlanSchema), upgradedClientState }) {
    requireIbcAuthority(context, signer);
    const state = zeroCustomFields(anyClientState(upgradedClientState));
    wrapping('failed to schedule upgrade', () => scheduleUpgrade(context, plan));
    setUpgradedClient(context.store, plan.height, toBinary(AnySchema, packAny(ClientStateSchema, state)));
    emit(context, 'schedule_ibc_software_upgrade', () => [
      ['plan_title', plan.name],
      ['plan_height', plan.height.toString()],
    ]);
    emit(context, 'message', () => [['module', 'ibc_client']]);
  },
});

const deleteCreatorMessage = message(pb.Msg, 'deleteClientCreator', {
  validate({ clientId, signer }, rules) {
    validateSigner(signer, rules.chain.bech32Prefix);
    requireClientIdentifier(clientId);
    if (clientTypeOf(clientId) === undefined)
      throw new SdkError(invalidIdentifier, `client ID ${clientId} must be in valid format: {string}-{number}`);
  },
  handle(context, { clientId, signer }) {
    const { store, chain } = context;
    const key = clientKey(clientId, 'creator');
    const creator = store.get(STORE, key);
    if (creator === undefined) throw new SdkError(ibcErrors.notFound, `creator for client ${clientId} not found`);
    const authority = encodeAddress(chain.bech32Prefix, governance(context));
    if (authority !== signer && !equal(creator, signerOf(context, signer)))
      throw new SdkError(
        ibcErrors.unauthorized,
        `authority ${authority} or client creator ${encodeAddress(chain.bech32Prefix, creator)} is authorized to delete creator for ${clientId}, got ${signer}`,
      );
    store.delete(STORE, key);
  },
});

/** Rejects blank or duplicate client types, and `*` together with others. */
function requireTypes(allowedClients: readonly string[]): void {
  if (allowedClients.length > MAX_ALLOWED_CLIENTS)
    throw plainError(`allowed clients length must not exceed ${MAX_ALLOWED_CLIENTS} items`);
  if (allowedClients.includes('*') && allowedClients.length > 1)
    throw plainError('allow list must have only one element because the allow all clients wildcard (*) is present');
  const seen = new Set<string>();
  for (const [index, type] of allowedClients.entries()) {
    if (isBlank(type)) throw plainError(`client type ${index} cannot be blank`);
    if (seen.has(type)) throw plainError(`duplicate client type: ${type}`);
    seen.add(type);
  }
}

const paramsMessage = messageOf(methodOf(pb.Msg, 'updateClientParams'), {
  validate({ params, signer }, rules) {
    validateSigner(signer, rules.chain.bech32Prefix);
    requireTypes(params?.allowedClients ?? []);
  },
  handle(context, { signer, params }) {
    requireIbcAuthority(context, signer);
    writeMessage(context, CLIENT_PARAMS, ParamsSchema, params ?? create(ParamsSchema));
  },
});

export const clientMessages: readonly MessageHandler[] = [
  createMessage,
  updateMessage,
  misbehaviourMessage,
  upgradeMessage,
  recoverMessage,
  softwareUpgradeMessage,
  deleteCreatorMessage,
  paramsMessage,
];
