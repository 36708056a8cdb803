/**
 * Schemas of results, as written by `src/core/ethereum/json`. Members that are not required may be absent; further
 * members are allowed.
 */
import {
  ADDRESS,
  ANYTHING,
  BOOLEAN,
  COUNT,
  DATA,
  HASH,
  QUANTITY,
  QUANTITY_64,
  type Schema,
  TEXT,
  anyOf,
  fixedBytes,
  listOf,
  mapOf,
  objectOf,
  oneOfTexts,
  orNull,
} from './schema.js';
import { AUTHORIZATION_SCHEMA, accessList } from './params/fields.js';

/** An object schema with a title, which documents list once. */
function titled(title: string, ...object: Parameters<typeof objectOf>): Schema {
  return { title, ...objectOf(...object) };
}

/** A signature: r, s and v (27 or 28). */
export const SIGNATURE = fixedBytes('Signature', 65);
const BLOOM = fixedBytes('Bloom', 256);
const STATUS = oneOfTexts('0x0', '0x1');

/** A log, as in `eth_getLogs` and receipts. */
export const LOG = titled('Log', {
  address: ADDRESS,
  topics: listOf(HASH, 4),
  data: DATA,
  blockNumber: QUANTITY_64,
  transactionHash: HASH,
  transactionIndex: QUANTITY_64,
  blockHash: HASH,
  blockTimestamp: QUANTITY_64,
  logIndex: QUANTITY_64,
  removed: BOOLEAN,
});

export const RECEIPT = titled('Receipt', {
  blockHash: HASH,
  blockNumber: QUANTITY_64,
  transactionHash: HASH,
  transactionIndex: QUANTITY_64,
  from: ADDRESS,
  to: orNull(ADDRESS),
  gasUsed: QUANTITY_64,
  cumulativeGasUsed: QUANTITY_64,
  contractAddress: orNull(ADDRESS),
  logs: listOf(LOG),
  logsBloom: BLOOM,
  type: QUANTITY_64,
  effectiveGasPrice: QUANTITY,
  status: STATUS,
});

/** Members of every transaction, signed or not. */
const UNSIGNED = {
  type: QUANTITY_64,
  nonce: QUANTITY_64,
  gas: QUANTITY_64,
  gasPrice: QUANTITY,
  to: orNull(ADDRESS),
  value: QUANTITY,
  input: DATA,
};

/** Members of some transaction types only. */
const TYPED = {
  chainId: QUANTITY,
  maxFeePerGas: QUANTITY,
  maxPriorityFeePerGas: QUANTITY,
  accessList: accessList.schema,
  authorizationList: listOf(AUTHORIZATION_SCHEMA),
};

/** Transaction hash, and signature or zeros. */
const SEALED = { hash: HASH, v: QUANTITY, r: QUANTITY, s: QUANTITY };

/** A signed transaction; its block members are null while it is pending. */
const SIGNED = {
  blockHash: orNull(HASH),
  blockNumber: orNull(QUANTITY_64),
  blockTimestamp: orNull(QUANTITY_64),
  transactionIndex: orNull(QUANTITY_64),
  from: ADDRESS,
  ...UNSIGNED,
  ...SEALED,
};

/** A signed transaction in a block or in the mempool. */
export const TRANSACTION = titled('TransactionInfo', { ...SIGNED, ...TYPED, yParity: STATUS }, Object.keys(SIGNED));

/** Result of `eth_fillTransaction`: an unsigned transaction as bytes and as an object. */
export const FILLED_TRANSACTION = objectOf({
  raw: DATA,
  tx: objectOf({ ...UNSIGNED, ...SEALED, ...TYPED, yParity: STATUS }, Object.keys({ ...UNSIGNED, ...SEALED })),
});
/** Result of `eth_signTransaction`: a signed transaction as bytes and as an object. */
export const SIGNED_TRANSACTION = objectOf({ raw: DATA, tx: TRANSACTION });

const HEADER_MEMBERS = {
  number: QUANTITY_64,
  hash: HASH,
  parentHash: HASH,
  timestamp: QUANTITY_64,
  miner: ADDRESS,
  gasLimit: QUANTITY_64,
  gasUsed: QUANTITY_64,
  stateRoot: HASH,
  transactionsRoot: HASH,
  receiptsRoot: HASH,
  logsBloom: BLOOM,
  size: QUANTITY_64,
  sha3Uncles: HASH,
  mixHash: HASH,
  nonce: fixedBytes('BlockNonce', 8),
  extraData: DATA,
  difficulty: QUANTITY,
  withdrawalsRoot: HASH,
  blobGasUsed: QUANTITY_64,
  excessBlobGas: QUANTITY_64,
  parentBeaconBlockRoot: HASH,
  requestsHash: HASH,
};
const BLOCK_MEMBERS = {
  ...HEADER_MEMBERS,
  transactions: anyOf(listOf(HASH), listOf(TRANSACTION)),
  uncles: listOf(HASH),
  withdrawals: listOf(
    objectOf({ index: QUANTITY_64, validatorIndex: QUANTITY_64, address: ADDRESS, amount: QUANTITY_64 }),
  ),
};
/** Blocks without EIP-1559 have no base fee. */
const FEE = { baseFeePerGas: QUANTITY };

