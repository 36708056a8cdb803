/** Builds the Ethereum view of a stored block from the block and its results alone (`docs/interfaces/eth-rpc.md`). */
import { txHash } from '../comet/body-hash.js';
import type { EncodedResults } from '../comet/encoded-results.js';
import type { StoredBlock } from '../comet/stored-block.js';
import { onFirstCall } from '../on-first-call.js';
import type { Crypto } from '../ports/crypto.js';
import { type Height, toHeight } from '../primitives.js';
import type { EthereumBlock, EthereumBlockTransaction, EthereumLog, EthereumReceipt } from './block-view.js';
import { bloomOfLogs, unionOfBlooms } from './bloom.js';
import { contentOf } from './content.js';
import { hashOfHeader } from './header-encoding.js';
import { headerFactsOf, shownGasLimit, headerHashesOf, type HeaderSurroundings } from './header-facts.js';
import { orderedTrieRoot } from './ordered-trie.js';
import { encodeReceipt } from './receipt-encoding.js';
import { encodeRlp, rlpNumber } from './rlp.js';
import { effectiveGasPrice } from './transaction-sender.js';
import type { EthereumTransaction } from './transaction.js';
import { type ExecutionResponse, readResponse } from './wrapped-transaction.js';

type Hashes = Pick<Crypto, 'keccak256' | 'sha256'>;

/** The part of a block's results that the Ethereum view needs. */
export type TransactionResults = Pick<EncodedResults, 'txCount' | 'outcome' | 'txEvents'>;

/** Facts about a block that the block itself does not contain. */
export interface BlockSurroundings extends HeaderSurroundings {
  /** Set for the pending block, which would follow the head. */
  readonly isPending?: true;
  /** Hash of the genesis block, the first block's parent. */
  readonly genesisHash: Uint8Array;
}

const NO_HASH = new Uint8Array(32);

/**
 * Builds the view. It contains transactions that passed the ante handler (fee paid, nonce used) in block order:
 * executed ones with their execution result, and those that failed outside of the EVM as failed receipts. Roots and
 * blooms are computed on first use, because most readers do not need them.
 */
export function ethereumBlockOf(
  crypto: Hashes,
  stored: StoredBlock,
  results: EncodedResults,
  surroundings: BlockSurroundings,
): EthereumBlock {
  const { header } = stored.block;
  const { events } = results;
  const hashes = headerHashesOf(results);
  const parentHash = header?.lastBlockId?.hash ?? new Uint8Array(0);
  const facts = headerFactsOf(
    {
      height: toHeight(header?.height ?? 0n),
      parentHash: hashes?.parentHash ?? (parentHash.length === 0 ? surroundings.genesisHash : parentHash),
      timestamp: header?.time?.seconds ?? 0n,
      stateRoot: header?.appHash ?? new Uint8Array(32),
    },
    events,
    surroundings,
  );
  const transactions = transactionsOf(crypto, stored.block.data?.txs ?? [], results, facts.baseFeePerGas ?? 0n);
  return withDigests(crypto, {
    ...facts,
    hash: hashes?.hash ?? stored.blockId.hash,
    consensusHash: stored.blockId.hash,
    gasUsed: transactions.at(-1)?.receipt.cumulativeGasUsed ?? 0n,
    size: stored.size,
    ...(surroundings.isPending && { isPending: true }),
    transactions,
  });
}

/**
 * Builds the synthetic genesis block: no transactions, no parent, genesis time. Its hash is that of a header with
 * number 0 even when the chain starts at a later height; the first block has it as its parent hash.
 */
export function genesisEthereumBlock(
  crypto: Hashes,
  genesis: {
    /** Block number to show; default 0. */
    readonly height?: Height | undefined;
    /** Block hash to show; default: the hash of its header. */
    readonly hash?: Uint8Array | undefined;
    readonly timestamp: bigint;
    readonly maxGas: bigint;
    readonly baseFeePerGas: bigint | undefined;
  },
): EthereumBlock {
  const block = withDigests(crypto, {
    height: toHeight(0n),
    hash: NO_HASH,
    consensusHash: undefined,
    parentHash: NO_HASH,
    timestamp: genesis.timestamp,
    miner: new Uint8Array(20),
    mixHash: NO_HASH,
    stateRoot: NO_HASH,
    gasLimit: shownGasLimit(genesis.maxGas),
    gasUsed: 0n,
    baseFeePerGas: genesis.baseFeePerGas,
    size: 0,
    transactions: [],
  });
  return { ...block, height: genesis.height ?? block.height, hash: genesis.hash ?? hashOfHeader(crypto, block) };
}

