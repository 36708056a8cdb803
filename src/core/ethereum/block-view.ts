/**
 * The Ethereum face's view of a consensus block, from which `eth_getBlockBy*`, receipts and logs are answered. It has
 * only transactions that carry a `MsgEthereumTx`; indices count those.
 */
import type { Height } from '../primitives.js';
import type { EthereumTransaction } from './transaction.js';

/** The facts of a block that its Ethereum header encodes. */
export interface EthereumHeader {
  readonly height: Height;
  readonly parentHash: Uint8Array;
  /** Seconds. */
  readonly timestamp: bigint;
  /** Proposer's account address (20 bytes), or the coinbase that was set on a development chain. */
  readonly miner: Uint8Array;
  /** PREVRANDAO of this block (32 bytes); zeros in presets that follow evmd, whose header does not show it. */
  readonly mixHash: Uint8Array;
  /** At most 32 bytes; absent where it is empty. */
  readonly extraData?: Uint8Array;
  /** App hash in the header: the state after the previous block. */
  readonly stateRoot: Uint8Array;
  /**
   * Root of the Merkle-Patricia trie over the encoded transactions, as in Ethereum; `receiptsRoot` is the same over
   * receipts.
   */
  readonly transactionsRoot: Uint8Array;
  readonly receiptsRoot: Uint8Array;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  /** wei; undefined where the chain has no base fees. */
  readonly baseFeePerGas: bigint | undefined;
  /** 256 bytes. */
  readonly logsBloom: Uint8Array;
  /** Members that only simulated blocks have; elsewhere they are zero and empty. */
  readonly simulated?: {
    readonly beaconRoot: Uint8Array;
    readonly withdrawals: readonly Withdrawal[];
    readonly withdrawalsRoot: Uint8Array;
    /** EIP-4844. */
    readonly blobGasUsed: bigint;
  };
}

export interface EthereumBlock extends EthereumHeader {
  /**
   * Hash of the block on the Ethereum face (32 bytes): that of its header, or on chains whose genesis does not say so
   * that of the consensus block (`docs/decisions/0030-header-hashes.md`).
   */
  readonly hash: Uint8Array;
  /** Hash of the consensus block (32 bytes); undefined where there is none (block 0, simulations). */
  readonly consensusHash: Uint8Array | undefined;
  /** The block is not decided: the header as JSON has no hash, no nonce and no miner. */
  readonly isPending?: true;
  /** Length of the encoded consensus block, bytes. */
  readonly size: number;
  readonly transactions: readonly EthereumBlockTransaction[];
}

/** The part of a block that its logs show. */
export type LoggedBlock = Pick<EthereumBlock, 'height' | 'hash' | 'timestamp' | 'transactions'>;

/** EIP-4895. */
export interface Withdrawal {
  readonly index: bigint;
  readonly validatorIndex: bigint;
  readonly address: Uint8Array;
  /** Gwei. */
  readonly amount: bigint;
}

export interface EthereumBlockTransaction {
  /** Ethereum hash (32 bytes). */
  readonly hash: Uint8Array;
  /** Hash of the wrapping consensus transaction. */
  readonly consensusHash: Uint8Array;
  /** Signed bytes: RLP, or the typed envelope. */
  readonly raw: Uint8Array;
  readonly from: Uint8Array;
  readonly transaction: EthereumTransaction;
  /** Index among the block's Ethereum transactions. */
  readonly index: number;
  readonly receipt: EthereumReceipt;
}

export interface EthereumReceipt {
  readonly status: 'success' | 'failed';
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  readonly effectiveGasPrice: bigint;
  readonly contractAddress: Uint8Array | undefined;
  /** In block order; `logIndex` counts from the block's first log. */
  readonly logs: readonly EthereumLog[];
  readonly logsBloom: Uint8Array;
  /** Data that the execution returned, or its revert data. */
  readonly output: Uint8Array;
  /** Text of a failed execution (such as `execution reverted`) and its revert data, where recorded. */
  readonly failure: { readonly message: string; readonly data: Uint8Array } | undefined;
}

export interface EthereumLog {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  readonly logIndex: number;
}
