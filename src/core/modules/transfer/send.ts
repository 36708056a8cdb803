/**
 * A transfer up to the channel over which it would leave (ibc-go v10 `modules/apps/transfer/keeper/msg_server.go` and
 * `relay.go`). No channel of this build is open, so each transfer is refused, after the steps that the Go node takes
 * before: they tell what is refused first, and cost gas.
 */
import { fromBinary } from '@bufbuild/protobuf';
import { bytesOfDigits } from '../../bytes/hex.js';
import { concat, utf8 } from '../../bytes/bytes.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { ParamsSchema } from '../../proto/ibc/applications/transfer/v1/transfer_pb.js';
import type { MsgTransfer } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import { encodeAddress, requireAddress } from '../../sdk/address.js';
import { coin as coinOf, MAX_UINT256, parseAmount } from '../../sdk/coins.js';
import type { Context } from '../../sdk/context.js';
import { SdkError } from '../../sdk/sdk-error.js';
import { isBlocked, requireSendEnabled } from '../bank/send-rules.js';
import { getSpendable } from '../bank/spendable.js';
import { sendCoins } from '../bank/transfer.js';
import { getChannel } from '../ibc/channels.js';
import { channelErrors, clientErrors, ibcErrors } from '../ibc/errors.js';
import { clientKey } from '../ibc/keys.js';
import { stateName } from '../ibc/names.js';
import { STORE as IBC } from '../ibc/store.js';
import { transferErrors } from './errors.js';
import { escrowAddress } from './escrow.js';
import { DENOMS, PARAMS_KEY, STORE, totalEscrowKey } from './store.js';

const PORT = 'transfer';
/** Encodings of a packet between clients. */
const [JSON_TEXT, PROTOBUF, ABI] = ['application/json', 'application/x-protobuf', 'application/x-solidity-abi'];

/** Fails as the Go node does for the first step that it does not take; never returns. */
export function refuseTransfer(context: Context, message: MsgTransfer): never {
  requireSendingOn(context);
  const { sourcePort, sourceChannel, token } = message;
  const { denom = '', amount = '' } = token ?? {};
  const sender = requireAddress(context.chain.bech32Prefix, message.sender, 'invalid sender address');
  const typed = parseAmount(amount) ?? 0n;
  const value = typed === MAX_UINT256 ? getSpendable(context, sender, denom) : typed;
  if (value === 0n) throw new SdkError(transferErrors.invalidAmount, `empty spendable balance for ${denom}`);
  if (denom.startsWith('ibc/')) {
    // no denomination of another chain is there
    context.store.get(STORE, concat(DENOMS, bytesOfDigits(denom.slice(4)) ?? new Uint8Array()));
    throw new SdkError(transferErrors.denomNotFound, denom.slice(4));
  }
  if (getChannel(context, { portId: sourcePort, channelId: sourceChannel }) === undefined)
    throw refusalOfClients(context, message);
  escrow(context, sender, sourceChannel, coinOf(denom, value));
  const channel = getChannel(context, { portId: PORT, channelId: sourceChannel });
  if (channel === undefined) throw new SdkError(channelErrors.notFound, sourceChannel);
  throw new SdkError(channelErrors.invalidState, `channel is not OPEN (got ${stateName(channel.state)})`);
}

function requireSendingOn({ store }: Context): void {
  if (!fromBinary(ParamsSchema, store.get(STORE, PARAMS_KEY) ?? new Uint8Array()).sendEnabled)
    throw new SdkError(transferErrors.sendDisabled);
}

/** Moves a coin into the account of a channel. */
function escrow(context: Context, sender: Uint8Array, channelId: string, coin: Coin): void {
  requireSendingOn(context);
  if (isBlocked(context, sender))
    throw new SdkError(
      ibcErrors.unauthorized,
      `${encodeAddress(context.chain.bech32Prefix, sender)} is not allowed to send funds`,
    );
  try {
    requireSendEnabled(context, [coin]);
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    throw new SdkError(transferErrors.sendDisabled, error.message);
  }
  const account = escrowAddress((data) => context.crypto.sha256(data), { portId: PORT, channelId });
  sendCoins(context, sender, account, [coin]);
  // no coin is in escrow before
  const key = totalEscrowKey(coin.denom);
  context.store.get(STORE, key);
  const amount = utf8(coin.amount);
  context.store.set(STORE, key, concat(Uint8Array.of(0x0a, amount.length), amount));
}

/** The refusal where no channel has the name: it may be that of a client, and no client has a counterparty. */
function refusalOfClients({ store }: Context, { encoding, sourceChannel, timeoutTimestamp }: MsgTransfer): SdkError {
  if (![JSON_TEXT, PROTOBUF, ABI, ''].includes(encoding))
    return new SdkError(
      ibcErrors.invalidType,
      `invalid encoding provided, must be either empty or one of ["${JSON_TEXT}", "${PROTOBUF}"], got ${encoding}`,
    );
  if (timeoutTimestamp === 0n) return new SdkError(channelErrors.invalidTimeout, 'timeout must not be 0');
  store.get(IBC, clientKey(sourceChannel, 'counterparty'));
  return new SdkError(
    clientErrors.noCounterparty,
    `send packet failed for source id: ${sourceChannel}: counterparty not found for client: ${sourceChannel}`,
  );
}
