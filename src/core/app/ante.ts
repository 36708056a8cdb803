import type { AnteRule } from '../sdk/ante.js';
import {
  checkMemo,
  checkTimeout,
  consumeSizeGas,
  rejectExtensionOptions,
  validateBasic,
} from '../modules/auth/ante/basic.js';
import { deductFee } from '../modules/auth/ante/fee.js';
import {
  consumeSignatureGas,
  incrementSequences,
  limitSignatures,
  setPublicKeys,
  verifySignatures,
} from '../modules/auth/ante/signatures.js';
import { sendCoins } from '../modules/bank/transfer.js';
import { rejectEthereumMessages } from '../modules/evm/ante/wrapping.js';
import { countGasWanted } from '../modules/feemarket/base-fee.js';
import { acceptsExtensionOption, chargedFee } from '../modules/feemarket/dynamic-fee.js';

/**
 * The ante rules of Cosmos transactions in the order of cosmos/evm's example application (evmd v0.6, `ante/cosmos.go`).
 */
export const ANTE: readonly AnteRule[] = [
  rejectEthereumMessages,
  rejectExtensionOptions(acceptsExtensionOption),
  validateBasic,
  checkTimeout,
  checkMemo,
  consumeSizeGas,
  deductFee({ sendCoins, chargedFee }),
  setPublicKeys,
  limitSignatures,
  consumeSignatureGas,
  verifySignatures,
  incrementSequences,
  countGasWanted,
];
