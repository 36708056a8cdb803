/** The block in which calls of a simulation run. */
import { refusedSimulation, type RefusedSimulation } from '../../../ethereum/simulation.js';
import { LEAST_BLOB_BASE_FEE } from '../../../evm/encoding.js';
import type { EvmBlock } from '../../../evm/transaction.js';
import type { EvmEngine } from '../../../evm/engine.js';
import type { EvmOverride } from '../../../evm/state.js';
import { EncodingOverflow } from '../../../evm/flat-bytes.js';
import type { Crypto } from '../../../ports/crypto.js';
import { BlockScope } from '../../../sdk/module/block-scope.js';
import type { Context } from '../../../sdk/module/context.js';
import type { SimulatedContracts } from './simulated-contracts.js';
import type { SimulatedState } from './simulated-state.js';

/** Facts of the block in which a call runs. */
export interface CallSurroundings {
  readonly crypto: Crypto;
  readonly engine: EvmEngine;
  readonly state: SimulatedState;
  readonly contracts: SimulatedContracts;
  readonly chainId: bigint;
  readonly baseFee: bigint;
  /** wei per blob gas. */
  readonly blobBaseFee: bigint;
  readonly coinbase: Uint8Array;
  /** Precompiled contracts that are taken away or moved in this block. */
  readonly moves: readonly EvmOverride[];
  readonly validation: boolean;
  readonly traceTransfers: boolean;
}

/** The surroundings that do not follow from the block. */
type CallParts = Pick<CallSurroundings, 'engine' | 'state' | 'contracts' | 'moves' | 'validation' | 'traceTransfers'>;

/** Adds the facts of the block; a block without a blob base fee has the least one (1 wei, EIP-4844). */
export function surroundingsOf({ crypto, chain }: Context, block: EvmBlock, parts: CallParts): CallSurroundings {
  return {
    ...parts,
    crypto,
    chainId: chain.evmChainId,
    baseFee: block.baseFee,
    blobBaseFee: typeof block.blobBaseFee === 'bigint' ? block.blobBaseFee : LEAST_BLOB_BASE_FEE,
    coinbase: block.coinbase,
  };
}

/**
 * The engine in a block of its own, whose environment is not that of the context. Refuses a block whose time or base
 * fee, which may follow from overrides of the block before, fits into no block.
 */
export function enterBlock(
  context: Context,
  block: EvmBlock,
  contracts: SimulatedContracts,
): { readonly kind: 'entered'; readonly engine: EvmEngine } | RefusedSimulation {
  const { evm } = context;
  if (evm === undefined) return refusedSimulation('plain', 'this process has no EVM');
  const scope = new BlockScope(context.block.hash, context.block.proposer, context.gas);
  try {
    return { kind: 'entered', engine: evm.enter(scope, () => block, contracts) };
  } catch (error) {
    if (error instanceof EncodingOverflow) return refusedSimulation('invalid-params', error.message);
    throw error;
  }
}
