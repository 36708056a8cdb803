import { bloomOfLogs } from '../../../ethereum/bloom.js';
import { contractAddressOf, withDigests } from '../../../ethereum/block-of.js';
import type { EthereumBlockTransaction, EthereumLog } from '../../../ethereum/block-view.js';
import { encodeBlock, hashOfHeader, withdrawalsRoot } from '../../../ethereum/header-encoding.js';
import type { SimulatedBlock, SimulatedBlockOverrides, SimulatedCallResult } from '../../../ethereum/simulation.js';
import { effectiveGasPrice } from '../../../ethereum/transaction-sender.js';
import { encodeTransaction } from '../../../ethereum/transaction-codec.js';
import type { EvmBlock } from '../../../evm/transaction.js';
import type { EvmLog } from '../../../evm/outcome.js';
import type { Crypto } from '../../../ports/crypto.js';
import { toHeight } from '../../../primitives.js';
import { blobGas, blobsIn } from '../blobs.js';
import { vmErrorOf } from '../vm-error.js';
import type { ExecutedCall } from './simulated-call.js';
import type { SimulatedState } from './simulated-state.js';

const ZERO_WORD = new Uint8Array(32);
const GWEI = 1_000_000_000n;

/** Pays the withdrawals of a block after its last call (EIP-4895); returns the paid addresses. */
export function payWithdrawals(state: SimulatedState, overrides: SimulatedBlockOverrides): readonly Uint8Array[] {
  const { withdrawals = [] } = overrides;
  for (const { address, amount } of withdrawals)
    state.setAccount(address, { balance: state.find(address).balance + amount * GWEI });
  return withdrawals.map(({ address }) => address);
}

/** One executed call: result, transaction, and the logs that only its receipt has. */
export interface FinishedCall {
  readonly result: SimulatedCallResult;
  readonly transaction: EthereumBlockTransaction;
}

/** Indices of the next call in its block. */
export interface CallPlace {
  readonly index: number;
  readonly firstLog: number;
  readonly gasBefore: bigint;
  readonly baseFee: bigint;
  /** True when the call's gas limit was lowered to the remaining gas cap. */
  readonly isCapped: boolean;
}

const CAPPED = " (gas limit was capped by the RPC server's global gas cap)";

/** Creates result and receipt of an executed call. A failed call has no logs; `failure` contains its revert data. */
export function finishCall(crypto: Crypto, executed: ExecutedCall, place: CallPlace): FinishedCall {
  const { transaction, from, result, halted } = executed;
  const { status, gasUsed } = result;
  const failed = status !== 'success';
  const numbered = (logs: readonly EvmLog[]): readonly EthereumLog[] =>
    failed ? [] : logs.map((log, at) => ({ ...log, logIndex: place.firstLog + at }));
  const logs = numbered(result.logs);
  const raw = encodeTransaction(transaction);
  const hash = crypto.keccak256(raw);
  return {
    result: {
      output: failed ? new Uint8Array(0) : result.output,
      logs: numbered(executed.logs),
      gasUsed,
      maxUsedGas: gasUsed + result.gasRefunded,
      failure: failed
        ? status === 'revert'
          ? { kind: 'revert', output: result.output }
          : { kind: 'halt', message: `${vmErrorOf(result, halted)}${place.isCapped ? CAPPED : ''}` }
        : undefined,
    },
    transaction: {
      hash,
      consensusHash: hash,
      raw,
      from,
      transaction,
      index: place.index,
      receipt: {
        status: failed ? 'failed' : 'success',
        gasUsed,
        cumulativeGasUsed: place.gasBefore + gasUsed,
        effectiveGasPrice: effectiveGasPrice(transaction, place.baseFee),
        contractAddress: transaction.to === undefined ? contractAddressOf(crypto, from, transaction.nonce) : undefined,
        logs,
        logCount: logs.length,
        logsBloom: bloomOfLogs(crypto, logs),
        output: result.output,
        failure: undefined,
      },
    },
  };
}

/**
 * Creates the block of finished calls. Its hash is that of its Ethereum header, whose state root is zero, because a
 * simulated state has no tree.
 */
export function finishBlock(
  crypto: Crypto,
  parentHash: Uint8Array,
  evm: EvmBlock,
  overrides: SimulatedBlockOverrides,
  finished: readonly FinishedCall[],
): SimulatedBlock {
  const { withdrawals = [], beaconRoot = ZERO_WORD } = overrides;
  const transactions = finished.map(({ transaction }) => transaction);
  const made = withDigests(crypto, {
    height: toHeight(evm.number),
    hash: ZERO_WORD,
    consensusHash: undefined,
    parentHash,
    timestamp: evm.timestamp,
    miner: evm.coinbase,
    stateRoot: ZERO_WORD,
    gasLimit: evm.gasLimit,
    gasUsed: transactions.at(-1)?.receipt.cumulativeGasUsed ?? 0n,
    baseFeePerGas: evm.baseFee,
    size: 0,
    transactions,
    mixHash: evm.prevRandao,
    simulated: {
      beaconRoot,
      withdrawals,
      withdrawalsRoot: withdrawalsRoot(crypto, withdrawals),
      blobGasUsed: transactions.reduce((sum, { transaction }) => sum + blobGas(blobsIn(transaction)), 0n),
    },
  });
  const hash = hashOfHeader(crypto, made);
  return {
    block: { ...made, hash, size: encodeBlock(made).length },
    calls: finished.map(({ result }) => result),
  };
}
