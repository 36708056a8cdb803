import type { Context } from '../../sdk/context.js';
import type { Tx } from '../../sdk/tx.js';
import { countGasWanted } from '../../modules/feemarket/base-fee.js';
import {
  checkMemo,
  checkTimeout,
  consumeSizeGas,
  rejectEthereumMessages,
  rejectExtensionOptions,
  validateBasic,
} from './basic.js';
import { deductFee } from './fee.js';
import {
  consumeSignatureGas,
  incrementSequences,
  limitSignatures,
  setPublicKeys,
  verifySignatures,
} from './signatures.js';

/** The ante chain of Cosmos transactions in the SDK's order (application-modules.md 3.4, evmd chain); throws SdkError. */
export function runAnte(context: Context, tx: Tx, verified: boolean): void {
  rejectEthereumMessages(tx);
  rejectExtensionOptions(context, tx);
  validateBasic(tx);
  checkTimeout(context, tx);
  checkMemo(context, tx);
  consumeSizeGas(context, tx);
  deductFee(context, tx);
  setPublicKeys(context, tx);
  limitSignatures(context, tx);
  consumeSignatureGas(context, tx);
  verifySignatures(context, tx, verified);
  incrementSequences(context, tx);
  countGasWanted(context, tx.authInfo.fee?.gasLimit ?? 0n);
}
