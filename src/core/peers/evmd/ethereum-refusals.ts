import { ethereumRefusals } from '../../modules/evm/ante/refusals.js';
import { statedFee } from '../../modules/evm/ethereum-message.js';
import { plainError, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';

/** Error texts of cosmos/evm v0.6 (`ante/evm`). */
export const refusals = ethereumRefusals.with({
  notAdmitted: (transaction, _, minimum) =>
    new SdkError(
      sdkErrors.insufficientFee,
      `insufficient fee; got: ${statedFee(transaction)} required: ${minimum * transaction.gasLimit}`,
    ),
  belowMinimum: (text) => new SdkError(sdkErrors.insufficientFee, text),
  senderIsContract: (address) => new SdkError(sdkErrors.invalidType, `the sender is not EOA: address ${address}`),
  insufficientFunds: (balance, cost) =>
    new SdkError(
      sdkErrors.insufficientFunds,
      `failed to check sender balance: sender balance < tx cost (${balance} < ${cost})`,
    ),
  belowBaseFee: (feeCap, baseFee) =>
    new SdkError(sdkErrors.insufficientFee, `max fee per gas less than block base fee (${feeCap} < ${baseFee})`),
  nonceTooHigh: (next, nonce) =>
    plainError(`tx nonce: ${nonce}, account accountNonce: ${next}: tx nonce is higher than account nonce`),
  nonceTooLow: (next, nonce) =>
    plainError(`invalid nonce; got ${nonce}, expected ${next}: tx nonce is lower than account nonce`),
  aboveBlockGas: (wanted, limit) =>
    new SdkError(sdkErrors.outOfGas, `tx gas (${wanted}) exceeds block gas limit (${limit})`),
});
