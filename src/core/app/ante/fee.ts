import { encodeAddress } from '../../sdk/address.js';
import { abciEvent } from '../../sdk/abci-event.js';
import { areValidCoins, formatCoins } from '../../sdk/coins.js';
import type { Context } from '../../sdk/context.js';
import { hasFeeMarket, marketFee } from './dynamic-fee.js';
import { plainError, SdkError, sdkErrors } from '../../sdk/sdk-error.js';
import type { Tx } from '../../sdk/tx.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { ensureModuleAccount, getAccount } from '../../modules/auth/accounts.js';
import { sendCoins } from '../../modules/bank/transfer.js';

export const FEE_COLLECTOR = 'fee_collector';

/** Mempool admission only: some denom must pay the minimum gas price (SDK `checkTxFeeWithValidatorMinGasPrices`). */
function checkMinimumFee(context: Context, fee: readonly Coin[], gasLimit: bigint): void {
  const { minGasPrice, baseDenom } = context.chain;
  if (context.mode !== 'check' || minGasPrice === 0n) return;
  const required = minGasPrice * gasLimit;
  const paid = fee.find(({ denom }) => denom === baseDenom);
  if (paid === undefined || BigInt(paid.amount) < required) {
    throw new SdkError(
      sdkErrors.insufficientFee,
      `insufficient fees; got: ${formatCoins(fee)} required: ${required}${baseDenom}`,
    );
  }
}

/** Moves the fee from its payer to the fee collector and emits `tx{fee,fee_payer}` (application-modules.md 3.4, row 9). */
export function deductFee(context: Context, tx: Tx): void {
  const stated = tx.authInfo.fee?.amount ?? [];
  let fee: readonly Coin[] = stated;
  const gasLimit = tx.authInfo.fee?.gasLimit ?? 0n;
  if (context.mode !== 'simulate') {
    if (context.height > 0n && gasLimit === 0n)
      throw new SdkError(sdkErrors.invalidGasLimit, 'must provide positive gas');
    const foreign = fee.length > 1 || fee.some(({ denom }) => denom !== context.chain.baseDenom);
    if (context.version.quirks.singleFeeDenom && foreign) {
      throw plainError(`expected only native token ${context.chain.baseDenom} for fee, but got ${formatCoins(fee)}`);
    }
    checkMinimumFee(context, fee, gasLimit);
    if (context.height > 0n && hasFeeMarket(context)) fee = marketFee(context, tx, stated, gasLimit);
  }
  const payer = tx.feePayer;
  if (payer === undefined) throw new SdkError(sdkErrors.txDecode, 'Tx must be a FeeTx');
  const name = encodeAddress(context.chain.bech32Prefix, payer);
  if ((tx.authInfo.fee?.granter ?? '') !== '')
    throw new SdkError(sdkErrors.invalidRequest, 'fee grants are not enabled');
  if (getAccount(context, payer) === undefined)
    throw new SdkError(sdkErrors.unknownAddress, `fee payer address: ${name} does not exist`);
  if (fee.length > 0) {
    if (!areValidCoins(fee)) throw new SdkError(sdkErrors.insufficientFee, `invalid fee amount: ${formatCoins(fee)}`);
    payFee(context, payer, fee);
  }
  context.events.push(
    abciEvent('tx', [
      ['fee', formatCoins(fee)],
      ['fee_payer', name],
    ]),
  );
}

function payFee(context: Context, payer: Uint8Array, fee: readonly Coin[]): void {
  const collector = ensureModuleAccount(context, FEE_COLLECTOR);
  try {
    sendCoins(context, payer, collector, fee);
  } catch (error) {
    if (
      error instanceof SdkError &&
      error.registered.code === sdkErrors.insufficientFunds.code &&
      error.registered.codespace === 'sdk'
    ) {
      throw new SdkError(sdkErrors.insufficientFunds, error.message);
    }
    throw error;
  }
}
