/** Rules of IBC's messages that need no state (ibc-go v10 `ValidateBasic` in `types/msgs.go` of each part). */
import type { MsgChannelOpenInit } from '../../proto/ibc/core/channel/v1/tx_pb.js';
import { Order, State } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import type {
  MsgCreateClient,
  MsgSubmitMisbehaviour,
  MsgUpdateClient,
  MsgUpdateParams as ClientParams,
} from '../../proto/ibc/core/client/v1/tx_pb.js';
import type { Version } from '../../proto/ibc/core/connection/v1/connection_pb.js';
import type {
  MsgConnectionOpenInit,
  MsgUpdateParams as ConnectionParams,
} from '../../proto/ibc/core/connection/v1/tx_pb.js';
import { isBlank } from '../../sdk/go/go-text.js';
import type { ValidationRules } from '../../sdk/module/context.js';
import { plainError, SdkError } from '../../sdk/module/sdk-error.js';
import { channelErrors, clientErrors, connectionErrors } from './errors.js';
import { requireClientIdentifier, validateIdentifier } from './identifiers.js';
import { validateSigner } from './signers.js';
import { orderName, stateName } from './names.js';
import { LOCALHOST_CLIENT } from './store.js';
import { clientStateOf, consensusStateOf } from './tendermint.js';
import { clientMessageOf, validateClientMessage } from './tendermint-header.js';

const MAX_FEATURES = 100;
const MAX_ALLOWED_CLIENTS = 200;

/** Checks a `MsgCreateClient`; throws SdkError. */
export function createClient({ clientState, consensusState, signer }: MsgCreateClient, rules: ValidationRules): void {
  validateSigner(signer, rules.chain.bech32Prefix);
  clientStateOf(clientState);
  consensusStateOf(consensusState);
}

/** Checks a `MsgUpdateClient`: its header or misbehaviour by itself; throws SdkError. */
export function updateClient({ clientId, clientMessage, signer }: MsgUpdateClient, rules: ValidationRules): void {
  validateSigner(signer, rules.chain.bech32Prefix);
  validateClientMessage(rules.crypto, clientMessageOf(clientMessage));
  requireClientIdentifier(clientId);
}

/** Checks a `MsgSubmitMisbehaviour` as `updateClient` does. */
export function misbehaviour(message: MsgSubmitMisbehaviour, rules: ValidationRules): void {
  validateSigner(message.signer, rules.chain.bech32Prefix);
  validateClientMessage(rules.crypto, clientMessageOf(message.misbehaviour));
  requireClientIdentifier(message.clientId);
}

/** Checks parameters of clients: types are distinct and not blank, and `*` stands alone. */
export function clientParams({ params, signer }: ClientParams, rules: ValidationRules): void {
  validateSigner(signer, rules.chain.bech32Prefix);
  const { allowedClients = [] } = params ?? {};
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

/** Checks a `MsgConnectionOpenInit`; throws SdkError. */
export function openConnection(
  { clientId, counterparty, version, signer }: MsgConnectionOpenInit,
  rules: ValidationRules,
): void {
  if (clientId === LOCALHOST_CLIENT)
    throw new SdkError(clientErrors.invalidType, 'localhost connection handshakes are disallowed');
  validateIdentifier('client', clientId, 'invalid client ID');
  if ((counterparty?.connectionId ?? '') !== '')
    throw new SdkError(connectionErrors.invalidCounterparty, 'counterparty connection identifier must be empty');
  if (version !== undefined) validateVersion(version);
  validateSigner(signer, rules.chain.bech32Prefix);
  validateIdentifier('client', counterparty?.clientId ?? '', 'invalid counterparty client ID');
  if ((counterparty?.prefix?.keyPrefix.length ?? 0) === 0)
    throw new SdkError(connectionErrors.invalidCounterparty, 'counterparty prefix cannot be empty');
}

function validateVersion({ identifier, features }: Version): void {
  const refuse = (reason: string): SdkError =>
    new SdkError(connectionErrors.invalidVersion, `basic validation of the provided version failed: ${reason}`);
  if (isBlank(identifier)) throw refuse('version identifier cannot be blank');
  if (features.length > MAX_FEATURES) throw refuse(`features length must not exceed ${MAX_FEATURES} items`);
  const blank = features.findIndex((feature) => isBlank(feature));
  if (blank !== -1) throw refuse(`feature cannot be blank, index ${blank}`);
}

/** Checks that the expected time for each block (nanoseconds) is not 0. */
export function connectionParams({ params, signer }: ConnectionParams, rules: ValidationRules): void {
  validateSigner(signer, rules.chain.bech32Prefix);
  if ((params?.maxExpectedTimePerBlock ?? 0n) === 0n) throw plainError('MaxExpectedTimePerBlock cannot be zero');
}

/** Checks a `MsgChannelOpenInit`: state INIT, one hop, a known ordering; throws SdkError. */
export function openChannel({ portId, channel, signer }: MsgChannelOpenInit, rules: ValidationRules): void {
  validateIdentifier('port', portId, 'invalid port ID');
  const {
    state = State.UNINITIALIZED_UNSPECIFIED,
    ordering = Order.NONE_UNSPECIFIED,
    connectionHops = [],
  } = channel ?? {};
  if (state !== State.INIT)
    throw new SdkError(
      channelErrors.invalidState,
      `channel state must be INIT in MsgChannelOpenInit. expected: STATE_INIT, got: ${stateName(state)}`,
    );
  if ((channel?.counterparty?.channelId ?? '') !== '')
    throw new SdkError(channelErrors.invalidCounterparty, 'counterparty channel identifier must be empty');
  validateSigner(signer, rules.chain.bech32Prefix);
  if (ordering !== Order.ORDERED && ordering !== Order.UNORDERED)
    throw new SdkError(channelErrors.invalidOrdering, orderName(ordering));
  const [hop = ''] = connectionHops;
  if (connectionHops.length !== 1)
    throw new SdkError(channelErrors.tooManyHops, 'current IBC version only supports one connection hop');
  validateIdentifier('connection', hop, 'invalid connection hop ID');
  validateIdentifier('port', channel?.counterparty?.portId ?? '', 'invalid counterparty port ID');
}
