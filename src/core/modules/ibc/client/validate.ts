/** Rules of messages of clients by themselves (ibc-go v10 `modules/core/02-client/types/msgs.go`). */
import type {
  MsgCreateClient,
  MsgSubmitMisbehaviour,
  MsgUpdateClient,
  MsgUpdateParams as ClientParams,
} from '../../../proto/ibc/core/client/v1/tx_pb.js';
import { isBlank } from '../../../sdk/go/go-text.js';
import type { ValidationRules } from '../../../sdk/module/context.js';
import { plainError } from '../../../sdk/module/sdk-error.js';
import { requireClientIdentifier } from '../identifiers.js';
import { validateSigner } from '../signers.js';
import { clientStateOf, consensusStateOf } from './tendermint.js';
import { clientMessageOf, validateClientMessage } from './tendermint-header.js';

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
