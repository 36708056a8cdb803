import { feeBelowBaseFee, insufficientFunds, nonceTooHigh, nonceTooLow } from '../../../ethereum/check-transaction.js';
import type { EthereumTransaction } from '../../../ethereum/transaction.js';
import { RuleSet } from '../../../sdk/module/rule-set.js';
import { SdkError, sdkErrors, type RegisteredError } from '../../../sdk/module/sdk-error.js';

/** Errors of Ethereum transactions. Amounts are in wei; codes are the SDK's. */
export interface EthereumRefusals {
  /** The price `offered` is below `minimum`, the node's minimum price. */
  readonly notAdmitted: (transaction: EthereumTransaction, offered: bigint, minimum: bigint) => SdkError;
  /** The fee is below the fee market's minimum price; `text` shows both. */
  readonly belowMinimum: (text: string) => SdkError;
  /** The sender is a contract with `length` bytes of code. */
  readonly senderIsContract: (address: string, length: number) => SdkError;
  readonly insufficientFunds: (balance: bigint, cost: bigint) => SdkError;
  readonly belowBaseFee: (feeCap: bigint, baseFee: bigint) => SdkError;
  readonly nonceTooHigh: (next: bigint, nonce: bigint) => SdkError;
  readonly nonceTooLow: (next: bigint, nonce: bigint) => SdkError;
  readonly aboveBlockGas: (gas: bigint, limit: bigint) => SdkError;
}

/** Creates an error whose complete text is geth's. */
const inWordsOfGeth = (registered: RegisteredError, text: string): SdkError => new SdkError({ ...registered, text });

/** Default errors, with geth's texts. */
export const ethereumRefusals = new RuleSet<EthereumRefusals>({
  notAdmitted: (_, offered, minimum) =>
    inWordsOfGeth(
      sdkErrors.insufficientFee,
      `transaction underpriced: gas price ${offered}, minimum needed ${minimum}`,
    ),
  belowMinimum: (text) => inWordsOfGeth(sdkErrors.insufficientFee, `transaction underpriced: ${text}`),
  senderIsContract: (address, length) =>
    inWordsOfGeth(sdkErrors.invalidType, `sender not an eoa: address ${address}, len(code): ${length}`),
  insufficientFunds: (balance, cost) => inWordsOfGeth(sdkErrors.insufficientFunds, insufficientFunds(balance, cost)),
  belowBaseFee: (feeCap, baseFee) => inWordsOfGeth(sdkErrors.insufficientFee, feeBelowBaseFee(feeCap, baseFee)),
  nonceTooHigh: (next, nonce) => inWordsOfGeth(sdkErrors.wrongSequence, nonceTooHigh(next, nonce)),
  nonceTooLow: (next, nonce) => inWordsOfGeth(sdkErrors.wrongSequence, nonceTooLow(next, nonce)),
  aboveBlockGas: () => inWordsOfGeth(sdkErrors.outOfGas, 'exceeds block gas limit'),
});

/** Error for a stateless rule: format, gas or signature. */
export const ruleError = (text: string): SdkError => inWordsOfGeth(sdkErrors.invalidRequest, text);
