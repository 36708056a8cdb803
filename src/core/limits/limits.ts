import { ABCI_LIMITS } from './abci.js';
import { ACTIVITY_LIMITS } from './activity.js';
import { DEV_COMMAND_LIMITS } from './dev-commands.js';
import { INSPECTION_LIMITS } from './inspection.js';
import { SNAPSHOT_LIMITS } from './snapshots.js';
import { READING_LIMITS } from './reading.js';
import { STORAGE_LIMITS } from './storage.js';
import { TRANSACTION_LIMITS } from './transactions.js';

/** Resource limits of the node. The daemon uses these values; code that creates a part of a node may pass others. */
export const DEFAULT_LIMITS = {
  ...TRANSACTION_LIMITS,
  /** Size limit of a JSON-RPC body and of a websocket message, bytes. */
  httpBodyBytes: 5 * 1024 * 1024,
  /** Nesting of arrays and objects in a request. */
  jsonDepth: 32,
  /**
   * Objects, arrays and members of objects in a request, counted before parsing: a member with a new name costs a
   * microsecond. A batch of 1,000 calls has 15,000.
   */
  jsonParts: 25_000,
  /** Commas between the values of a request in JSON: a number in an array has no other mark. */
  jsonValues: 200_000,
  /** White space between the values of a request in JSON, bytes: 20 for each of `jsonParts`. */
  jsonSpaceBytes: 512 * 1024,
  /** Calls in one batch. cosmjs batches 20 requests, and waits for ever when a batch is refused. */
  batchRequests: 100,
  /** Clients with subscriptions on the consensus websocket (CometBFT `max_subscription_clients`). */
  cometWsClients: 1_000,
  /** Subscriptions of one client of the consensus websocket. */
  cometWsSubscriptionsPerClient: 50,
  /** Body of a request and message of a websocket of the consensus face, bytes (CometBFT `max_body_bytes`). */
  cometBodyBytes: 1_000_000,
  /** Query of a subscription or a search, bytes (CometBFT `maxQueryLength`). */
  cometQueryBytes: 512,
  /** Bytes buffered per socket at which the pump pauses. */
  socketPauseBytes: 64 * 1024,
  /** Bytes buffered per socket at which the client is cut off as too slow. */
  socketCutoffBytes: 256 * 1024,
  /** Longest time that bytes wait while the client takes none, milliseconds; then the client is cut off. */
  socketStallMs: 10_000,
  /** Results per page when the request gives no number (CometBFT `defaultPerPage`). */
  searchPerPageDefault: 30,
  /** Largest number of results per page (CometBFT `maxPerPage`). */
  searchPerPage: 100,
  /** Rows of one page of a module's query; `next_key` continues. */
  pageRows: 1_000,
  /** Largest number of rows that a query holds, and of postings outside of the index that a search compares. */
  searchRows: 100_000,
  /** Rows of the index of logs that one search reads: about ten seconds, in steps between which others are served. */
  logIndexRows: 5_000_000,
  /** Signatures that go to the thread that recovers senders in one message. */
  senderRecoveryBatch: 256,
  /** Transactions of executed blocks that wait for the attribute index, as the bytes of their results. */
  indexBacklogTxs: 4_096,
  /** Pending transactions (CometBFT `size`). */
  mempoolTxs: 5_000,
  /** Bytes of all pending transactions. */
  mempoolBytes: 64 * 1024 * 1024,
  /** Pending transactions of one account. */
  mempoolTxsPerAccount: 2_000,
  /** Ethereum transactions that wait for a lower nonce (geth `txpool.globalqueue`). */
  mempoolQueued: 1_024,
  /** Ethereum transactions of one account that wait for a lower nonce (geth `txpool.accountqueue`). */
  mempoolQueuedPerAccount: 64,
  /** Hashes remembered to refuse duplicates (CometBFT `cache_size`). */
  mempoolCache: 10_000,
  /** Waiting transactions that are checked again in one turn of the event loop. */
  mempoolRecheckStep: 512,
  /** Commands that wait for one actor while it handles another one or is restarted. */
  actorInbox: 10_000,
  /** Failures of one actor within `actorRestartWindowMs` that restart it; at the next one the node drains. */
  actorRestarts: 2,
  /** Milliseconds. */
  actorRestartWindowMs: 60_000,
  /** Concurrent ranges over the database. Long scans delay the fsync, which shares libuv's threads with them. */
  concurrentRanges: 2,
  /** Waiting ranges; beyond it the answer is `busy`. */
  waitingRanges: 256,
  /** Rows of one step of a range. */
  rangeRows: 1_000,
  /** Values of the newest state in memory, once on main and once in the executor. */
  stateCacheValues: 16_384,
  /** Heights that stay provable. */
  provableHeights: 100,
  /** Longest wait of broadcast_tx_commit, milliseconds (CometBFT `timeout_broadcast_tx_commit`). */
  broadcastCommitMs: 10_000,
  /** Open connections of one face. */
  connections: 20_000,
  /** Open websockets of one address on one face; loopback is exempt. */
  webSocketsPerAddress: 64,
  /** Requests and websocket messages of one address on one face per second in the long run; loopback is exempt. */
  requestsPerSecond: 2_000,
  /** Requests and websocket messages of one address on one face at once. */
  requestBurst: 4_000,
  /**
   * Bytes from which the body of a request, or a message of a websocket, waits for its turn: of all such requests of
   * the node, one is handled in each turn of the event loop.
   */
  largeRequestBytes: 64 * 1024,
  /** Bytes from which an answer is sent in pieces, as its client takes them, which is a tenth more work. */
  largeAnswerBytes: 8 * 1024 * 1024,
  /** Bytes of all such answers that one face holds at a time. */
  pendingAnswerBytes: 128 * 1024 * 1024,
  /** Bytes of all request bodies that one face holds at a time. */
  pendingBodyBytes: 128 * 1024 * 1024,
  /**
   * Bytes of all messages of websockets from `largeRequestBytes` on that the node holds and has not answered, and of
   * all shorter ones. A message that is being received is not among them: uWebSockets.js collects up to twice the
   * largest one for each websocket.
   */
  pendingMessageBytes: 64 * 1024 * 1024,
  /** Bytes of all messages of one websocket that the node holds and has not answered. */
  socketMessageBytes: 16 * 1024 * 1024,
  /** Calls, estimates and traces that wait for a thread of the pool, in each lane; further ones are refused. */
  poolWaiting: 8_192,
  /** Time of a call in the fast lane, milliseconds; afterwards it starts again in the slow lane. */
  poolFastMs: 50,
  /** Time of a call in the slow lane, milliseconds (geth `--rpc.evmtimeout`). */
  poolSlowMs: 5_000,
  /** Time of a proof, milliseconds: the first of a block reads all accounts. The next one goes on where it ended. */
  poolProofMs: 60_000,
  /** Polling filters of the Ethereum face in the node; beyond it a new filter is refused. */
  filters: 10_000,
  /** Polling filters of one client, where clients can be distinguished. */
  filtersPerClient: 1_000,
  /** Addresses and topics that all filters, and all log subscriptions, hold together. */
  filterTerms: 200_000,
  /** Polls that wait for another poll of the same filter. */
  filterWaitingPolls: 16,
  /** Blocks that one poll of a block filter covers; further ones follow with the next poll. */
  filterPollBlocks: 1_000,
  /** Blocks that one poll of a log filter covers; it reads only blocks whose logs may match. */
  filterPollLogBlocks: 10_000,
  /** Transactions that one poll of a pending filter answers. */
  filterPollPending: 10_000,
  /** Newest admissions kept in memory for all pending filters together. */
  recentAdmissions: 16_384,
  /** Ethereum subscriptions of one websocket. */
  ethSubscriptionsPerClient: 1_024,
  /** Ethereum subscriptions of the node. */
  ethSubscriptions: 100_000,
  /** Commits and admissions in the delivery ring; a socket that needs an older one reads the log. */
  ringCommits: 16_384,
  /** Bytes of the texts in the delivery ring. */
  ringBytes: 128 * 1024 * 1024,
  /** Sockets that are served at once; where more have something to write, the pump pauses and commits gather. */
  pumpAtOnce: 64,
  /** Length of that pause, milliseconds. */
  pumpPauseMs: 2,
  /** Milliseconds for which the pump writes before the event loop has its turn. */
  pumpTurnMs: 2,
  /** Inputs that a replay reads between two turns of the event loop. */
  replayInputsPerTurn: 32,
  /** Subscribes that wait while the registry is restarted; beyond it the answer is `busy`. */
  subscriptionInbox: 1_024,
  /** Places at which one log subscription is indexed; beyond it its topics are compared exactly instead. */
  logIndexEntries: 256,
  /** Requests of one consensus websocket that wait for their turn; `cometBodyBytes` bounds their bytes. */
  cometWsWaitingMessages: 1_000,
  /** Calls in one batch of the Ethereum face (geth `BatchRequestLimit`); viem sends batches of this size. */
  ethBatchRequests: 1_000,
  /** Bytes of the answers to one batch (geth `BatchResponseMaxSize`). */
  ethBatchResponseBytes: 25_000_000,
  /** Time of one batch, milliseconds; calls that did not begin by then are answered by an error. */
  ethBatchMs: 10_000,
  /** Characters of an answer in a batch or on a websocket that lists the waiting transactions. */
  ethPoolBytes: 16 * 1024 * 1024,
  /** Bytes of the traces of one request, which the main thread copies into the answer. */
  ethTraceBytes: 32 * 1024 * 1024,
  /** Bytes of the answer to one `eth_simulateV1`. */
  ethSimulationBytes: 32 * 1024 * 1024,
  /** Time in which transactions are taken into the block `pending`, milliseconds, below `poolSlowMs`. */
  pendingBlockMs: 4_000,
  /** Blocks with transactions that one `trace_filter` executes anew. */
  traceFilterBlocks: 256,
  /** Transactions of one page of `ots_*`. */
  otsPage: 100,
  /** Time of a trace that is streamed, with the time in which its client reads, milliseconds. */
  traceStreamMs: 60_000,
  /** Traces that run or wait at the same time. */
  ethTracesAtOnce: 16,
  /** Calls of one websocket that are answered at the same time; further ones wait. */
  ethWsConcurrentCalls: 64,
  /** Waiting messages of one websocket; beyond it the connection ends. */
  ethWsWaitingMessages: 16_384,
  /** Blocks between the bounds of one `eth_getLogs` (ethermint `block-range-cap`), and of one `trace_filter`. */
  ethLogsBlockRange: 10_000,
  /** Logs in one answer (ethermint `logs-cap`). */
  ethLogsResults: 10_000,
  /** Addresses, and topics of one position, in a filter (geth `LogQueryLimit`). */
  ethFilterAlternatives: 1_000,
  /** Requests of `eth_sendRawTransactionSync` that wait for their receipts at the same time. */
  ethSyncWaiting: 1_000,
  /** Sends of transactions that wait for their block at the same time; further ones are answered at admission. */
  ethSendsInBlock: 16_384,
  /** Blocks of one `eth_feeHistory` (geth answers no more). */
  ethFeeHistoryBlocks: 1_024,
  /** Percentiles of one `eth_feeHistory` (geth). */
  ethFeeHistoryPercentiles: 100,
  /** EIP-7702 authorizations in the arguments of one call: each costs a recovery of its signer. */
  ethCallAuthorizations: 256,
  /** Encoded request of a gRPC call, bytes. */
  grpcRequestBytes: 4 * 1024 * 1024,
  /** Encoded answer of a gRPC call, bytes. */
  grpcAnswerBytes: 16 * 1024 * 1024,
  /** Calls of one gRPC connection at a time. */
  grpcStreams: 100,
  /** Calls that a gRPC client may reset on one connection, besides half of all its calls; then the connection ends. */
  grpcResets: 100,
  /** Calls of all gRPC connections that begin between two turns of the event loop: each takes about 0.3 ms. */
  grpcCallsPerTurn: 16,
  /** Longest silence of a gRPC client with an unfinished request, milliseconds; then it is cut. */
  grpcSilenceMs: 12_000,
  /** Longest time of a gRPC connection without calls, milliseconds. */
  grpcIdleMs: 300_000,
  /** Longest time of a frame of a gRPC client on its way, the first one and all of a call's head, milliseconds. */
  grpcFrameMs: 12_000,
  /** Interval of pings on a gRPC connection, milliseconds; it is cut without an answer in `grpcPingTimeoutMs`. */
  grpcPingMs: 30_000,
  /** Longest time until the answer to a ping, milliseconds. */
  grpcPingTimeoutMs: 20_000,
  /** Characters of an error's text in a gRPC trailer, which clients accept only short. */
  grpcErrorText: 2_048,
  /** Blocks of one `evm_mine`. */
  devMineBlocks: 100_000,
  /** Blocks that one `evm_revert` abandons. */
  devRevertBlocks: 100_000,
  /** Rows that the blocks which one `evm_revert` abandons wrote, all changed in one batch. */
  devRevertRows: 1_000_000,
  /** Valid snapshots of dev mode. */
  devSnapshots: 10_000,
  /** Accounts that dev mode impersonates. */
  devImpersonated: 10_000,
  /** Bytes of a state of `anvil_dumpState` and `anvil_loadState`, without compression. */
  devStateBytes: 64 * 1024 * 1024,
  /** Objects, members and values of the accounts of such a state: a quarter of a second to parse. */
  devStateParts: 250_000,
  /** Waiting commands of dev mode, and transactions that one of them sends before it makes a block. */
  devWaiting: 256,
} as const;

