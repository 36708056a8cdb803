import type { EvmKeeper } from '../../sdk/module/keepers.js';
import { DEC_ONE } from '../../sdk/coins/dec.js';
import { EMPTY } from '../../bytes/bytes.js';
import { assumeBaseFeeOf, baseFeeAfterLast, nextBaseFeeOverride } from '../feemarket/base-fee.js';
import { getBaseFee, getParams } from '../feemarket/params.js';
import { dumpPart } from './dump-part.js';
import { createAccessList } from './access-list.js';
import { restoreSpent, recheckEthereumAnte } from './ante/pending.js';
import { getBlockHashes } from './block-hashes.js';
import { blockRules } from './block-rules.js';
import { callEvm, traceCall } from './call.js';
import { estimateGas } from './estimate-gas.js';
import { writeBlockHash } from './response.js';
import { sequenceCalls } from './simulation/call-sequence.js';
import { simulate } from './simulation/simulate.js';
import { evmState } from './state.js';
import { changedAccounts, proofOf, slotsOf, statePart } from './state-tries.js';
import { getCode, getCodeHash, getStorage, isEmptyCodeHash } from './store.js';
import { evmCoin } from '../../sdk/coins/evm-coin.js';
import { RecoveredPanic } from '../../sdk/module/sdk-error.js';
import { traceEthereumTx } from './trace.js';

/** Keeper of the EVM: state reads, and executions without persistent effects. */
export const evmKeeper: EvmKeeper = {
  account: (context, address) =>
    evmState(context).account(address) ?? { balance: 0n, nonce: 0n, codeHash: getCodeHash(context, address) },
  code(context, address) {
    const hash = getCodeHash(context, address);
    return isEmptyCodeHash(hash) ? EMPTY : (getCode(context, hash) ?? EMPTY);
  },
  codeOf: (context, hash) => (isEmptyCodeHash(hash) ? EMPTY : getCode(context, hash)),
  storage(context, address, slot) {
    const word = new Uint8Array(32);
    const value = getStorage(context, address, slot);
    if (value !== undefined) word.set(value, 32 - value.length);
    return word;
  },
  dumpPart,
  writeBlockHash,
  headerHashing(context) {
    const before = getBlockHashes(context);
    return before && { parentHash: before.ethereum, prevRandao: blockRules.of(context).shownPrevRandao };
  },
  admissionBaseFee: (context) => nextBaseFeeOverride(context, context.height + 1n) ?? getBaseFee(context),
  assumeBaseFeeOf,
  nextBaseFee(context) {
    const params = getParams(context);
    if (params.noBaseFee) return 0n;
    const override = nextBaseFeeOverride(context, context.height + 1n);
    if (override !== undefined) return override;
    // Before its start height the base fee is that of genesis.
    const fee = context.height < params.enableHeight ? params.baseFee : baseFeeAfterLast(context, params);
    return (fee * evmCoin(context).unit) / DEC_ONE;
  },
  minGasPrice: (context) => (getParams(context).minGasPrice * evmCoin(context).unit + DEC_ONE - 1n) / DEC_ONE,
  call: (context, call, overrides, block, gasCap) =>
    recovered(() => callEvm(context, call, overrides, block, gasCap), refused),
  estimateGas: (context, call, overrides, block, budget) =>
    recovered(() => estimateGas(context, call, overrides, block, undefined, budget), refused),
  createAccessList: (context, call, overrides) => recovered(() => createAccessList(context, call, overrides), refused),
  traceCall: (context, call, overrides, block, options) =>
    recovered(
      () => traceCall(context, call, overrides, block, options),
      (message) => ({ ok: false, message }),
    ),
  simulate,
  sequenceCalls,
  statePart,
  changedAccounts,
  proof: proofOf,
  slots: slotsOf,
  traceTransaction: traceEthereumTx,
  recheck: recheckEthereumAnte,
  restoreSpent,
};

/** Runs `run`; converts a peer's panic to a refusal with its reason. */
function recovered<Value>(run: () => Value, refuse: (reason: string) => Value): Value {
  try {
    return run();
  } catch (error) {
    if (error instanceof RecoveredPanic) return refuse(error.reason);
    throw error;
  }
}

const refused = (message: string) => ({ kind: 'refused', message }) as const;
