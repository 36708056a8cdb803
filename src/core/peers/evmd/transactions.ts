import { CONSENSUS_PARAMS } from '../../modules/consensus/module.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { transactionRules } from '../../sdk/module/transaction-rules.js';

/** Decoding of transactions in cosmos-sdk v0.53. */
export const transactions = transactionRules.with({
  /** Duplicate parts are accepted, and the last ones count: anybody can change the hash of a transaction. */
  requireParts: () => {},
  /** Creating a context reads the consensus parameters (`baseapp/baseapp.go` getContextForTx). */
  readsOfContext: [CONSENSUS_PARAMS],
  /** The block result of undecodable bytes has no detail (`baseapp/abci.go`). */
  undecodable: () => new SdkError(sdkErrors.txDecode),
});