/** Members that are null in a pending block. */
const OF_DECIDED = { hash: orNull(HASH), miner: orNull(ADDRESS), nonce: orNull(HEADER_MEMBERS.nonce) };

/** A block without transactions, uncles and withdrawals. */
export const HEADER = titled('BlockHeader', { ...HEADER_MEMBERS, ...OF_DECIDED, ...FEE }, Object.keys(HEADER_MEMBERS));
/** A block with transaction hashes or full transactions. */
export const BLOCK = titled('BlockInfo', { ...BLOCK_MEMBERS, ...OF_DECIDED, ...FEE }, Object.keys(BLOCK_MEMBERS));

const SIMULATED_CALL = objectOf(
  {
    returnData: DATA,
    logs: listOf(LOG),
    gasUsed: QUANTITY_64,
    maxUsedGas: QUANTITY_64,
    status: STATUS,
    error: objectOf({ code: { type: 'integer' }, message: TEXT, data: DATA }, ['code', 'message']),
  },
  ['returnData', 'logs', 'gasUsed', 'maxUsedGas', 'status'],
);
/** A block of `eth_simulateV1`. */
export const SIMULATED_BLOCK = objectOf({ ...BLOCK_MEMBERS, ...FEE, calls: listOf(SIMULATED_CALL) }, [
  ...Object.keys(BLOCK_MEMBERS),
  'calls',
]);

const RATIOS = listOf({ type: 'number', minimum: 0 });
/** Result of `eth_feeHistory`; `reward` is present if percentiles were requested. */
export const FEE_HISTORY = objectOf(
  {
    oldestBlock: QUANTITY_64,
    baseFeePerGas: listOf(QUANTITY),
    gasUsedRatio: RATIOS,
    reward: listOf(listOf(QUANTITY)),
    baseFeePerBlobGas: listOf(QUANTITY),
    blobGasUsedRatio: RATIOS,
  },
  ['oldestBlock', 'baseFeePerGas', 'gasUsedRatio'],
);

/** Result of `eth_createAccessList`; `error` is present if the call failed. */
export const ACCESS_LIST = objectOf({ accessList: accessList.schema, gasUsed: QUANTITY_64, error: TEXT }, [
  'accessList',
  'gasUsed',
]);

/** Result of `eth_getProof` (EIP-1186). */
export const PROOF = titled('AccountProof', {
  address: ADDRESS,
  accountProof: listOf(DATA),
  balance: QUANTITY,
  codeHash: HASH,
  nonce: QUANTITY_64,
  storageHash: HASH,
  storageProof: listOf(objectOf({ key: anyOf(HASH, QUANTITY), value: QUANTITY, proof: listOf(DATA) })),
});

/** Balance, nonce and code of an account. */
export const ACCOUNT_INFO = objectOf({ balance: QUANTITY, nonce: QUANTITY_64, code: DATA });
/** The fields of an account trie leaf. */
export const ACCOUNT = objectOf({ balance: QUANTITY, nonce: QUANTITY_64, codeHash: HASH, storageRoot: HASH });

const BY_NONCE = mapOf({ type: 'string', pattern: '^[0-9]+$' }, TRANSACTION);
const BY_SENDER = mapOf(ADDRESS, BY_NONCE);
/** Result of `txpool_status`: transaction counts. */
export const POOL_STATUS = objectOf({ pending: QUANTITY_64, queued: QUANTITY_64 });
/** Result of `txpool_content`: transactions by sender and nonce. */
export const POOL = objectOf({ pending: BY_SENDER, queued: BY_SENDER });
/** Result of `txpool_contentFrom`: transactions of one sender by nonce. */
export const POOL_OF_SENDER = objectOf({ pending: BY_NONCE, queued: BY_NONCE });

/** Traces of a block; the form of `result` depends on the tracer. */
export const BLOCK_TRACES = listOf(objectOf({ txHash: HASH, result: ANYTHING, error: TEXT }, ['txHash']));

/** A trace in OpenEthereum's format. */
export const FLAT_TRACE = titled(
  'FlatTrace',
  {
    type: TEXT,
    action: { type: 'object' },
    result: orNull({ type: 'object' }),
    error: TEXT,
    subtraces: COUNT,
    traceAddress: listOf(COUNT),
    blockHash: HASH,
    blockNumber: COUNT,
    transactionHash: HASH,
    transactionPosition: COUNT,
  },
  ['type', 'action', 'subtraces', 'traceAddress'],
);
/** Result of `trace_replay...` and `trace_call...`; kinds that were not requested are null. */
export const REPLAY = titled(
  'Replay',
  {
    output: DATA,
    trace: orNull(listOf(FLAT_TRACE)),
    stateDiff: orNull({ type: 'object' }),
    vmTrace: orNull({ type: 'object' }),
    transactionHash: HASH,
  },
  ['output', 'trace', 'stateDiff', 'vmTrace'],
);
