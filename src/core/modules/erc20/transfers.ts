/**
 * ERC-20 middleware for IBC transfers (cosmos/evm v0.6 `x/erc20/ibc_middleware.go`, `keeper/ibc_callbacks.go`),
 * around the transfer port. Relayers pay for EVM gas but not for store accesses.
 */
import { equal } from '../../bytes/bytes.js';
import { checksumAddress } from '../../keys/address.js';
import { Owner, type TokenPair } from '../../proto/cosmos/evm/erc20/v1/erc20_pb.js';
import { encodeAddress, requireAddress } from '../../sdk/codec/address.js';
import { emit } from '../../sdk/module/abci-event.js';
import { withStore, type Context } from '../../sdk/module/context.js';
import { unmetered } from '../../sdk/module/gas.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { getAccount } from '../auth/accounts.js';
import { getBalance } from '../bank/balances.js';
import { errorAcknowledgement, readAcknowledgement } from '../ibc/channel/acknowledgement.js';
import type { Middleware } from '../ibc/channel/port.js';
import { errorAcknowledgement as refusalOf } from '../ibc/v2/commitments.js';
import type { ClientPort } from '../ibc/v2/port.js';
import { getParams as stakingParams } from '../staking/params.js';
import { localDenom, pathOf } from '../transfer/denom.js';
import { endsOf } from '../transfer/client-port.js';
import { type Ends, receivedDenom } from '../transfer/moves.js';
import { decodePacketData, hasOtherMembers, type PacketData } from '../transfer/packet-data.js';
import { decodePayload } from '../transfer/payload.js';
import { requireEnabled, type Return, convertCoinNativeErc20 } from './convert.js';
import { erc20Rules } from './rules.js';
import { registerVoucher } from './register.js';
import { contractOf, getFlag, hasPairOfDenom, tokenPairOf } from './store.js';

const VOUCHER = 'ibc/';
/** Denom prefix of Osmosis' token factory; such coins are not registered as tokens. */
const FACTORY = 'factory/';

const free = (context: Context): Context => withStore(context, unmetered(context.store));

/**
 * Registers a token when another chain's coin first arrives, and converts coins of a contract back to its tokens,
 * also for refunds. An error becomes the acknowledgement.
 */
export const erc20Middleware: Middleware = (inner) => ({
  onReceive(context, delivered) {
    const answer = inner.onReceive(context, delivered);
    if (!answer.success || !getFlag(context, 'enableErc20')) return answer;
    try {
      const { packet } = delivered;
      if (hasOtherMembers(packet.data))
        throw new SdkError(sdkErrors.invalidType, 'cannot unmarshal ICS-20 transfer packet data');
      receiveTokens(free(context), packet, decodePacketData(packet.data));
    } catch (error) {
      if (!isReturned(error)) throw error;
      return errorAcknowledgement(error);
    }
    return answer;
  },
  onAcknowledge(context, delivered, acknowledgement) {
    const answer = readAcknowledgement(acknowledgement);
    if (answer === undefined)
      throw new SdkError(sdkErrors.unknownRequest, 'cannot unmarshal ICS-20 transfer packet acknowledgement');
    inner.onAcknowledge(context, delivered, acknowledgement);
    if (answer.response.case === 'error') refundTokens(context, decodePacketData(delivered.packet.data));
  },
  onTimeout(context, delivered) {
    inner.onTimeout(context, delivered);
    refundTokens(context, decodePacketData(delivered.packet.data));
  },
});

