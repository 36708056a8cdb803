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
  /** Transfers of the base coin become logs, too. */
  readonly traceTransfers: boolean;
  /** Nonces, fees and balances are checked as in a block; otherwise base fee and price may be zero. */
  readonly validation: boolean;
  /** Blocks show transactions instead of their hashes. */
  readonly fullTransactions: boolean;
  /** Codes of failed calls in the answer. */
  readonly failureCodes: { readonly revert: number; readonly halt: number };
}

export interface SimulatedBlockRequest {
  readonly block: SimulatedBlockOverrides;
  /** Edits of accounts before the first call; they stay for the blocks that follow. */
  readonly accounts: readonly EvmOverride[];
  readonly calls: readonly EthereumCall[];
}

export interface SimulatedBlockOverrides extends EthereumBlockOverrides {
  readonly beaconRoot?: Uint8Array;
  readonly withdrawals?: readonly Withdrawal[];
}

/** Reasons why a simulation was not made; the face gives each its code of execution-apis. */
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

/** `json`: the array of blocks as the method answers it. */
export type SimulationResult =
  | { readonly kind: 'blocks'; readonly json: string }
  | RefusedSimulation
  | { readonly kind: 'timeout' };

/** The blocks of a simulation before they are written. */
export type SimulatedBlocks =
  | { readonly kind: 'blocks'; readonly blocks: readonly SimulatedBlock[] }
  | RefusedSimulation
  | { readonly kind: 'timeout' };

/** A simulated block and the results of its calls, in the order of its transactions. */
export interface SimulatedBlock {
  readonly block: EthereumBlock;
  readonly calls: readonly SimulatedCallResult[];
}

export interface SimulatedCallResult {
  /** Return data of a success; empty otherwise. */
  readonly output: Uint8Array;
  /** With transfers where they are requested, numbered from the first of the block. */
  readonly logs: readonly EthereumLog[];
  readonly gasUsed: bigint;
  /** Gas before refunds. */
  readonly maxUsedGas: bigint;
  readonly failure:
    | { readonly kind: 'revert'; readonly output: Uint8Array }
    | { readonly kind: 'halt'; readonly message: string }
    | undefined;
}

/** Makes the result of a simulation that is refused; clients see `message`. */
export function refusedSimulation(reason: SimulationRefusal, message: string): RefusedSimulation {
  return { kind: 'refused', reason, message };
}

/** Seconds between two simulated blocks that name no time. */
const BLOCK_SECONDS = 12n;

/** A block of the plan: every block has its number and its time. */
export type PlannedBlock = SimulatedBlockRequest & {
  readonly block: SimulatedBlockOverrides & { readonly number: bigint; readonly timestamp: bigint };
};

/**
 * Gives each block its number and time, and fills gaps between numbers with empty blocks. Refuses numbers and times
 * that do not rise, and more blocks than the limit.
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

/** Refuses an empty simulation, and more blocks or calls than the limits. */
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
