import { CONSENSUS_PARAMS } from '../../modules/consensus/module.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { transactionRules } from '../../sdk/module/transaction-rules.js';

/** Transactions of cosmos-sdk v0.53. */
export const transactions = transactionRules.with({
  /** The last of several bodies counts, and the last of its signers: anybody can change the hash of a transaction. */
  requireParts: () => {},
  /** A context reads the consensus parameters (`baseapp/baseapp.go` getContextForTx). */
  readsOfContext: [CONSENSUS_PARAMS],
  /** The block result of undecodable bytes has no reason (`baseapp/abci.go`). */
  undecodable: () => new SdkError(sdkErrors.txDecode),
});
