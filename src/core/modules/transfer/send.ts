/**
 * A transfer up to the channel over which it would leave (ibc-go v10 `modules/apps/transfer/keeper/msg_server.go` and
 * `relay.go`). No channel of this build is open, so each transfer is refused, after the steps that the Go node takes
 * before: they tell what is refused first, and cost gas.
 */
import { fromBinary } from '@bufbuild/protobuf';
import { bytesOfDigits } from '../../bytes/hex.js';
import { EMPTY } from '../../bytes/bytes.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { ParamsSchema } from '../../proto/ibc/applications/transfer/v1/transfer_pb.js';
import type { MsgTransfer } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import { encodeAddress, requireAddress } from '../../sdk/codec/address.js';
import { coin as coinOf, isValidDenom, MAX_UINT256, parseAmount } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { RecoveredPanic, SdkError, wrapped } from '../../sdk/module/sdk-error.js';
import { sendToModule } from '../bank/module-accounts.js';
import { isBlocked, requireSendEnabled } from '../bank/send-rules.js';
import { getSpendable } from '../bank/spendable.js';
import { burnCoins } from '../bank/supply.js';
import { sendCoins } from '../bank/transfer.js';
import { getChannel } from '../ibc/channels.js';
import { channelErrors, clientErrors, ibcErrors } from '../ibc/errors.js';
import { clientKey } from '../ibc/keys.js';
import { stateName } from '../ibc/names.js';
import { validateSigner } from '../ibc/signers.js';
import { STORE as IBC } from '../ibc/store.js';
import { type Denom, denomOfPath, denomRefusal, localDenom, pathOf } from './denom.js';
import { getDenom } from './denoms.js';
import { transferErrors } from './errors.js';
import { escrowAddress } from './escrow.js';
import { PARAMS_KEY, STORE } from './store.js';
import { getTotalEscrow, setTotalEscrow } from './total-escrow.js';

const PORT = 'transfer';
const MODULE = 'transfer';
/** Encodings of a packet between clients. */
const [JSON_TEXT, PROTOBUF, ABI] = ['application/json', 'application/x-protobuf', 'application/x-solidity-abi'];

interface Token {
  readonly denom: Denom;
  readonly amount: bigint;
}

/** Fails as the Go node does for the first step that it does not take; never returns. */
export function refuseTransfer(context: Context, message: MsgTransfer): never {
  requireSendingOn(context);
  const { sourcePort, sourceChannel, token } = message;
  const { denom = '', amount = '' } = token ?? {};
  const sender = requireAddress(context.chain.bech32Prefix, message.sender, 'invalid sender address');
  const typed = parseAmount(amount) ?? 0n;
  const value = typed === MAX_UINT256 ? getSpendable(context, sender, denom) : typed;
  if (value === 0n) throw new SdkError(transferErrors.invalidAmount, `empty spendable balance for ${denom}`);
  const denomination = denominationOf(context, denom);
  const unsendable = denomRefusal(denomOfPath(pathOf(denomination)));
  if (unsendable !== undefined) throw wrapped(unsendable, 'failed to validate ics20-1 packet data');
  if (getChannel(context, { portId: sourcePort, channelId: sourceChannel }) === undefined)
    throw refusalOfClients(context, message);
  take(context, sender, sourceChannel, { denom: denomination, amount: value });
  const channel = getChannel(context, { portId: PORT, channelId: sourceChannel });
  if (channel === undefined) throw new SdkError(channelErrors.notFound, sourceChannel);
  throw new SdkError(channelErrors.invalidState, `channel is not OPEN (got ${stateName(channel.state)})`);
}

function requireSendingOn({ store }: Context): void {
  if (!fromBinary(ParamsSchema, store.get(STORE, PARAMS_KEY) ?? new Uint8Array()).sendEnabled)
    throw new SdkError(transferErrors.sendDisabled);
}

/** The denomination that a denom of this chain stands for. */
function denominationOf(context: Context, denom: string): Denom {
  const [, digits] = /^ibc\/(.*)$/s.exec(denom) ?? [];
  if (digits === undefined) return { base: denom, trace: [] };
  const found = getDenom(context, bytesOfDigits(digits) ?? EMPTY);
  if (found === undefined) throw new SdkError(transferErrors.denomNotFound, digits);
  return found;
}

/** Burns a token that goes back over the channel over which it came, and moves another into the channel's account. */
function take(context: Context, sender: Uint8Array, channelId: string, token: Token): void {
  requireSendingOn(context);
  if (isBlocked(context, sender))
    throw new SdkError(
      ibcErrors.unauthorized,
      `${encodeAddress(context.chain.bech32Prefix, sender)} is not allowed to send funds`,
    );
  const coin = coinOfToken(context, token);
  try {
    requireSendEnabled(context, [coin]);
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw new SdkError(transferErrors.sendDisabled, error.message);
  }
  const [last] = token.denom.trace;
  if (last?.portId === PORT && last.channelId === channelId) {
    sendToModule(context, sender, MODULE, [coin]);
    burnCoins(context, MODULE, [coin]);
    return;
  }
  const account = escrowAddress((data) => context.crypto.sha256(data), { portId: PORT, channelId });
  sendCoins(context, sender, account, [coin]);
  const total = getTotalEscrow(context, coin.denom) + token.amount;
  if (total > MAX_UINT256) throw new RecoveredPanic('integer overflow');
  setTotalEscrow(context, coin.denom, total);
}

/** The coin that a token is here, whatever the letters of the typed hash. */
function coinOfToken({ crypto }: Context, { denom, amount }: Token): Coin {
  const name = localDenom((data) => crypto.sha256(data), denom);
  if (!isValidDenom(name)) throw new RecoveredPanic(`invalid denom: ${name}`);
  return coinOf(name, amount);
}

/** The refusal where no channel has the name: it may be that of a client, and no client has a counterparty. */
function refusalOfClients(
  { store, chain }: Context,
  { encoding, sender, sourceChannel, timeoutTimestamp }: MsgTransfer,
): SdkError {
  if (![JSON_TEXT, PROTOBUF, ABI, ''].includes(encoding))
    return new SdkError(
      ibcErrors.invalidType,
      `invalid encoding provided, must be either empty or one of ["${JSON_TEXT}", "${PROTOBUF}"], got ${encoding}`,
    );
  if (timeoutTimestamp === 0n) return new SdkError(channelErrors.invalidTimeout, 'timeout must not be 0');
  // packets of clients are of accounts in bech32 alone
  validateSigner(sender, chain.bech32Prefix);
  store.get(IBC, clientKey(sourceChannel, 'counterparty'));
  return new SdkError(
    clientErrors.noCounterparty,
    `send packet failed for source id: ${sourceChannel}: counterparty not found for client: ${sourceChannel}`,
  );
}