export type Limits = { readonly [Name in keyof typeof DEFAULT_LIMITS]: number };

/**
 * Limits of a dev node. All of its senders are programs of one person, and transactions that alloy numbers and sends
 * side by side come in any order: one account may fill the queue. anvil 1.7 has no such limit.
 */
export const DEV_LIMITS: Limits = { ...DEFAULT_LIMITS, mempoolQueuedPerAccount: DEFAULT_LIMITS.mempoolQueued };

/** Limits of single formats, caches and waits: the same in every node of this program, and no rule of the chain. */
export const FIXED_LIMITS = {
  ...READING_LIMITS,
  ...STORAGE_LIMITS,
  ...ABCI_LIMITS,
  ...SNAPSHOT_LIMITS,
  ...ACTIVITY_LIMITS,
  ...DEV_COMMAND_LIMITS,
  ...INSPECTION_LIMITS,
  /** Transactions of one query that traces a block, those before it included. */
  tracedTransactions: 1_000,
  /** Gas of one call (geth `--rpc.gascap`). */
  callGas: 50_000_000n,
  /** Gas of a call, or of all attempts of an estimate, on the main thread: about 2 ms of the costliest opcodes. */
  lightCallGas: 300_000n,
  /** Executions that look for the access list of one call. */
  accessListAttempts: 8,
  /** Tracers of one trace, with each `muxTracer` counted. */
  tracersAtOnce: 16,
  /** Future rounds that one validator opens by its votes (CometBFT `consensus/types/height_vote_set.go`). */
  futureRoundsPerValidator: 2,
  /** Digits before and behind the point of a number in a query. */
  queryDigits: 256,
  /** Lists inside each other in RLP; a transaction has three. */
  rlpDepth: 8,
  /** Types of one typed data document (EIP-712). */
  typedDataTypes: 100,
  /** Members of all its types. */
  typedDataMembers: 1_000,
  /** Characters of one of its names. */
  typedDataName: 256,
  /** Structs and arrays inside each other. */
  typedDataDepth: 64,
  /**
   * Values of the document. An absent struct counts as a value, because `{}` can expand to as many values as its type
   * has members.
   */
  typedDataValues: 20_000,
  /** Characters of the hashed type descriptions; in a chain of types each description contains all following ones. */
  typedDataDescribed: 500_000,
  /** Parts of a key path (BIP-32). */
  keyPathParts: 10,
  /** Addresses in each cache: of public keys, of texts, and of bytes. */
  cachedAddresses: 4_096,
  /** Decoded transactions in the cache. A full mempool reads all of its own after each block. */
  cachedTransactions: 10_000,
  /** Pieces of evidence that wait for a block. */
  pendingEvidence: 100,
  /** Decoded blocks in each cache. */
  cachedBlocks: 64,
  /** Hashes in the cache of those that no executed transaction has. */
  absentHashes: 1_024,
  /** Blocks in memory as the Ethereum face shows them. */
  ethereumBlocks: 128,
  /** Transactions and logs of all these blocks. */
  ethereumBlockItems: 50_000,
  /** Addresses that the log keeps of those that the frames of one transaction touched: the first ones. */
  touchedAddresses: 16_384,
  /** Addresses in the cache of module accounts; there are few modules. */
  cachedModuleAddresses: 256,
  /** Prefixes of texts of addresses: of accounts, operators and consensus keys. */
  cachedAddressPrefixes: 16,
  /** First topics of the events of the chain's contracts, by their signatures. */
  cachedTopics: 256,
  /** Blocks that are held for a busy reader of a library feed; later ones are read from the log. */
  heldBlocks: 64,
  /** Bytes of a transaction up to which it is simulated on the main thread; no gas limit bounds a simulation. */
  shortTxBytes: 8_192,
  /** Bytes of a transaction from which its check has a turn of the event loop; headers in it cost 0.5 us a byte. */
  turnTxBytes: 2_048,
  /** Turns of the event loop before each such check; with two, a client beside them waited for a second check. */
  turnsBeforeCheck: 4,
  /** Bytes of a streamed answer that are made before it is sent; a shorter one is sent whole. */
  shortStreamBytes: 1024 * 1024,
  /** Bytes of a streamed answer that the transport takes at a time. */
  streamChunkBytes: 256 * 1024,
  /** Bytes of a streamed answer that uWebSockets.js gets last: see `src/adapters/transport/uws-stream.ts`. */
  streamKeptBytes: 64 * 1024,
  /** Pieces of streamed traces, of about 1 MiB, that wait for their reader. */
  traceStreamParts: 4,
  /** Transactions of a block `pending` up to which it is executed in the fast lane. */
  fastBlockTxs: 64,
  /** Time that a thread has to notice its timeout before it is ended, milliseconds. */
  poolGraceMs: 250,
  /** Time of a graceful stop, milliseconds; a client that never reads its answer could delay it for ever. */
  stopMs: 10_000,
  /**
   * Free bytes of the disk below which block production and admission pause: room for LevelDB's compactions. On a disk
   * of less than 1 GiB it is an eighth of the disk.
   */
  diskReserveBytes: 128n * 1024n * 1024n,
  /** Time between two looks at the free space of the disk, milliseconds. */
  diskWatchMs: 1_000,
  /** Bytes of the newest tables whose checksums a start compares: about 15 ms. */
  tableBytesCheckedAtOpen: 4 * 1024 * 1024,
  /** Places of a log at which records may be missing that held admissions only, before it counts as damaged. */
  lostRecords: 16,
  /** Nested causes of a failure that are examined. */
  causes: 8,
  /** Attempts to take the lock of a home directory. */
  lockAttempts: 20,
  /** Time between two of them, milliseconds. */
  lockPauseMs: 50,
  /** Slots that are tried for the balance or the allowance of a token. */
  tokenSlots: 64,
  /** Memory of an EVM instance, bytes, beyond which it is dropped after the execution: it never shrinks. */
  engineBytes: 384 * 1024 * 1024,
  /** Events in one batch of the log; bounds the memory of a record. */
  eventsPerBatch: 4_096,
  /** Calls of `append` that wait for their batch. */
  waitingAppends: 10_000,
  /** Events behind a checkpoint after which the next one is written; bounds the number that a start reads. */
  eventsPerCheckpoint: 4_096n,
  /** Rows of one step when records are read; a record has at most seven, so at least one fits. */
  recordRowsPerRead: 128,
  /** Rows of one step when every row is verified. */
  verifyRowsPerRead: 512,
  /** Rows of one step when a whole table is read at a start. */
  rowsPerRead: 1_000,
  /** Blocks that the rehearsal of an upgrade makes after the one of the upgrade. */
  rehearsalBlocks: 1_000,
  /** Blocks after which a checkpoint of the trees is written; bounds the number whose writes a start applies again. */
  checkpointBlocks: 1_000n,
  /** Blocks behind a checkpoint of the trees within which it is written: it is begun before the next block. */
  checkpointDelayBlocks: 10n,
  /** Attempts to move aside a lock whose process is gone. */
  staleLockAttempts: 8,
  /** Blocks of a chain that has rows in the attribute index: its first window is written without a pause. */
  indexedBlocks: 64n,
  /** Blocks outside of the attribute index, some kilobytes each, at which it is written without a pause. */
  indexBacklogBlocks: 1_024n,
  /** Blocks that one revert takes out of the attribute index one by one, although fewer stay. */
  indexRevertBlocks: 256n,
  /** Bytes that gather in memory before they are written to a database that is made from a log. */
  writeBehindBytes: 8 * 1024 * 1024,
  /** Short texts that are kept, a power of two: names of events and attributes, addresses of modules. */
  knownTexts: 1_024,
  /** Keys of the state whose names are kept as strings, a power of two: those of some hundred transactions. */
  knownKeyNames: 8_192,
  /** Bytes of the longest of them: more than most keys have; longer ones are rare. */
  knownKeyBytes: 96,
  /** Records of one kind whose decoded values are kept: those of some thousand delegations. */
  decodedRecords: 4_096,
  /** Addresses and topics of logs whose bits of a bloom are kept, a power of two. */
  knownBloomBits: 1_024,
  /** Prefixes of index rows in the cache: those of the few composite keys that every transaction has. */
  cachedPrefixes: 1_024,
  /** Time for running gRPC calls to end when the server closes, milliseconds. */
  grpcGraceMs: 500,
  /** Characters of an unknown gRPC path that the answer repeats. */
  grpcShownPath: 256,
  /** Nesting of messages that REST writes, `Any` included; it bounds the stack for every stored transaction. */
  jsonMessageDepth: 64,
  /** Digits of a number in a REST request; longer numbers are out of every range. */
  scalarDigits: 64,
  /** Parts of a dotted name in a REST request. */
  fieldNames: 8,
  /** Base64 pieces in one gRPC-web request. */
  grpcWebFrames: 100,
  /** Time that `eth_sendRawTransactionSync` waits, milliseconds. */
  sendSyncMs: 60_000n,
  /** Time that a send waits for its block, milliseconds; then the hash is answered. */
  sendInBlockMs: 20_000,
  /** Time between two looks at the sends that wait for their block, besides one look for each block, milliseconds. */
  sendInBlockLookMs: 250,
  /** Calls of one batch between two turns of the event loop. */
  ethBatchCallsPerTurn: 16,
  /** Signers that one `eth_callBundle` recovers between two turns of the event loop. */
  ethSignersPerTurn: 16,
  /** Characters of the list of waiting transactions that are made between two turns of the event loop. */
  ethPoolBytesPerTurn: 128 * 1024,
  /** Blocks in memory that one `eth_getLogs` reads between two turns of the event loop. */
  ethLogsBlocksPerTurn: 64,
  /** Blocks that one `eth_feeHistory` reads between two turns of the event loop. */
  ethFeeHistoryBlocksPerTurn: 4n,
  /** Abandoned blocks that one `evm_revert` looks at between two turns of the event loop. */
  revertBlocksPerTurn: 64,
  /** Storage slots in one request, as in geth. */
  storageSlots: 1_024,
  /** Characters of the id of a request, which its answer repeats. */
  idCharacters: 1_024,
  /** Bytes at the beginning and at the end of a message in which its id is looked for without parsing it. */
  idLookedForBytes: 2_048,
  /** Characters of a method name, as in geth. */
  methodCharacters: 2_048,
  /** Addresses whose rate of requests is counted; beyond it new ones are refused until the next second. */
  rateAddresses: 10_000,
  /** Time between two pings on a websocket, milliseconds. */
  webSocketPingMs: 27_000,
  /** Time without a pong before a websocket is cut, seconds. */
  webSocketIdleSeconds: 32,
  /** Requests, or messages of websockets, that a face handles in one turn of the event loop before it answers them. */
  requestsPerTurn: 16,
  /** Time in which it handles them, milliseconds; those that are left have the next turn. */
  requestsPerTurnMs: 1,
  /** Messages of websockets that a face handles as they come, before it gives the event loop a turn. */
  messagesAtOnce: 128,
  /** Messages of one websocket that wait for their turn; beyond it the connection ends. */
  webSocketWaitingMessages: 16_384,
  /** Bytes that a message of a websocket counts at the least: what the node needs besides its text. */
  heldMessageBytes: 256,
  /** Bytes of messages that one websocket may hold without room among those of all (`pendingMessageBytes`). */
  socketFreeBytes: 4_096,
  /** Pieces of unfinished request bodies, up to 512 KiB each, that a face takes between two turns of the event loop. */
  readsPerTurn: 4,
  /** Bytes of a refused body that are read and thrown away, so that its client reads the answer. */
  refusedBodyBytes: 32 * 1024 * 1024,
  /** Time for headers and body of a request to arrive, milliseconds; the same as in uWebSockets.js. */
  requestMs: 12_000,
  /** Time without progress after which a client that does not read its answer is cut, milliseconds. */
  writeMs: 30_000,
  /** Denominations that a command names, and of which it asks whether there are any. */
  toldDenoms: 10,
  /** Texts in each cache of the transport. */
  cachedTexts: 1_024,
  /** Characters of a text in it. */
  cachedTextCharacters: 64,
  /** Request line with headers, bytes; the 4 KiB of uWebSockets.js are too few for a transaction in a URI call. */
  headerBytes: 16 * 1024,
  /** Characters of a hash that is parsed or that a refusal repeats. */
  shownHashCharacters: 1_024,
  /** Characters of refused arguments that an error of the consensus RPC repeats. */
  shownArguments: 1_000,
  /** Time that the command line waits for an answer of the consensus RPC, milliseconds. */
  cliRequestMs: 30_000,
  /** Time that the command line waits for an answer of the Ethereum face, milliseconds. */
  cliEthereumMs: 60_000,
  /** Blocks that `dev mine` asks for in one call, so that an answer comes in time and a signal ends the rest. */
  cliMinedBlocks: 250,
  /** Bytes of a request to the faucet, which holds one address. */
  faucetBodyBytes: 1_024,
  /** Gifts of the faucet in a second, in the long run; all clients share them. */
  faucetPerSecond: 5,
  /** Gifts of the faucet at once. */
  faucetBurst: 20,
  /** Characters of one line of a recorded chain, and bytes of its genesis (`debug compare-chain`). */
  recordingLineBytes: 512 * 1024 * 1024,
  /** Keys of one threshold key that the command line makes. */
  thresholdKeys: 64,
} as const;

export { CHAIN_LIMITS } from './chain.js';
export { ETHEREUM_LIMITS } from './ethereum.js';
