/** Validates the fee market's parameters (cosmos/evm v0.6 `x/feemarket/types/params.go`). */
import type { Params } from '../../proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import { DEC_ONE, formatDec } from '../../sdk/coins/dec.js';
import { decOfMessage } from '../../sdk/codec/proto-dec.js';
import { NIL_POINTER, plainError, RecoveredPanic, type SdkError } from '../../sdk/module/sdk-error.js';

/**
 * Error of invalid parameters, with cosmos/evm's text; undefined for valid ones. Throws SDK error 2 for a decimal
 * that is not an integer of 10^-18.
 */
export function invalidParams(params: Params): SdkError | undefined {
  const baseFee = decOfMessage(params.baseFee);
  const multiplier = decOfMessage(params.minGasMultiplier);
  const minGasPrice = decOfMessage(params.minGasPrice);
  if (params.baseFeeChangeDenominator === 0) return plainError('base fee change denominator cannot be 0');
  // Go dereferences a nil number.
  if (baseFee === undefined) return new RecoveredPanic(NIL_POINTER);
  if (baseFee < 0n) return plainError(`initial base fee cannot be negative: ${formatDec(baseFee)}`);
  if (params.enableHeight < 0n) return plainError(`enable height cannot be negative: ${params.enableHeight}`);
  if (params.elasticityMultiplier === 0) return plainError('elasticity multiplier cannot be zero: 0');
  const wrong = invalidDecimal(multiplier, DEC_ONE) ?? invalidDecimal(minGasPrice);
  return wrong === undefined ? undefined : plainError(wrong);
}

function invalidDecimal(value: bigint | undefined, maximum?: bigint): string | undefined {
  if (value === undefined) return 'invalid parameter: nil';
  if (value < 0n) return `value cannot be negative: ${formatDec(value)}`;
  if (maximum !== undefined && value > maximum) return `value cannot be greater than 1: ${formatDec(value)}`;
  return undefined;
}
