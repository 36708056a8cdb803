/** Fees of Cosmos transactions in the fee market (cosmos/evm v0.6 `ante/evm/fee_checker.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { ExtensionOptionDynamicFeeTxSchema } from '../../proto/cosmos/evm/ante/v1/dynamic_fee_pb.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { getParams } from './params.js';
import { coin } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, formatDec } from '../../sdk/coins/dec.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { Tx } from '../../sdk/module/tx.js';

const DYNAMIC_FEE_URLS: readonly string[] = [
  '/cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx',
  '/ethermint.types.v1.ExtensionOptionDynamicFeeTx',
];

export function hasFeeMarket(context: Pick<Context, 'version'>): boolean {
  return context.version.initOrder.includes('feemarket');
}

function isDynamicFee(typeUrl: string): boolean {
  return DYNAMIC_FEE_URLS.includes(typeUrl);
}

/**
 * True for the option that bounds the tip, where the application has a fee market (cosmos/evm `ante/types`
 * HasDynamicFeeExtensionOption).
 */
export function acceptsExtensionOption(context: Pick<Context, 'version'>, typeUrl: string): boolean {
  return isDynamicFee(typeUrl) && hasFeeMarket(context);
}

/** The highest price above the base fee without the extension option, under evmd. */
const MAX_TIP = (2n ** 63n - 1n) * DEC_ONE;

/**
 * The fee that is charged for the stated one: all of it, or the base fee and at most the tip, for all of the gas limit.
 * Throws SdkError for prices below the base fee. evmd names the coin also where nothing of it is charged.
 */
export function chargedFee(context: Context, tx: Tx): readonly Coin[] {
  const stated = tx.authInfo.fee?.amount ?? [];
  if (!hasFeeMarket(context)) return stated;
  const gasLimit = tx.authInfo.fee?.gasLimit ?? 0n;
  const params = getParams(context);
  const { baseDenom } = context.chain;
  const paid = BigInt(stated.find(({ denom }) => denom === baseDenom)?.amount ?? '0');
  const price = (paid * DEC_ONE) / gasLimit;
  // evmd looks at the base fee alone, which stays in the parameters when it is off (cosmos/evm v0.6 FeeChecker)
  const hasRulesOfGeth = context.version.quirks.ethereumRules === 'geth';
  const isFree = params.noBaseFee && hasRulesOfGeth;
  const required = isFree ? 0n : params.baseFee;
  if (price < required) {
    throw new SdkError(
      sdkErrors.insufficientFee,
      `gas prices too low, got: ${formatDec(price)}${baseDenom} required: ${formatDec(required)}${baseDenom}. Please retry using a higher gas price or a higher fee`,
    );
  }
  const tip = tipOf(tx) ?? (hasRulesOfGeth ? undefined : MAX_TIP);
  const isBounded = tip !== undefined && required + tip < price;
  if (!isBounded && hasRulesOfGeth) return stated;
  const charged = ((isBounded ? required + tip : price) * gasLimit + DEC_ONE - 1n) / DEC_ONE;
  return charged === 0n && hasRulesOfGeth ? [] : [coin(baseDenom, charged)];
}

/** Highest price above the base fee (10^-18) that the extension option allows; undefined without the option. */
function tipOf(tx: Tx): bigint | undefined {
  const option = tx.body.extensionOptions.find(({ typeUrl }) => isDynamicFee(typeUrl));
  if (option === undefined) return undefined;
  let text: string;
  try {
    text = fromBinary(ExtensionOptionDynamicFeeTxSchema, option.value).maxPriorityPrice;
  } catch {
    throw new SdkError(sdkErrors.txDecode, 'cannot decode cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx');
  }
  if (/^-[0-9]+$/.test(text)) throw new SdkError(sdkErrors.insufficientFee, 'max priority price cannot be negative');
  if (!/^[0-9]{0,78}$/.test(text)) throw new SdkError(sdkErrors.txDecode, 'max priority price is not a decimal');
  return text === '' ? 0n : BigInt(text);
}
