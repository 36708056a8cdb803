/**
 * Limits of contract interfaces, of the values that are decoded by them, and of the activity log that shows these; part
 * of `FIXED_LIMITS`.
 */
export const ACTIVITY_LIMITS = {
  /** Items of one contract's interface. */
  abiItems: 2_000,
  /** Parameters of one item, and members of one struct. */
  abiParameters: 256,
  /** Structs and arrays inside each other in a decoded value. */
  abiDepth: 16,
  /** Values of one decoded call, error or event: offsets may point at the same bytes many times. */
  abiValues: 1_000,
  /** Bytes of the arguments of one call of a contract of the chain, decoded. */
  abiBytes: 1024 * 1024,
  /** Calls of the chain's contracts in one transaction (cosmos/evm v0.6 `x/vm/types/call.go`). */
  precompileCalls: 20,
  /** Bytes of one text in them that are decoded: more than a line shows. */
  abiTextBytes: 16 * 1024,
  /** Variables, types and members of a storage layout each, and places of one of its variables. */
  layoutParts: 1_000,
  /** Elements of an array that are shown without being asked for. */
  layoutElements: 64n,
  /** Hashes by which names of slots are looked for. */
  layoutHashes: 4_096,
  /** Slots of a list or of bytes whose names are found. */
  layoutReach: 1n << 32n,
  /** Folders and files of compiled contracts that are looked at. */
  artifactFiles: 10_000,
  /** Folders inside each other that are looked into for them. */
  artifactDepth: 8,
  /** Largest file of a compiled contract, bytes; a larger one is ignored. */
  artifactBytes: 16 * 1024 * 1024,
  /** Bytes of the output of a compiler in hardhat's `build-info`; it is parsed in one turn, once for an artifact. */
  buildInfoBytes: 32 * 1024 * 1024,
  /** Bytes of all files of compiled contracts together; further files are ignored. */
  artifactsBytes: 512 * 1024 * 1024,
  /** Compiled contracts that the node knows. */
  artifacts: 5_000,
  /** Characters of the name of a contract, of its functions, errors and events, and of their parameters. */
  identifierCharacters: 100,
  /** Characters of the name of a source in the output of a compiler: those of a long path. */
  sourceNameCharacters: 1_024,
  /** Bytes of all compiled contracts that clients gave (`contractBytes`): those of a large project. */
  givenContractBytes: 64 * 1024 * 1024,
  /** Shortest time between two readings of the compiled contracts, milliseconds. */
  artifactsAgainMs: 2_000,
  /** Addresses of one trace whose code is read. */
  tracedAddresses: 200,
  /** Bytes of a value that a line shows. */
  shownBytes: 36,
  /** Items of a list that a line shows. */
  shownItems: 16,
  /** Characters of a text that a line shows. */
  shownCharacters: 512,
  /** Characters of one `console.log` of a contract. */
  consoleCharacters: 4_096,
  /** Lines of one transaction's `console.log` that are shown. */
  consoleLines: 100,
  /** Bytes of the traces of one block that are made for `console.log`. */
  consoleTraceBytes: 4 * 1024 * 1024,
  /** Calls that wait for the activity log; it shows nothing of later ones. */
  activityCalls: 16,
  /** Blocks that wait to be shown by the activity log; later ones are counted. */
  activityBlocks: 256,
  /** Transactions of one block that the activity log shows. */
  activityTransactions: 50,
  /** Lines of transactions that the activity log makes per second in the long run. */
  activityLinesPerSecond: 50,
  /** Lines of transactions that the activity log makes at once. */
  activityBurst: 200,
  /** Characters that wait for the reader of standard error; later lines are counted and left out. */
  activityWaitingCharacters: 256 * 1024,
  /** Time after which a write to a full standard error is tried again, milliseconds. */
  standardErrorPauseMs: 20,
  /** Time in which a stopping node writes what it still has to tell, milliseconds. */
  activityStopMs: 500,
  /** Time without a block after which blocks that came too fast are logged as a count, milliseconds. */
  activityPauseMs: 1_000,
  /** Kinds of calls of clients (face, method, client, outcome) that are told apart at a time. */
  callKinds: 128,
  /** Time after which calls equal to a logged one are logged as a count, milliseconds. */
  callFoldMs: 5_000,
  /** Characters of the name that a client gives itself. */
  agentCharacters: 40,
  /** Unknown methods that are named in the log. */
  toldMethods: 100,
  /** Origins of refused pages that are named in the log. */
  toldOrigins: 100,
} as const;
