/** System calls at the beginning of a block (geth v1.17 `core/state_processor.go` PreExecution). */
import { fromHex } from '../../../bytes/hex.js';
import { intrinsicGas } from '../../../ethereum/gas-rules.js';
import type { EvmEngine } from '../../../evm/engine.js';
import type { EvmFork, EvmTransaction } from '../../../evm/transaction.js';
import type { EvmOutcome } from '../../../evm/outcome.js';
import type { EvmOverride } from '../../../evm/state.js';
import { isForkSince } from '../../../evm/forks.js';
import { RecoveredPanic } from '../../../sdk/module/sdk-error.js';
import { INTERRUPTED } from '../call.js';
import { freeTransaction } from '../free-transaction.js';
import { HISTORY_ADDRESS } from '../state.js';
import type { SimulatedContracts } from './simulated-contracts.js';
import type { SimulatedState } from './simulated-state.js';

/** Beacon roots contract (EIP-4788). */
const BEACON_ROOTS = fromHex('000f3df6d732807ef1319fb7b8bb8522d0beac02');
/** Caller of the system calls, and the gas of each. */
const SYSTEM = fromHex('fffffffffffffffffffffffffffffffffffffffe');
const GAS = 30_000_000n;

/** Engine and state of the calls. */
interface SystemSurroundings {
  readonly engine: EvmEngine;
  readonly state: SimulatedState;
  readonly contracts: SimulatedContracts;
  readonly fork: EvmFork;
  readonly moves: readonly EvmOverride[];
}

/**
 * Calls the contract of EIP-4788 with the parent beacon block root, and that of EIP-2935 with the parent hash, if the
 * state has code for them. A failed call is reverted.
 */
export function runSystemCalls(
  at: SystemSurroundings,
  { beaconRoot, parentHash }: { readonly beaconRoot: Uint8Array; readonly parentHash: Uint8Array },
): 'begun' | 'timeout' {
  const calls = [
    ...(isForkSince(at.fork, 'cancun') ? [systemCall(BEACON_ROOTS, beaconRoot)] : []),
    ...(isForkSince(at.fork, 'prague') ? [systemCall(HISTORY_ADDRESS, parentHash)] : []),
  ];
  for (const { to, transaction } of calls) {
    if (!at.state.hasCode(to)) continue;
    const outcome = execute(at, transaction);
    if (outcome?.kind !== 'executed') continue;
    const { result, changes } = outcome;
    if (result.reason === INTERRUPTED) return 'timeout';
    if (result.status !== 'success') continue;
    for (const change of at.contracts.settle(changes)) {
      at.state.apply(change);
      at.engine.forget(change.address);
    }
  }
  return 'begun';
}

/** Transaction whose gas, besides that of a system call, is its intrinsic gas. */
function systemCall(
  to: Uint8Array,
  data: Uint8Array,
): { readonly to: Uint8Array; readonly transaction: EvmTransaction } {
  return {
    to,
    transaction: freeTransaction({ from: SYSTEM, to, nonce: 0n, gasLimit: GAS + intrinsicGas({ to, data }), data }),
  };
}

/** Executes a call; undefined when it ended in a precompile's panic. */
function execute(
  { engine, state, contracts, moves }: SystemSurroundings,
  transaction: EvmTransaction,
): EvmOutcome | undefined {
  contracts.begin();
  try {
    return engine.callWithEffects(state, transaction, { fees: 'none' }, moves);
  } catch (error) {
    if (error instanceof RecoveredPanic) return undefined;
    throw error;
  }
}
