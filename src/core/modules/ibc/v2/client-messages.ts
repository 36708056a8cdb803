/** Client messages of IBC v2 (ibc-go v10 `modules/core/keeper/msg_server.go`, `02-client/v2/types/msgs.go`). */
import { create } from '@bufbuild/protobuf';
import { be64 } from '../../../bytes/big-endian.js';
import { equal } from '../../../bytes/bytes.js';
import { ConfigSchema } from '../../../proto/ibc/core/client/v2/config_pb.js';
import { CounterpartyInfoSchema } from '../../../proto/ibc/core/client/v2/counterparty_pb.js';
import { Msg } from '../../../proto/ibc/core/client/v2/tx_pb.js';
import { encodeAddress, requireAddress } from '../../../sdk/codec/address.js';
import { readBech32Address } from '../../../sdk/codec/bech32-address.js';
import type { Context, MessageHandler } from '../../../sdk/module/context.js';
import { message } from '../../../sdk/module/module.js';
import { plainError, SdkError } from '../../../sdk/module/sdk-error.js';
import { governance } from '../../authority.js';
import { clientErrors, ibcErrors, invalidIdentifier } from '../errors.js';
import { clientTypeOf, requireClientIdentifier } from '../identifiers.js';
import { clientKey, nextSequenceSendKeyV2 } from '../keys.js';
import { validateSigner } from '../signers.js';
import { STORE, writeMessage } from '../store.js';
import { getCounterparty, setCounterparty } from './counterparties.js';

/** Maximum number of allowed relayers. */
const MAX_RELAYERS = 20;

/** Creator of a client as text (empty when unknown), and whether it is the signer. */
function creatorOf({ store, chain }: Context, clientId: string, signer: string) {
  const bytes = store.get(STORE, clientKey(clientId, 'creator')) ?? new Uint8Array();
  return {
    text: bytes.length === 0 ? '' : encodeAddress(chain.bech32Prefix, bytes),
    isSigner: equal(bytes, requireAddress(chain.bech32Prefix, signer, 'invalid signer address')),
  };
}

const registerMessage = message(Msg, 'registerCounterparty', {
  validate({ clientId, counterpartyClientId, counterpartyMerklePrefix, signer }, rules) {
    validateSigner(signer, rules.chain.bech32Prefix);
    if (counterpartyMerklePrefix.length === 0)
      throw new SdkError(clientErrors.invalidCounterparty, 'counterparty messaging key cannot be empty');
    requireClientIdentifier(clientId);
    requireClientIdentifier(counterpartyClientId);
    if (clientTypeOf(clientId) === undefined || clientTypeOf(counterpartyClientId) === undefined)
      throw new SdkError(
        invalidIdentifier,
        `${clientId} and ${counterpartyClientId} must be in valid format: {string}-{number}`,
      );
  },
  handle(context, { clientId, counterpartyClientId, counterpartyMerklePrefix, signer }) {
    const creator = creatorOf(context, clientId, signer);
    if (!creator.isSigner)
      throw new SdkError(
        ibcErrors.unauthorized,
        `expected same signer as createClient submittor ${creator.text}, got ${signer}`,
      );
    if (getCounterparty(context, clientId) !== undefined)
      throw new SdkError(ibcErrors.invalidRequest, 'cannot register counterparty once it is already set');
    const info = { merklePrefix: counterpartyMerklePrefix, clientId: counterpartyClientId };
    setCounterparty(context, clientId, create(CounterpartyInfoSchema, info));
    context.store.set(STORE, nextSequenceSendKeyV2(clientId), be64(1n));
  },
});

const configMessage = message(Msg, 'updateClientConfig', {
  validate({ clientId, config, signer }, { chain }) {
    validateSigner(signer, chain.bech32Prefix);
    requireClientIdentifier(clientId);
    if (clientTypeOf(clientId) === undefined)
      throw new SdkError(invalidIdentifier, `client ID ${clientId} must be in valid format: {string}-{number}`);
    const relayers = config?.allowedRelayers ?? [];
    if (relayers.length > MAX_RELAYERS)
      throw plainError(`allowed relayers length must not exceed ${MAX_RELAYERS} items`);
    for (const relayer of relayers)
      if (!readBech32Address(chain.bech32Prefix, relayer).ok) throw plainError(`invalid relayer address: ${relayer}`);
  },
  handle(context, { clientId, config, signer }) {
    const creator = creatorOf(context, clientId, signer);
    const authority = encodeAddress(context.chain.bech32Prefix, governance(context));
    if (authority !== signer && !creator.isSigner)
      throw new SdkError(
        ibcErrors.unauthorized,
        `authority ${authority} or client creator ${creator.text} is authorized to update params for ${clientId}, got ${signer}`,
      );
    writeMessage(context, clientKey(clientId, 'config'), ConfigSchema, config ?? create(ConfigSchema));
  },
});

export const clientMessagesV2: readonly MessageHandler[] = [registerMessage, configMessage];
