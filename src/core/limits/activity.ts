/**
 * Limits of contract ABIs, of values decoded with them, and of the activity log that prints them; part of
 * `FIXED_LIMITS`.
 */
export const ACTIVITY_LIMITS = {
  /** Items of one contract ABI. */
  abiItems: 2_000,
  /** Parameters of one item, and members of one struct. */
  abiParameters: 256,
  /** Nesting of structs and arrays in a decoded value. */
  abiDepth: 16,
  /** Values of one decoded call, error or event: offsets may point at the same bytes many times. */
  abiValues: 1_000,
  /** Decoded bytes of the arguments of one precompile call. */
  abiBytes: 1024 * 1024,
  /** Precompile calls in one transaction (cosmos/evm v0.6 `x/vm/types/call.go`). */
  precompileCalls: 20,
  /** Bytes of one decoded string; more than a log line shows. */
  abiTextBytes: 16 * 1024,
  /** Variables, types and members of a storage layout, each; and slots of one of its variables. */
  layoutParts: 1_000,
  /** Array elements shown by default. */
  layoutElements: 64n,
  /** Hashes computed to find the names of slots. */
  layoutHashes: 4_096,
  /** Slots of a dynamic array or `bytes` value that are named. */
  layoutReach: 1n << 32n,
  /** Folders and files scanned for compiled contracts. */
  artifactFiles: 10_000,
  /** Folder depth of that scan. */
  artifactDepth: 8,
  /** Largest file of a compiled contract, bytes; a larger one is ignored. */
  artifactBytes: 16 * 1024 * 1024,
  /** Size of a compiler output in hardhat's `build-info`, bytes. It is parsed synchronously, once per artifact. */
  buildInfoBytes: 32 * 1024 * 1024,
  /** Bytes of all files of compiled contracts together; further files are ignored. */
  artifactsBytes: 512 * 1024 * 1024,
  /** Compiled contracts loaded by the node. */
  artifacts: 5_000,
  /** Characters of the name of a contract, of its functions, errors and events, and of their parameters. */
  identifierCharacters: 100,
  /** Characters of a source file name in a compiler output. */
  sourceNameCharacters: 1_024,
  /** Bytes of all compiled contracts supplied by clients (`contractBytes`); enough for a large project. */
  suppliedContractBytes: 64 * 1024 * 1024,
  /** Minimum time between two reads of the compiled contracts, milliseconds. */
  artifactsRereadMs: 2_000,
  /** Addresses of one trace whose code is read. */
  tracedAddresses: 200,
  /** Bytes of a value shown in a line. */
  shownBytes: 36,
  /** Items of a list shown in a line. */
  shownItems: 16,
  /** Characters of a text shown in a line. */
  shownCharacters: 512,
  /** Characters of one `console.log` of a contract. */
  consoleCharacters: 4_096,
  /** `console.log` lines shown per transaction. */
  consoleLines: 100,
  /** Trace bytes of one block produced for `console.log`. */
  consoleTraceBytes: 4 * 1024 * 1024,
  /** RPC calls queued for the activity log; later ones are not shown. */
  activityCalls: 16,
  /** Blocks queued for the activity log; later ones are only counted. */
  activityBlocks: 256,
  /** Transactions of one block that the activity log shows. */
  activityTransactions: 50,
  /** Average transaction lines per second in the activity log. */
  activityLinesPerSecond: 50,
  /** Burst of transaction lines in the activity log. */
  activityBurst: 200,
  /** Characters buffered for standard error; above it, lines are dropped and counted. */
  activityWaitingCharacters: 256 * 1024,
  /** Retry interval of writes to a full standard error, milliseconds. */
  standardErrorPauseMs: 20,
  /** Time a stopping node has to flush its log lines, milliseconds. */
  activityStopMs: 500,
  /** Time without a block after which blocks that came too fast are logged as a count, milliseconds. */
  activityPauseMs: 1_000,
  /** Distinct kinds of client calls (API, method, client, outcome) tracked at a time. */
  callKinds: 128,
  /** Interval at which repeated calls are logged as a count, milliseconds. */
  callFoldMs: 5_000,
  /** Characters of a client's user agent. */
  agentCharacters: 40,
  /** Unknown methods named in the log. */
  loggedUnknownMethods: 100,
  /** Refused web page origins named in the log. */
  loggedRefusedOrigins: 100,
} as const;
