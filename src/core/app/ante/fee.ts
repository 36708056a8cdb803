import { encodeAddress } from '../address.js';
import { abciEvent } from '../abci-event.js';
import { areValidCoins, formatCoins } from '../coins.js';
import type { Context } from '../context.js';
import { DEC_ONE, formatDec } from '../dec.js';
import { plainError, SdkError, sdkErrors } from '../sdk-error.js';
import type { Tx } from '../tx.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { getAccount } from '../../modules/auth/accounts.js';
import { getParams as getFeeMarketParams } from '../../modules/feemarket/params.js';
import { sendCoins } from '../../modules/bank/transfer.js';
import { moduleAddress } from '../address.js';

export const FEE_COLLECTOR = 'fee_collector';

/** Mempool admission only: some denom must pay the minimum gas price (SDK `checkTxFeeWithValidatorMinGasPrices`). */
function checkMinimumFee(context: Context, fee: readonly Coin[], gasLimit: bigint): void {
  const { minGasPrice, baseDenom } = context.chain;
  if (context.mode !== 'check' || minGasPrice === 0n) return;
  const required = minGasPrice * gasLimit;
  const paid = fee.find(({ denom }) => denom === baseDenom);
  if (paid === undefined || BigInt(paid.amount) < required) {
    throw new SdkError(sdkErrors.insufficientFee, `insufficient fees; got: ${formatCoins(fee)} required: ${required}${baseDenom}`);
  }
}

/** The fee market's price for Cosmos transactions: at least the base fee for each gas (cosmos/evm `ante/evm/fee_checker.go`, `min_gas_price.go`). */
function requireMarketPrice(context: Context, fee: readonly Coin[], gasLimit: bigint): void {
  const { noBaseFee, baseFee, minGasPrice } = getFeeMarketParams(context);
  const { baseDenom } = context.chain;
  const paid = BigInt(fee.find(({ denom }) => denom === baseDenom)?.amount ?? '0') * DEC_ONE;
  if (paid < minGasPrice * gasLimit) {
    throw new SdkError(sdkErrors.insufficientFee, `provided fee < minimum global fee (${formatCoins(fee)} < ${(minGasPrice * gasLimit) / DEC_ONE}${baseDenom}). Please increase the gas price.`);
  }
  const price = paid / gasLimit;
  const required = noBaseFee ? 0n : baseFee;
  if (price >= required) return;
  throw new SdkError(
    sdkErrors.insufficientFee,
    `gas prices too low, got: ${formatDec(price)}${baseDenom} required: ${formatDec(required)}${baseDenom}. Please retry using a higher gas price or a higher fee`,
  );
}

/** Moves the fee from its payer to the fee collector and emits `tx{fee,fee_payer}` (application-modules.md 3.4, row 9). */
export function deductFee(context: Context, tx: Tx): void {
  const fee = tx.authInfo.fee?.amount ?? [];
  const gasLimit = tx.authInfo.fee?.gasLimit ?? 0n;
  if (context.mode !== 'simulate') {
    if (context.height > 0n && gasLimit === 0n) throw new SdkError(sdkErrors.invalidGasLimit, 'must provide positive gas');
    const foreign = fee.length > 1 || fee.some(({ denom }) => denom !== context.chain.baseDenom);
    if (context.version.quirks.singleFeeDenom && foreign) {
      throw plainError(`expected only native token ${context.chain.baseDenom} for fee, but got ${formatCoins(fee)}`);
    }
    checkMinimumFee(context, fee, gasLimit);
    if (context.height > 0n && context.version.initOrder.includes('feemarket')) requireMarketPrice(context, fee, gasLimit);
  }
  const payer = tx.feePayer;
  if (payer === undefined) throw new SdkError(sdkErrors.txDecode, 'Tx must be a FeeTx');
  const name = encodeAddress(context.chain.bech32Prefix, payer);
  if ((tx.authInfo.fee?.granter ?? '') !== '') throw new SdkError(sdkErrors.invalidRequest, 'fee grants are not enabled');
  if (getAccount(context, payer) === undefined) throw new SdkError(sdkErrors.unknownAddress, `fee payer address: ${name} does not exist`);
  if (fee.length > 0) {
    if (!areValidCoins(fee)) throw new SdkError(sdkErrors.insufficientFee, `invalid fee amount: ${formatCoins(fee)}`);
    payFee(context, payer, fee);
  }
  context.events.push(abciEvent('tx', [['fee', formatCoins(fee)], ['fee_payer', name]]));
}

function payFee(context: Context, payer: Uint8Array, fee: readonly Coin[]): void {
  try {
    sendCoins(context, payer, moduleAddress(context.crypto, FEE_COLLECTOR), fee);
  } catch (error) {
    if (error instanceof SdkError && error.registered.code === sdkErrors.insufficientFunds.code && error.registered.codespace === 'sdk') {
      throw new SdkError(sdkErrors.insufficientFunds, error.message);
    }
    throw error;
  }
}
