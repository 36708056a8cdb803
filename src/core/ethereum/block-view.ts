/**
 * A block as Ethereum JSON-RPC shows it, the source of `eth_getBlockBy*`, receipts and logs. Contains only
 * transactions with a `MsgEthereumTx`; indices count those.
 */
import type { Height } from '../primitives.js';
import type { EthereumTransaction } from './transaction.js';

/** Facts of a block that its Ethereum header encodes. */
export interface EthereumHeader {
  readonly height: Height;
  readonly parentHash: Uint8Array;
  /** Block time in seconds. */
  readonly timestamp: bigint;
  /** Proposer's account address (20 bytes), or the coinbase set on a dev chain. */
  readonly miner: Uint8Array;
  /** PREVRANDAO of this block (32 bytes); zeros in presets that follow evmd, which does not show it. */
  readonly mixHash: Uint8Array;
  /** At most 32 bytes; absent when empty. */
  readonly extraData?: Uint8Array;
  /** App hash in the block's header: the state after the previous block. */
  readonly stateRoot: Uint8Array;
  /**
   * Root of the Merkle-Patricia trie over the encoded transactions, as in Ethereum. `receiptsRoot` is that over
   * receipts.
   */
  readonly transactionsRoot: Uint8Array;
  readonly receiptsRoot: Uint8Array;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  /** Base fee in wei; undefined when the chain has none. */
  readonly baseFeePerGas: bigint | undefined;
  /** Bloom of all logs, 256 bytes. */
  readonly logsBloom: Uint8Array;
  /** Fields that only simulated blocks have; they are zero or empty elsewhere. */
  readonly simulated?: {
    readonly beaconRoot: Uint8Array;
    readonly withdrawals: readonly Withdrawal[];
    readonly withdrawalsRoot: Uint8Array;
    /** Blob gas used (EIP-4844). */
    readonly blobGasUsed: bigint;
  };
}

export interface EthereumBlock extends EthereumHeader {
  /**
   * Block hash on Ethereum JSON-RPC (32 bytes): the hash of its Ethereum header, or of the CometBFT block when the
   * genesis disables header hashes (`docs/decisions/0030-header-hashes.md`).
   */
  readonly hash: Uint8Array;
  /** CometBFT block hash (32 bytes); undefined for block 0 and simulated blocks. */
  readonly consensusHash: Uint8Array | undefined;
  /** Set for a pending block, whose JSON header has no hash, nonce and miner. */
  readonly isPending?: true;
  /** Length of the encoded CometBFT block in bytes. */
  readonly size: number;
  readonly transactions: readonly EthereumBlockTransaction[];
}

/** The block fields that its logs show. */
export type LoggedBlock = Pick<EthereumBlock, 'height' | 'hash' | 'timestamp' | 'transactions'>;

/** A withdrawal (EIP-4895). */
export interface Withdrawal {
  readonly index: bigint;
  readonly validatorIndex: bigint;
  readonly address: Uint8Array;
  /** Amount in Gwei. */
  readonly amount: bigint;
}

export interface EthereumBlockTransaction {
  /** Ethereum transaction hash (32 bytes). */
  readonly hash: Uint8Array;
  /** CometBFT hash of the wrapping transaction. */
  readonly consensusHash: Uint8Array;
  /** Signed bytes: RLP, or the typed envelope (EIP-2718). */
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
  /** Logs in block order; `logIndex` counts from the block's first log. */
  readonly logs: readonly EthereumLog[];
  /** Number of logs, known without decoding them. */
  readonly logCount: number;
  /** Decodes up to `count` further logs before `logs` is read; true if all are decoded. Absent for decoded logs. */
  readonly decodeLogs?: (count: number) => boolean;
  readonly logsBloom: Uint8Array;
  /** Return or revert data of the execution. */
  readonly output: Uint8Array;
  /** Error text of a failed execution (such as `execution reverted`) with its revert data, if recorded. */
  readonly failure: { readonly message: string; readonly data: Uint8Array } | undefined;
}

export interface EthereumLog {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  readonly logIndex: number;
}