/** Adds the fields that need a hash per transaction or log. */
export function withDigests(
  crypto: Hashes,
  block: Omit<EthereumBlock, 'transactionsRoot' | 'receiptsRoot' | 'logsBloom'>,
): EthereumBlock {
  const transactionsRoot = onFirstCall(() =>
    orderedTrieRoot(
      crypto,
      block.transactions.map(({ raw }) => raw),
    ),
  );
  const receiptsRoot = onFirstCall(() =>
    orderedTrieRoot(
      crypto,
      block.transactions.map(({ transaction, receipt }) => encodeReceipt(transaction.type, receipt)),
    ),
  );
  const logsBloom = onFirstCall(() => unionOfBlooms(block.transactions.map(({ receipt }) => receipt.logsBloom)));
  return {
    ...block,
    get logsBloom() {
      return logsBloom();
    },
    get transactionsRoot() {
      return transactionsRoot();
    },
    get receiptsRoot() {
      return receiptsRoot();
    },
  };
}

function transactionsOf(
  crypto: Hashes,
  txs: readonly Uint8Array[],
  results: TransactionResults,
  baseFee: bigint,
): readonly EthereumBlockTransaction[] {
  const transactions: EthereumBlockTransaction[] = [];
  let cumulativeGasUsed = 0n;
  let logIndex = 0;
  for (const [position, tx] of txs.entries()) {
    const content = position < results.txCount ? contentOf(crypto, tx) : undefined;
    const response = content === undefined ? undefined : responseOf(results, position);
    if (content === undefined || response === undefined) continue;
    const { hash, from, raw, transaction } = content;
    cumulativeGasUsed += response.gasUsed;
    const receipt = receiptOf(crypto, transaction, from, response, { baseFee, cumulativeGasUsed, logIndex });
    logIndex += receipt.logCount;
    transactions.push({
      hash,
      consensusHash: txHash(crypto, tx),
      raw,
      from,
      transaction,
      index: transactions.length,
      receipt,
    });
  }
  return transactions;
}

/**
 * Execution result of a transaction. Undefined when the transaction did not pass the ante handler, so Ethereum
 * clients do not see it. The last ante decorator emits an `ethereum_tx` event, which stays when the message fails
 * outside of the EVM.
 */
export function responseOf(
  results: Pick<TransactionResults, 'outcome' | 'txEvents'>,
  index: number,
): ExecutionResponse | undefined {
  const outcome = results.outcome(index);
  if (outcome === undefined) return undefined;
  if (outcome.code === 0) return readResponse(outcome.data);
  if (!results.txEvents(index).some(({ type }) => type === 'ethereum_tx')) return undefined;
  const vmError = 'failed to execute message';
  return { ...NO_LOGS, returned: new Uint8Array(0), vmError, gasUsed: outcome.gasUsed };
}

const NO_LOGS: Pick<ExecutionResponse, 'logs' | 'logCount' | 'log'> = {
  logs: [],
  logCount: 0,
  log(index) {
    throw new RangeError(`there is no log ${index}`);
  },
};

function receiptOf(
  crypto: Hashes,
  transaction: EthereumTransaction,
  from: Uint8Array,
  response: ExecutionResponse,
  before: { readonly baseFee: bigint; readonly cumulativeGasUsed: bigint; readonly logIndex: number },
): EthereumReceipt {
  const failed = response.vmError !== '';
  const { logCount, log } = failed ? NO_LOGS : response;
  const logs: EthereumLog[] = [];
  const decodeLogs = (count: number): boolean => {
    const end = Math.min(logCount, logs.length + count);
    for (let index = logs.length; index < end; index += 1) {
      const { address, topics, data } = log(index);
      logs.push({ address, topics, data, logIndex: before.logIndex + index });
    }
    return end === logCount;
  };
  const allLogs = (): readonly EthereumLog[] => {
    decodeLogs(logCount);
    return logs;
  };
  const logsBloom = onFirstCall(() => bloomOfLogs(crypto, allLogs()));
  return {
    status: failed ? 'failed' : 'success',
    gasUsed: response.gasUsed,
    cumulativeGasUsed: before.cumulativeGasUsed,
    effectiveGasPrice: effectiveGasPrice(transaction, before.baseFee),
    contractAddress: transaction.to === undefined ? contractAddressOf(crypto, from, transaction.nonce) : undefined,
    get logs() {
      return allLogs();
    },
    logCount,
    decodeLogs,
    get logsBloom() {
      return logsBloom();
    },
    output: response.returned,
    failure: failed ? { message: response.vmError, data: response.returned } : undefined,
  };
}

/** Address of a created contract: the last 20 bytes of the keccak256 of sender and nonce (yellow paper 7). */
export function contractAddressOf(crypto: Pick<Crypto, 'keccak256'>, sender: Uint8Array, nonce: bigint): Uint8Array {
  return crypto.keccak256(encodeRlp([sender, rlpNumber(nonce)])).slice(12);
}
