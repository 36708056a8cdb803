/** Fee market rules for Cosmos transactions (cosmos/evm v0.6 `ante/evm/fee_checker.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { ExtensionOptionDynamicFeeTxSchema } from '../../proto/cosmos/evm/ante/v1/dynamic_fee_pb.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { getParams } from './params.js';
import { coin } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, formatDec } from '../../sdk/coins/dec.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { Tx } from '../../sdk/module/tx.js';

/** Type URLs of the dynamic fee extension option, with the unit of its price in 10^-18 coins. */
const DYNAMIC_FEES: ReadonlyMap<string, bigint> = new Map([
  ['/cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx', 1n],
  // Price in whole coins (ethermint v0.22 `types/dynamic_fee.go`).
  ['/ethermint.types.v1.ExtensionOptionDynamicFeeTx', DEC_ONE],
]);

/** True when the application version includes feemarket. */
export function hasFeeMarket(context: Pick<Context, 'version'>): boolean {
  return context.version.initOrder.includes('feemarket');
}

function isDynamicFee(typeUrl: string): boolean {
  return DYNAMIC_FEES.has(typeUrl);
}

/**
 * True for the dynamic fee extension option, if the application has a fee market (cosmos/evm `ante/types`
 * HasDynamicFeeExtensionOption).
 */
export function acceptsExtensionOption(context: Pick<Context, 'version'>, typeUrl: string): boolean {
  return isDynamicFee(typeUrl) && hasFeeMarket(context);
}

/** Price offered by a transaction. */
export interface Offer {
  readonly denom: string;
  /** Gas price in 10^-18 coins, rounded down. */
  readonly price: bigint;
  readonly gasLimit: bigint;
}

/** Price that the stated fee offers. */
export function offerOf({ chain: { baseDenom: denom } }: Context, { authInfo: { fee } }: Tx): Offer {
  const gasLimit = fee?.gasLimit ?? 0n;
  const paid = BigInt(fee?.amount.find((one) => one.denom === denom)?.amount ?? '0');
  return { denom, price: (paid * DEC_ONE) / gasLimit, gasLimit };
}

/** Throws SDK error 13 for a price below `required` (10^-18 coins). */
export function requirePrice({ denom, price }: Offer, required: bigint): void {
  if (price >= required) return;
  throw new SdkError(
    sdkErrors.insufficientFee,
    `gas prices too low, got: ${formatDec(price)}${denom} required: ${formatDec(required)}${denom}. Please retry using a higher gas price or a higher fee`,
  );
}

/** Fee for the complete gas limit at `price` (10^-18 coins), rounded up to a whole coin. */
export const feeAt = ({ gasLimit }: Offer, price: bigint): bigint => (price * gasLimit + DEC_ONE - 1n) / DEC_ONE;

/**
 * Fee to charge: the stated one; or, with the extension option, base fee plus at most the tip for the complete gas
 * limit. Throws SdkError for prices below the base fee.
 */
export function chargedFee(context: Context, tx: Tx): readonly Coin[] {
  const stated = tx.authInfo.fee?.amount ?? [];
  if (!hasFeeMarket(context)) return stated;
  const offer = offerOf(context, tx);
  const { noBaseFee, baseFee } = getParams(context);
  const required = noBaseFee ? 0n : baseFee;
  requirePrice(offer, required);
  const tip = tipOf(tx);
  if (tip === undefined || required + tip >= offer.price) return stated;
  const charged = feeAt(offer, required + tip);
  return charged === 0n ? [] : [coin(offer.denom, charged)];
}

/** Highest tip (10^-18 coins) in the extension option; undefined without the option. */
export function tipOf(tx: Tx): bigint | undefined {
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
  return text === '' ? 0n : BigInt(text) * (DYNAMIC_FEES.get(option.typeUrl) ?? 1n);
}
