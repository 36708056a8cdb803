/** The ante rules of evmd v0.6.0 (`ante/cosmos.go`), and the gas that their refusals show. */
import { MESSAGE_RULES, requireKnownOption, signedRules } from '../../modules/ante.js';
import { CONSENSUS_PARAMS } from '../../modules/consensus/module.js';
import { EVM_PARAMS } from '../../modules/evm/store.js';
import { FEE_MARKET_PARAMS } from '../../modules/feemarket/params.js';
import { refuseRedundantRelay } from '../../modules/ibc/channel/redundant-relay.js';
import { UnmeteredRefusal, type AnteRule } from '../../sdk/module/ante.js';
import type { Context } from '../../sdk/module/context.js';
import { NIL_POINTER, RecoveredPanic, SdkError } from '../../sdk/module/sdk-error.js';
import type { StoreKey } from '../../sdk/module/transaction-rules.js';
import type { Tx } from '../../sdk/module/tx.js';
import { chargedFee, countGasWanted, requireLowestFee } from './feemarket.js';

/**
 * Values that are read before a transaction has a gas meter of its own: by its context, then by the ante handler, which
 * for Ethereum transactions reads those of the EVM, too.
 */
export const CONTEXT_READS: readonly StoreKey[] = [CONSENSUS_PARAMS];
export const ANTE_READS: readonly StoreKey[] = [...CONTEXT_READS, FEE_MARKET_PARAMS];
export const ETHEREUM_READS: readonly StoreKey[] = [...CONTEXT_READS, EVM_PARAMS, FEE_MARKET_PARAMS];

/** The limit of a gas meter without one, which is 2^64 - 1, in a field with a sign. */
const UNLIMITED = -1n;

/** The rule, whose refusals come before the transaction's own gas meter and show the gas of `reads`. */
export function beforeMeter(reads: readonly StoreKey[], rule: AnteRule): AnteRule {
  return (...args) => {
    try {
      rule(...args);
    } catch (error) {
      if (!(error instanceof SdkError) || error instanceof RecoveredPanic || error instanceof UnmeteredRefusal)
        throw error;
      throw new UnmeteredRefusal(error, { reads, gas: 0n, gasWanted: UNLIMITED });
    }
  };
}

/**
 * The rule, whose panics show the gas of `reads` and no limit: baseapp knows the meter of the ante rules when they have
 * ended (cosmos-sdk v0.53 `baseapp/baseapp.go` runTx).
 */
export function recovering(reads: readonly StoreKey[], rule: AnteRule): AnteRule {
  return (...args) => {
    try {
      rule(...args);
    } catch (error) {
      if (!(error instanceof RecoveredPanic)) throw error;
      throw new UnmeteredRefusal(error, { reads, gas: error.gas, gasWanted: 0n });
    }
  };
}

/** The gas limit of a transaction is read before its fee is looked for (cosmos-sdk v0.53 `x/auth/ante/setup.go`). */
function requireFee(_context: Context, { authInfo }: Tx): void {
  if (authInfo.fee === undefined) throw new RecoveredPanic(NIL_POINTER);
}

const RULES: readonly AnteRule[] = [
  beforeMeter(CONTEXT_READS, requireKnownOption),
  ...MESSAGE_RULES.map((rule) => beforeMeter(ANTE_READS, rule)),
  requireFee,
  ...signedRules({ requireLowestFee, chargedFee, countGasWanted }),
  refuseRedundantRelay,
];

/** The ante rules of Cosmos transactions. */
export const EVMD_ANTE: readonly AnteRule[] = RULES.map((rule) => recovering(ANTE_READS, rule));
