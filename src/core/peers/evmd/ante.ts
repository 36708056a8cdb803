/** Ante rules of evmd v0.6.0 (`ante/cosmos.go`), and the gas that its rejections report. */
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
import { chargedFee, countGasWanted, requireMinGasPrice } from './feemarket.js';

/**
 * Values read before a transaction has its own gas meter: by its context, then by the ante handler, which for
 * Ethereum transactions also reads those of the EVM.
 */
export const CONTEXT_READS: readonly StoreKey[] = [CONSENSUS_PARAMS];
export const ANTE_READS: readonly StoreKey[] = [...CONTEXT_READS, FEE_MARKET_PARAMS];
export const ETHEREUM_READS: readonly StoreKey[] = [...CONTEXT_READS, EVM_PARAMS, FEE_MARKET_PARAMS];

/** Limit of an infinite gas meter, 2^64 - 1, as a signed number. */
const UNLIMITED = -1n;

/** Wraps a rule whose rejections come before the transaction's own gas meter and report the gas of `reads`. */
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
 * Wraps a rule whose panics report the gas of `reads` and no limit: baseapp gets the ante handler's meter only when
 * it returns (cosmos-sdk v0.53 `baseapp/baseapp.go` runTx).
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

/** The gas limit is read before the fee is checked for absence (cosmos-sdk v0.53 `x/auth/ante/setup.go`). */
function requireFee(_context: Context, { authInfo }: Tx): void {
  if (authInfo.fee === undefined) throw new RecoveredPanic(NIL_POINTER);
}

const RULES: readonly AnteRule[] = [
  beforeMeter(CONTEXT_READS, requireKnownOption),
  ...MESSAGE_RULES.map((rule) => beforeMeter(ANTE_READS, rule)),
  requireFee,
  ...signedRules({ requireMinGasPrice, chargedFee, countGasWanted }),
  refuseRedundantRelay,
];

/** Ante rules of Cosmos transactions. */
export const EVMD_ANTE: readonly AnteRule[] = RULES.map((rule) => recovering(ANTE_READS, rule));
