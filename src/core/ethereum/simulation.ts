/**
 * Requests and results of `eth_simulateV1` (ethereum/execution-apis, section `eth/execute`; geth v1.17
 * `internal/ethapi/simulate.go`).
 */
import type { EvmOverride } from '../evm/state.js';
import { ETHEREUM_LIMITS } from '../limits/limits.js';
import type { EthereumBlockOverrides, EthereumCall } from './call.js';
import type { EthereumBlock, EthereumLog, Withdrawal } from './block-view.js';

export interface Simulation {
  readonly blocks: readonly SimulatedBlockRequest[];
  /** True: transfers of the native coin also appear as logs. */
  readonly traceTransfers: boolean;
  /** True: nonces, fees and balances are checked as in a block. False: base fee and price may be zero. */
  readonly validation: boolean;
  /** True: blocks contain full transactions instead of hashes. */
  readonly fullTransactions: boolean;
  /** JSON-RPC error codes for failed calls. */
  readonly failureCodes: { readonly revert: number; readonly halt: number };
}

export interface SimulatedBlockRequest {
  readonly block: SimulatedBlockOverrides;
  /** Account overrides before the first call; they stay in force for later blocks. */
  readonly accounts: readonly EvmOverride[];
  readonly calls: readonly EthereumCall[];
}

export interface SimulatedBlockOverrides extends EthereumBlockOverrides {
  readonly beaconRoot?: Uint8Array;
  readonly withdrawals?: readonly Withdrawal[];
}

/** Reasons to reject a simulation; Ethereum JSON-RPC maps each to its error code in execution-apis. */
export type SimulationRefusal =
  | 'nonce-too-low'
  | 'nonce-too-high'
  | 'base-fee-too-low'
  | 'intrinsic-gas'
  | 'insufficient-funds'
  | 'block-gas-limit'
  | 'block-number-order'
  | 'block-timestamp-order'
  | 'initcode-size'
  | 'client-limit'
  | 'invalid-params'
  | 'internal'
  | 'plain';

export interface RefusedSimulation {
  readonly kind: 'refused';
  readonly reason: SimulationRefusal;
  readonly message: string;
}

/** `json`: the method's result, an array of blocks. */
export type SimulationResult =
  | { readonly kind: 'blocks'; readonly json: string }
  | RefusedSimulation
  | { readonly kind: 'timeout' };

/** Blocks of a simulation before they are converted to JSON. */
export type SimulatedBlocks =
  | { readonly kind: 'blocks'; readonly blocks: readonly SimulatedBlock[] }
  | RefusedSimulation
  | { readonly kind: 'timeout' };

/** A simulated block and its call results in the order of its transactions. */
export interface SimulatedBlock {
  readonly block: EthereumBlock;
  readonly calls: readonly SimulatedCallResult[];
}

export interface SimulatedCallResult {
  /** Return data of a successful call; empty otherwise. */
  readonly output: Uint8Array;
  /** Logs, with transfers when requested, numbered from the first of the block. */
  readonly logs: readonly EthereumLog[];
  readonly gasUsed: bigint;
  /** Gas used before refunds. */
  readonly maxUsedGas: bigint;
  readonly failure:
    | { readonly kind: 'revert'; readonly output: Uint8Array }
    | { readonly kind: 'halt'; readonly message: string }
    | undefined;
}

/** Creates the result of a rejected simulation; clients see `message`. */
export function refusedSimulation(reason: SimulationRefusal, message: string): RefusedSimulation {
  return { kind: 'refused', reason, message };
}

/** Seconds between two simulated blocks without explicit times. */
const BLOCK_SECONDS = 12n;

/** A planned block with its number and time. */
export type PlannedBlock = SimulatedBlockRequest & {
  readonly block: SimulatedBlockOverrides & { readonly number: bigint; readonly timestamp: bigint };
};

/**
 * Assigns each block a number and a time, and fills gaps between numbers with empty blocks. Rejects numbers and times
 * that do not increase, and more blocks than the limit.
 */
export function planSimulation(
  base: { readonly number: bigint; readonly timestamp: bigint },
  blocks: readonly SimulatedBlockRequest[],
): RefusedSimulation | { readonly kind: 'planned'; readonly blocks: readonly PlannedBlock[] } {
  const planned: PlannedBlock[] = [];
  let { number, timestamp } = base;
  for (const request of blocks) {
    const wanted = request.block.number ?? number + 1n;
    if (wanted <= number)
      return refusedSimulation('block-number-order', `block numbers must be in order: ${wanted} <= ${number}`);
    if (wanted - base.number > BigInt(ETHEREUM_LIMITS.simulatedBlocks)) return tooManyBlocks();
    for (number += 1n; number < wanted; number += 1n) {
      timestamp += BLOCK_SECONDS;
      planned.push({ block: { number, timestamp }, accounts: [], calls: [] });
    }
    const time = request.block.timestamp ?? timestamp + BLOCK_SECONDS;
    if (time <= timestamp)
      return refusedSimulation('block-timestamp-order', `block timestamps must be in order: ${time} <= ${timestamp}`);
    timestamp = time;
    planned.push({ ...request, block: { ...request.block, number, timestamp } });
  }
  return { kind: 'planned', blocks: planned };
}

/** Rejects an empty simulation, and more blocks or calls than the limits allow. */
export function refuseSize({ blocks }: Simulation): RefusedSimulation | undefined {
  const { simulatedCalls, simulatedCallsOfBlock, simulatedBlocks } = ETHEREUM_LIMITS;
  if (blocks.length === 0) return refusedSimulation('invalid-params', 'empty input');
  if (blocks.length > simulatedBlocks) return tooManyBlocks();
  let total = 0;
  for (const { calls } of blocks) {
    if (calls.length > simulatedCallsOfBlock)
      return refusedSimulation(
        'client-limit',
        `too many calls in block: ${calls.length} > ${simulatedCallsOfBlock}, limit simulatedCallsOfBlock`,
      );
    total += calls.length;
    if (total > simulatedCalls)
      return refusedSimulation('client-limit', `too many calls: ${total} > ${simulatedCalls}, limit simulatedCalls`);
  }
  return undefined;
}

function tooManyBlocks(): RefusedSimulation {
  return refusedSimulation(
    'client-limit',
    `too many blocks, limit simulatedBlocks (${ETHEREUM_LIMITS.simulatedBlocks})`,
  );
}
