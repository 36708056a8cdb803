import { utf8 } from '../../../bytes/bytes.js';
import { parseAmount, formatCoins } from '../../../sdk/coins/coins.js';
import { fromTimestamp, GO_ZERO_TIME, goTime } from '../../../comet/time.js';
import { readBech32Address } from '../../../sdk/codec/bech32-address.js';
import type { Context } from '../../../sdk/module/context.js';
import type { AnteRule } from '../../../sdk/module/ante.js';
import { MAX_GAS } from '../../../sdk/module/gas.js';
import { invalidRequest, SdkError, sdkErrors } from '../../../sdk/module/sdk-error.js';
import type { Tx } from '../../../sdk/module/tx.js';
import { getAccount, getParams } from '../accounts.js';

/**
 * The SDK's estimate for a missing signature in bytes: amino's StdSignature of a 33-byte key and a 64-byte signature,
 * plus 6.
 */
const ESTIMATED_SIGNATURE_BYTES = 112n;

/**
 * Rejects critical extension options except those that `accepts` allows (SDK `x/auth/ante/ext.go`
 * RejectExtensionOptionsDecorator with an ExtensionOptionChecker).
 */
export function rejectExtensionOptions(accepts: (context: Context, typeUrl: string) => boolean): AnteRule {
  return (context, tx) => {
    const option = tx.body.extensionOptions.find(({ typeUrl }) => !accepts(context, typeUrl));
    if (option === undefined) return;
    throw new SdkError(
      sdkErrors.unknownExtensionOptions,
      `rejecting tx with unsupported extension option: ${option.typeUrl}`,
    );
  };
}

/**
 * Rejects an unknown first extension option, which selects the ante handler, before anything else (cosmos/evm v0.6
 * `ante/ante.go`).
 */
export function rejectFirstOption(accepts: (context: Context, typeUrl: string) => boolean): AnteRule {
  const reject = rejectExtensionOptions(accepts);
  return (context, tx, verified) => {
    const [first] = tx.body.extensionOptions;
    if (first !== undefined && !accepts(context, first.typeUrl)) reject(context, tx, verified);
  };
}

/** Requires a gas limit within the block's; simulations are not checked (SDK `x/auth/ante/setup.go`). */
export function limitToBlock({ mode, blockMaxGas }: Context, { authInfo }: Tx): void {
  const gasLimit = authInfo.fee?.gasLimit ?? 0n;
  if (mode !== 'simulate' && blockMaxGas !== undefined && gasLimit > blockMaxGas)
    throw new SdkError(sdkErrors.invalidGasLimit, `tx gas limit ${gasLimit} exceeds block max gas ${blockMaxGas}`);
}

/** Validates fee and number of signatures (SDK `x/auth/tx` ValidateBasic). */
export function validateBasic({ chain }: Context, tx: Tx): void {
  const { fee } = tx.authInfo;
  if (fee === undefined) throw invalidRequest('missing fee');
  if (fee.gasLimit > MAX_GAS) throw invalidRequest(`invalid gas supplied; ${fee.gasLimit} > ${MAX_GAS}`);
  if (fee.amount.some(({ amount }) => amount === ''))
    throw new SdkError(sdkErrors.insufficientFee, 'invalid fee provided: null');
  if (fee.amount.some(({ amount }) => parseAmount(amount) === undefined))
    throw new SdkError(sdkErrors.insufficientFee, `invalid fee provided: ${formatCoins(fee.amount)}`);
  if (fee.payer !== '') {
    const payer = readBech32Address(chain.bech32Prefix, fee.payer);
    if (!payer.ok) throw new SdkError(sdkErrors.invalidAddress, `Invalid fee payer address (${payer.error.message})`);
  }
  if (tx.signatures.length === 0) throw new SdkError(sdkErrors.noSignatures);
  if (tx.signersFault !== undefined) throw tx.signersFault;
  if (tx.signatures.length !== tx.signers.length) {
    throw new SdkError(
      sdkErrors.unauthorized,
      `wrong number of signers; expected ${tx.signers.length}, got ${tx.signatures.length}`,
    );
  }
}

/** Rejects a transaction after its timeout height or time (SDK v0.53 TxTimeoutHeightDecorator). */
export function checkTimeout(context: Context, tx: Tx): void {
  const timeout = tx.body.timeoutHeight;
  if (timeout > 0n && context.height > timeout) {
    throw new SdkError(sdkErrors.txTimeoutHeight, `block height: ${context.height}, timeout height: ${timeout}`);
  }
  const { timeoutTimestamp } = tx.body;
  if (timeoutTimestamp === undefined) return;
  const time = fromTimestamp(timeoutTimestamp);
  // The SDK treats Go's zero time and the first second of 1970 as absent.
  if (time !== GO_ZERO_TIME && timeoutTimestamp.seconds !== 0n && time < context.time) {
    throw new SdkError(sdkErrors.txTimeout, `block time: ${goTime(context.time)}, timeout timestamp: ${goTime(time)}`);
  }
}

/** Requires a memo within the limit of the auth parameters. */
export function checkMemo(context: Context, tx: Tx): void {
  const { length } = utf8(tx.body.memo);
  if (length === 0) return;
  const { maxMemoCharacters } = getParams(context);
  if (BigInt(length) > maxMemoCharacters) {
    throw new SdkError(
      sdkErrors.memoTooLarge,
      `maximum number of characters is ${maxMemoCharacters} but received ${length} characters`,
    );
  }
}

/** Charges gas per byte; simulations add an estimate for missing signatures. */
export function consumeSizeGas(context: Context, tx: Tx): void {
  const { txSizeCostPerByte } = getParams(context);
  // The SDK multiplies in 64 bits.
  context.gas.consume(BigInt.asUintN(64, txSizeCostPerByte * BigInt(tx.size)), 'txSize');
  if (context.mode !== 'simulate') return;
  tx.signers.forEach((signer, index) => {
    if ((tx.signatures[index]?.length ?? 0) > 0) return;
    getAccount(context, signer);
    context.gas.consume(BigInt.asUintN(64, txSizeCostPerByte * ESTIMATED_SIGNATURE_BYTES), 'txSize');
  });
}
