/** Moves coins into and out of escrow (ibc-go v10 `modules/apps/transfer/keeper/relay.go`). */
import { MAX_UINT256 } from '../../bigint.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import type { Packet } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import { coin as coinOf, isValidDenom } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { wrapping } from '../../sdk/module/returned-error.js';
import { RecoveredPanic } from '../../sdk/module/sdk-error.js';
import { sendCoins } from '../bank/transfer.js';
import type { PortChannel } from '../ibc/keys.js';
import { type Denom, localDenom } from './denom.js';
import { escrowAddress } from './escrow.js';
import { getTotalEscrow, setTotalEscrow } from './total-escrow.js';

/** Name of the module and of its account. */
export const MODULE = 'transfer';

/** An amount of a denom, in base units. */
export interface Token {
  readonly denom: Denom;
  readonly amount: bigint;
}

/** True for a token that returns over the channel it came over. */
export function isReturning({ trace }: Denom, { portId, channelId }: PortChannel): boolean {
  const [last] = trace;
  return last?.portId === portId && last.channelId === channelId;
}

/** Source and destination of a packet: port, and channel or client. */
export type Ends = Pick<Packet, 'sourcePort' | 'sourceChannel' | 'destinationPort' | 'destinationChannel'>;

/** Denom of a received token on this chain. */
export function receivedDenom(packet: Ends, denom: Denom): Denom {
  const source = { portId: packet.sourcePort, channelId: packet.sourceChannel };
  if (isReturning(denom, source)) return { base: denom.base, trace: denom.trace.slice(1) };
  const destination = { portId: packet.destinationPort, channelId: packet.destinationChannel };
  return { base: denom.base, trace: [destination, ...denom.trace] };
}

/** Local coin of a token; the hash is normalized to upper case. */
export function coinOfToken({ crypto }: Context, { denom, amount }: Token): Coin {
  const name = localDenom((data) => crypto.sha256(data), denom);
  if (!isValidDenom(name)) throw new RecoveredPanic(`invalid denom: ${name}`);
  return coinOf(name, amount);
}

/** Moves a coin into a channel's escrow account. */
export function escrow(context: Context, channel: PortChannel, sender: Uint8Array, coin: Coin): void {
  const account = escrowAddress((data) => context.crypto.sha256(data), channel);
  sendCoins(context, sender, account, [coin]);
  const total = getTotalEscrow(context, coin.denom) + BigInt(coin.amount);
  if (total > MAX_UINT256) throw new RecoveredPanic('integer overflow');
  setTotalEscrow(context, coin.denom, total);
}

/** Moves a coin out of a channel's escrow account. */
export function unescrow(context: Context, channel: PortChannel, receiver: Uint8Array, coin: Coin): void {
  const account = escrowAddress((data) => context.crypto.sha256(data), channel);
  wrapping(
    'unable to unescrow tokens, this may be caused by a malicious counterparty module or a bug: please open an issue on counterparty module',
    () => sendCoins(context, account, receiver, [coin]),
  );
  const total = getTotalEscrow(context, coin.denom) - BigInt(coin.amount);
  if (total < 0n) throw new RecoveredPanic('negative coin amount');
  setTotalEscrow(context, coin.denom, total);
}
