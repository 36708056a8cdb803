/** Block environment of simulated calls. */
import { refusedSimulation, type RefusedSimulation } from '../../../ethereum/simulation.js';
import { MIN_BLOB_BASE_FEE } from '../../../evm/encoding.js';
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
  /** Blob base fee in wei. */
  readonly blobBaseFee: bigint;
  readonly coinbase: Uint8Array;
  /** Precompiles that are removed or moved in this block. */
  readonly moves: readonly EvmOverride[];
  readonly validation: boolean;
  readonly traceTransfers: boolean;
}

/** Fields that do not follow from the block. */
type CallParts = Pick<CallSurroundings, 'engine' | 'state' | 'contracts' | 'moves' | 'validation' | 'traceTransfers'>;

/** Adds the block's facts; default blob base fee is the minimum (1 wei, EIP-4844). */
export function surroundingsOf({ crypto, chain }: Context, block: EvmBlock, parts: CallParts): CallSurroundings {
  return {
    ...parts,
    crypto,
    chainId: chain.evmChainId,
    baseFee: block.baseFee,
    blobBaseFee: typeof block.blobBaseFee === 'bigint' ? block.blobBaseFee : MIN_BLOB_BASE_FEE,
    coinbase: block.coinbase,
  };
}

/**
 * Enters the engine in a simulated block. Rejects a block whose time or base fee, which may follow from the parent's
 * overrides, is out of range.
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