/** ERC-20 middleware for IBC v2 packets between clients (`x/erc20/v2/ibc_middleware.go`); errors have no effect. */
export const erc20ClientMiddleware = (inner: ClientPort): ClientPort => ({
  ...inner,
  onReceive(context, parcel) {
    const answer = inner.onReceive(context, parcel);
    if (answer.kind !== 'taken' || !getFlag(context, 'enableErc20')) return answer;
    const data = decodePayload(parcel.payload);
    erc20Rules.of(context).convertPacket(free(context), (cheap) => receiveTokens(cheap, endsOf(parcel), data));
    return answer;
  },
  onAcknowledge(context, parcel, acknowledgement) {
    inner.onAcknowledge(context, parcel, acknowledgement);
    if (equal(acknowledgement, refusalOf(context))) refundTokens(context, decodePayload(parcel.payload));
  },
  onTimeout(context, parcel) {
    inner.onTimeout(context, parcel);
    refundTokens(context, decodePayload(parcel.payload));
  },
});

function receiveTokens(context: Context, packet: Ends, { denom: sent, amount, receiver: name }: PacketData): void {
  const receiver = requireAddress(context.chain.bech32Prefix, name, 'invalid recipient');
  if (isModule(context, receiver) || pathOf(sent).startsWith(FACTORY)) return;
  const denom = localDenom((data) => context.crypto.sha256(data), receivedDenom(packet, sent));
  if (denom === stakingParams(context).bondDenom) return;
  const pair = tokenPairOf(context, denom);
  if (pair === undefined) {
    if (denom.startsWith(VOUCHER)) makeToken(context, packet, denom);
  } else if (pair.contractOwner === Owner.EXTERNAL && pair.enabled) {
    // Another middleware has already sent the coins on (recovery).
    if (getBalance(context, receiver, denom) < amount) return;
    requireConversion(context, receiver, denom);
    const error = convert(context, { denom, contract: requireContract(pair), amount, sender: receiver, receiver });
    if (error !== undefined) throw error;
  }
}

const convert = (context: Context, coins: Return): SdkError | undefined =>
  erc20Rules.of(context).convertPacket(context, (inner) => convertCoinNativeErc20(inner, coins));

const isModule = (context: Context, address: Uint8Array): boolean => getAccount(context, address)?.kind === 'module';

function makeToken(context: Context, { sourceChannel }: Ends, denom: string): void {
  const { erc20Address } = registerVoucher(context, denom);
  emit(context, 'register_erc20_extension', () => [
    ['source_channel', sourceChannel],
    ['erc20_token', erc20Address],
    ['cosmos_coin', denom],
  ]);
}

function requireConversion(context: Context, receiver: Uint8Array, denom: string): void {
  try {
    requireEnabled(context, receiver, denom);
  } catch (error) {
    if (!isReturned(error)) throw error;
    emit(context, 'erc20_callback_failure', () => [
      ['convert_coin', 'mint_failure'],
      ['cosmos_coin', denom],
      ['receiver', encodeAddress(context.chain.bech32Prefix, receiver)],
    ]);
    throw error;
  }
}

function requireContract({ erc20Address }: TokenPair): Uint8Array {
  const contract = contractOf(erc20Address);
  if (contract === undefined) throw new Error(`invariant: a token pair has a contract, ${erc20Address}`);
  return contract;
}

/** Converts refunded coins of a contract to its tokens; if that fails, they stay coins. */
function refundTokens(context: Context, { denom, amount, sender: name }: PacketData): void {
  // CheckTx of relays runs no contracts.
  if (context.mode === 'check') return;
  const sender = requireAddress(context.chain.bech32Prefix, name, 'invalid sender');
  const pair = tokenPairOf(context, pathOf(denom));
  if (pair?.contractOwner !== Owner.EXTERNAL) return;
  const cheap = free(context);
  if (!getFlag(cheap, 'enableErc20') || !hasPairOfDenom(cheap, pair.denom) || isModule(cheap, sender)) return;
  const contract = requireContract(pair);
  const error = convert(cheap, { denom: pair.denom, contract, amount, sender, receiver: sender });
  if (error === undefined) return;
  emit(context, 'failed_convert_erc20', () => [
    ['source_channel', pair.denom],
    ['erc20_token', checksumAddress(context.crypto, contract)],
    ['error', error.message],
  ]);
}
