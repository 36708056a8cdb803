/**
 * Claims middleware for incoming transfers (evmos v3.0.0 `x/claims/keeper/ibc_callbacks.go`), around the transfer
 * port.
 */
import { equal } from '../../bytes/bytes.js';
import { Action } from '../../proto/evmos/claims/v1/claims_pb.js';
import type { Packet } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import { moduleAddress } from '../../sdk/codec/address.js';
import { coin } from '../../sdk/coins/coins.js';
import { emit } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { SdkError, sdkErrors, type RegisteredError } from '../../sdk/module/sdk-error.js';
import { sendFromModule } from '../bank/module-accounts.js';
import { fundCommunityPool } from '../distribution/community-pool.js';
import { errorAcknowledgement } from '../ibc/channel/acknowledgement.js';
import type { Middleware } from '../ibc/channel/port.js';
import { partiesOf, requireUnblocked, type Parties } from '../transfer/parties.js';
import { claimableAmount, payForAction } from './claim.js';
import { CLAIMS, getParams, isActive, type ClaimsParams } from './params.js';
import {
  ACTIONS,
  deleteRecord,
  getRecord,
  hasClaimed,
  perAction,
  setRecord,
  withClaimed,
  type ClaimsRecord,
} from './records.js';

/** Amount by which a sender requests that its record moves to the receiver. */
const TRIGGER = '63743';

/** Error registered by evmos itself (evmos v3.0.0 `types/errors.go`). */
export const evmosErrors = {
  keyTypeNotSupported: { codespace: 'evmos', code: 2, text: "key type 'secp256k1' not supported" },
} as const satisfies Record<string, RegisteredError>;

/**
 * A transfer over an authorized channel pays the receiver for the action and moves or merges the sender's record. An
 * error becomes the acknowledgement and reverts the transfer.
 */
export const claimsMiddleware: Middleware = (inner) => ({
  onReceive(context, delivered) {
    const answer = inner.onReceive(context, delivered);
    const params = getParams(context);
    if (!answer.success || params === undefined || !isActive(params, context.time)) return answer;
    try {
      claimTransfer(context, delivered.packet, params);
    } catch (error) {
      if (!isReturned(error)) throw error;
      return errorAcknowledgement(error);
    }
    return answer;
  },
});

function claimTransfer(context: Context, packet: Packet, params: ClaimsParams): void {
  const parties = partiesOf(context, packet);
  requireUnblocked(context, parties, (text) => new SdkError(sdkErrors.unauthorized, text));
  const { sender, recipient, data } = parties;
  const ofSender = getRecord(context, sender);
  if (ofSender !== undefined && hasClaimed(ofSender, Action.IBC_TRANSFER)) return;
  const isSame = equal(sender, recipient);
  if (isSame && !params.evmChannels.includes(packet.destinationChannel)) {
    requireEthereumKey(ofSender, parties);
    return;
  }
  if (!params.authorizedChannels.includes(packet.destinationChannel)) return;
  const ofRecipient = getRecord(context, recipient);
  const isTrigger = data.amountText === TRIGGER;
  if (ofSender !== undefined && !isSame) {
    if (!isTrigger) return;
    if (ofRecipient !== undefined)
      setRecord(context, recipient, merged(context, parties, ofSender, ofRecipient, params));
    else if (payForAction(context, recipient, Action.IBC_TRANSFER, ofSender, params) === 0n) return;
    deleteRecord(context, sender);
    return;
  }
  if (ofRecipient !== undefined) payForAction(context, recipient, Action.IBC_TRANSFER, ofRecipient, params);
}

/**
 * Rejects an account that claimed nothing and whose key type this chain does not support: its coins would be stuck.
 */
function requireEthereumKey(record: ClaimsRecord | undefined, { shown }: Parties): void {
  if (record === undefined || record.completed.includes(true)) return;
  throw new SdkError(
    evmosErrors.keyTypeNotSupported,
    `receiver address ${shown.recipient} is not a valid ethereum address`,
  );
}

/** Merged record. Pays for the transfer and for the receiver's claimed actions, for both records. */
function merged(
  context: Context,
  { recipient, shown }: Parties,
  ofSender: ClaimsRecord,
  ofRecipient: ClaimsRecord,
  params: ClaimsParams,
): ClaimsRecord {
  if (ofSender.completed.includes(true))
    throw new SdkError(sdkErrors.notSupported, 'non-evmos sender must not have claimed action');
  let [claimed, remainder] = [0n, 0n];
  // Whole quarters: the rounding remainder is not in escrow.
  const initial = BigInt(ACTIONS.length) * (perAction(ofSender) + perAction(ofRecipient));
  let record: ClaimsRecord = { initial, completed: ofRecipient.completed };
  for (const action of ACTIONS) {
    const isDone = hasClaimed(ofRecipient, action);
    if (!isDone && action !== Action.IBC_TRANSFER) continue;
    for (const one of isDone ? [ofSender] : [ofSender, ofRecipient]) {
      const part = claimableAmount(one, action, params, context.time);
      claimed += part.claimable;
      remainder += part.remainder;
    }
    record = withClaimed(record, action);
  }
  const text = (amount: bigint): string => (amount === 0n ? '' : `${amount}${params.denom}`);
  if (claimed > 0n) sendFromModule(context, CLAIMS, recipient, [coin(params.denom, claimed)]);
  if (remainder > 0n)
    fundCommunityPool(context, moduleAddress(context.crypto, CLAIMS), [coin(params.denom, remainder)]);
  emit(context, 'merge_claims_records', () => [
    ['recipient', shown.recipient],
    ['claimed_coins', text(claimed)],
    ['fund_community_pool_coins', text(remainder)],
  ]);
  return record;
}
