/** Recovery middleware (evmos v3.0.0 `x/recovery/keeper/ibc_callbacks.go`), around the transfer port. */
import { create } from '@bufbuild/protobuf';
import { bytesOfDigits } from '../../bytes/hex.js';
import { EMPTY, equal } from '../../bytes/bytes.js';
import { fromDuration } from '../../comet/time.js';
import { CHAIN_LIMITS } from '../../limits/limits.js';
import type { Packet } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import { MsgTransferSchema } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import { KEY_TYPES } from '../../sdk/signing/account-key.js';
import { coin, formatCoins, sumCoins } from '../../sdk/coins/coins.js';
import { emit } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { SdkError, wrapped, type RegisteredError } from '../../sdk/module/sdk-error.js';
import { getAccount } from '../auth/accounts.js';
import { allBalances } from '../bank/balances.js';
import { getSpendable } from '../bank/spendable.js';
import { getParams as claimsParams } from '../claims/params.js';
import { errorAcknowledgement } from '../ibc/channel/acknowledgement.js';
import type { Middleware } from '../ibc/channel/port.js';
import { getDenom } from '../transfer/denoms.js';
import { partiesOf, requireUnblocked } from '../transfer/parties.js';
import { sendTransfer } from '../transfer/send.js';
import { getParams } from './params.js';

/** Error of recovery (evmos v3.0.0 `x/recovery/types/errors.go`). */
const recoveryErrors = {
  blocked: { codespace: 'recovery', code: 2, text: 'blocked address' },
} as const satisfies Record<string, RegisteredError>;

/** Key types with which an account can sign on this chain. */
const SUPPORTED: readonly string[] = [
  KEY_TYPES.eth_secp256k1.typeUrl,
  KEY_TYPES.ed25519.typeUrl,
  KEY_TYPES.multisig.typeUrl,
];

/**
 * When an account of a chain without Ethereum keys transfers to itself here, sends all coins of the local account
 * back: the owner cannot sign for it here. An error becomes the acknowledgement.
 */
export const recoveryMiddleware: Middleware = (inner) => ({
  onReceive(context, delivered) {
    const answer = inner.onReceive(context, delivered);
    const { destinationChannel } = delivered.packet;
    const claims = claimsParams(context);
    if (
      !answer.success ||
      !getParams(context).enableRecovery ||
      claims?.authorizedChannels.includes(destinationChannel) !== true ||
      claims.evmChannels.includes(destinationChannel)
    )
      return answer;
    try {
      recover(context, delivered.packet);
    } catch (error) {
      if (!isReturned(error)) throw error;
      return errorAcknowledgement(error);
    }
    return answer;
  },
});

function recover(context: Context, packet: Packet): void {
  const parties = partiesOf(context, packet);
  const { sender, recipient, shown, data } = parties;
  requireUnblocked(context, parties, (text) => new SdkError(recoveryErrors.blocked, text));
  if (!equal(sender, recipient)) return;
  const account = getAccount(context, recipient);
  if (account?.kind !== 'base' || SUPPORTED.includes(account.base.pubKey?.typeUrl ?? '')) return;
  const sent = allBalances(context, recipient)
    .filter(({ denom }) => isOfChannel(context, packet, denom))
    .slice(0, CHAIN_LIMITS.coinsRecovered)
    .map(({ denom }) => coin(denom, getSpendable(context, recipient, denom)))
    .filter(({ amount }) => amount !== '0');
  for (const token of sent) sendBack(context, packet, { token, sender: shown.recipient, receiver: data.sender });
  if (sent.length === 0) return;
  emit(context, 'recovery', () => [
    ['sender', data.sender],
    ['receiver', data.receiver],
    ['amount', formatCoins(sumCoins(sent))],
    ['packet_src_channel', packet.sourceChannel],
    ['packet_src_port', packet.sourcePort],
    ['packet_dst_port', packet.destinationPort],
    ['packet_dst_channel', packet.destinationChannel],
  ]);
}

/** True when a coin should go back over the packet's channel: vouchers that came over it, and native coins. */
function isOfChannel(context: Context, packet: Packet, denom: string): boolean {
  const [, digits] = /^ibc\/(.*)$/s.exec(denom) ?? [];
  if (digits === undefined) return true;
  const [hop] = getDenom(context, bytesOfDigits(digits) ?? EMPTY)?.trace ?? [];
  return hop?.portId === packet.destinationPort && hop.channelId === packet.destinationChannel;
}

function sendBack(
  context: Context,
  { destinationPort, destinationChannel }: Packet,
  parts: { readonly token: ReturnType<typeof coin>; readonly sender: string; readonly receiver: string },
): void {
  const timeout = context.time + fromDuration(getParams(context).packetTimeoutDuration);
  try {
    sendTransfer(
      context,
      create(MsgTransferSchema, {
        sourcePort: destinationPort,
        sourceChannel: destinationChannel,
        timeoutTimestamp: timeout,
        ...parts,
      }),
    );
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw wrapped(
      error,
      `failed to recover IBC vouchers back to sender '${parts.receiver}' in the corresponding IBC chain`,
    );
  }
}
