import { admittedPrice } from '../../../sdk/module/admitted-price.js';
import { encodeAddress } from '../../../sdk/codec/address.js';
import { emit } from '../../../sdk/module/abci-event.js';
import { areValidCoins, formatCoins } from '../../../sdk/coins/coins.js';
import type { Context } from '../../../sdk/module/context.js';
import { equal } from '../../../bytes/bytes.js';
import { isReturned } from '../../../sdk/module/returned-error.js';
import { SdkError, sdkErrors, wrapped } from '../../../sdk/module/sdk-error.js';
import type { Tx } from '../../../sdk/module/tx.js';
import type { Coin } from '../../../proto/cosmos/base/v1beta1/coin_pb.js';
import type { AnteRule } from '../../../sdk/module/ante.js';
import { ensureModuleAccount, FEE_COLLECTOR, getAccount } from '../accounts.js';
import { authRules } from '../rules.js';

/** Functions of other modules for deducting fees (SDK `x/auth/ante` HandlerOptions). */
export interface FeeKeepers {
  /** Moves coins between two accounts (bank). */
  sendCoins(context: Context, from: Uint8Array, to: Uint8Array, coins: readonly Coin[]): void;
  /** Deducts a fee from a granter's allowance (feegrant); `typeUrls` are the messages'. Throws SdkError. */
  useAllowance(
    context: Context,
    pair: { readonly granter: Uint8Array; readonly grantee: Uint8Array },
    fee: readonly Coin[],
    typeUrls: readonly string[],
  ): void;
  /** Fee that is charged for the stated one; throws SdkError when that is too low (SDK TxFeeChecker). */
  chargedFee(context: Context, tx: Tx): readonly Coin[];
}

/** Requires the node's minimum gas price (SDK `checkTxFeeWithValidatorMinGasPrices`). */
function checkMinimumFee(context: Context, fee: readonly Coin[], gasLimit: bigint): void {
  const { baseDenom } = context.chain;
  const minGasPrice = admittedPrice(context);
  if (minGasPrice === 0n) return;
  const required = minGasPrice * gasLimit;
  const paid = fee.find(({ denom }) => denom === baseDenom);
  if (paid === undefined || BigInt(paid.amount) < required) {
    throw new SdkError(
      sdkErrors.insufficientFee,
      `insufficient fees; got: ${formatCoins(fee)} required: ${required}${baseDenom}`,
    );
  }
}

/** Moves the fee from its payer to the fee collector and emits `tx{fee,fee_payer}` (SDK v0.53 DeductFeeDecorator). */
export function deductFee(keepers: FeeKeepers): AnteRule {
  return (context, tx) => {
    const fee = feeOf(keepers, context, tx);
    const payer = tx.feePayer;
    if (tx.granterFault !== undefined) throw authRules.of(context).wrongGranter(tx.granterFault);
    if (payer === undefined) throw new SdkError(sdkErrors.txDecode, 'Tx must be a FeeTx');
    const from = tx.feeGranter ?? payer;
    if (!equal(from, payer)) useGrant(keepers, context, tx, { granter: from, grantee: payer }, fee);
    const name = encodeAddress(context.chain.bech32Prefix, from);
    if (getAccount(context, from) === undefined)
      throw new SdkError(sdkErrors.unknownAddress, `fee payer address: ${name} does not exist`);
    if (fee.some(({ amount }) => BigInt(amount) !== 0n)) {
      if (!areValidCoins(fee)) throw new SdkError(sdkErrors.insufficientFee, `invalid fee amount: ${formatCoins(fee)}`);
      payFee(keepers, context, from, fee);
    }
    emit(context, 'tx', () => [
      ['fee', formatCoins(fee)],
      ['fee_payer', name],
    ]);
  };
}

function useGrant(
  keepers: FeeKeepers,
  context: Context,
  tx: Tx,
  pair: { readonly granter: Uint8Array; readonly grantee: Uint8Array },
  fee: readonly Coin[],
): void {
  try {
    keepers.useAllowance(
      context,
      pair,
      fee,
      tx.handlers.map(({ handler }) => handler.typeUrl),
    );
  } catch (error) {
    if (!isReturned(error)) throw error;
    const [granter, grantee] = [pair.granter, pair.grantee].map((address) =>
      encodeAddress(context.chain.bech32Prefix, address),
    );
    throw wrapped(error, `${granter} does not allow to pay fees for ${grantee}`);
  }
}

/** Fee to deduct: the stated one in simulations, otherwise the fee market's. */
function feeOf(keepers: FeeKeepers, context: Context, tx: Tx): readonly Coin[] {
  const stated = tx.authInfo.fee?.amount ?? [];
  if (context.mode === 'simulate') return stated;
  const gasLimit = tx.authInfo.fee?.gasLimit ?? 0n;
  if (context.height > 0n && gasLimit === 0n)
    throw new SdkError(sdkErrors.invalidGasLimit, 'must provide positive gas');
  checkMinimumFee(context, stated, gasLimit);
  return context.height > 0n ? keepers.chargedFee(context, tx) : stated;
}

function payFee(keepers: FeeKeepers, context: Context, payer: Uint8Array, fee: readonly Coin[]): void {
  const collector = ensureModuleAccount(context, FEE_COLLECTOR);
  try {
    keepers.sendCoins(context, payer, collector, fee);
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
